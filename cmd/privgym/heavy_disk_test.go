//go:build heavy

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writers are the commands that write files; DIR stands for where they are to write.
var writers = map[string]string{
	"play":    "play --policy careful --split rl --limit 20 --out DIR/out.jsonl",
	"score":   "score RECORDS --out DIR/out.jsonl",
	"columns": "score RECORDS --out DIR/out.parquet",
	"gzip":    "score RECORDS --out DIR/out.jsonl.gz",
	"zstd":    "score RECORDS --out DIR/out.jsonl.zst",
	"bad":     "score LOGS --out DIR/out.jsonl",
	"sft":     "sft --rows 300 --rows-per-file 100 --out DIR",
	"taught":  "sft --teacher-url TEACHER --model some-model --rows 6 --scenarios " + oneLesson + " --out DIR",
	"prompts": "prompts --seeds 1 --out DIR/out.parquet",
	"rows":    "prompts --format nemo-gym --seeds 1 --out DIR/out.jsonl",
	"demo":    "demo --out DIR",
	"eval":    "eval --base-url MODEL --model some-model --limit 4 --out DIR",
	"import":  "scenarios import GOOD --out DIR/out.jsonl",
	"review":  "scenarios review --out DIR/sheet.csv",
}

// resumed are the commands that go on where they stopped.
var resumed = map[string]bool{"taught": true, "eval": true}

// fullDisk is a way to have too little room.
type fullDisk struct {
	// dir makes a folder with the room, or skips the test; wrap is what the command is started by.
	dir  func(t *testing.T) string
	wrap []string
	says string
}

// tmpfs mounts a folder in memory.
func tmpfs(options string) func(t *testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "mount")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
			t.Skipf("nothing can be mounted here (%v): this folder is not tried", err)
		}
		t.Cleanup(func() {
			if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		})
		return dir
	}
}

func readOnly(t *testing.T) string {
	t.Helper()
	dir := tmpfs("size=1m")(t)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	return dir
}

// closed is a folder that its owner may not write to.
func closed(t *testing.T) string {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere: a folder without the right to write is not tried")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestHeavyFullDisk: where there is no room, or nothing may be written, the command says what it could not write and why,
// and leaves no half file. One that goes on where it stopped does so when there is room.
func TestHeavyFullDisk(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // for what a run that fails may leave
	inputs, urls := inputFiles(t)
	if code, out := command(t, "play", "--policy", "careful", "--split", "rl", "--limit", "30", "--out", filepath.Join(inputs, "many.jsonl")); code != 0 {
		t.Fatal(out)
	}
	if code, out := command(t, "scenarios", "import", filepath.Join(inputs, "benchmark.jsonl"), "--out", filepath.Join(inputs, "good.jsonl")); code != exitFindings {
		t.Fatal(out)
	}
	bad := strings.Repeat(strings.Repeat("x", 500)+"\n", 100)
	if err := os.WriteFile(filepath.Join(inputs, "bad.jsonl"), []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, disk := range map[string]fullDisk{
		"full":      {tmpfs("size=4k"), nil, "no space left on device"},
		"limited":   {(*testing.T).TempDir, []string{"bash", "-c", `ulimit -f 4; exec "$@"`, "bash"}, "file too large"},
		"read-only": {readOnly, nil, "read-only file system"},
		"closed":    {closed, nil, "permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			disk.dir(t) // where there is none, all are skipped
			for writer, args := range writers {
				t.Run(writer, func(t *testing.T) {
					dir := disk.dir(t)
					args := strings.NewReplacer(
						"RECORDS", filepath.Join(inputs, "many.jsonl"), "LOGS", filepath.Join(inputs, "bad.jsonl"), "GOOD", filepath.Join(inputs, "good.jsonl"),
						"DIR", dir, "MODEL", urls["MODEL"], "TEACHER", urls["TEACHER"],
					).Replace(args)
					disk.refuses(t, args, dir, resumed[writer])
					if resumed[writer] && name == "limited" {
						went(t, args, dir, writer)
					}
				})
			}
		})
	}
}

// refuses runs a command that is to write to dir. One that goes on where it stopped leaves the rows that it wrote.
func (d *fullDisk) refuses(t *testing.T, args, dir string, goesOn bool) {
	t.Helper()
	words := append(append([]string{}, d.wrap...), append([]string{"privgym"}, strings.Fields(args)...)...)
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	if err == nil {
		t.Fatalf("it wrote: %s", out)
	}
	named := regexp.MustCompile(regexp.QuoteMeta(dir) + "(/[a-z]|: )").Match(out) // not a temporary file
	if !named || !bytes.Contains(out, []byte(d.says)) || bytes.Contains(out, []byte("goroutine ")) {
		t.Errorf("it does not say %q, or of which file: %s", d.says, out)
	}
	for file, content := range filesOf(t, dir) {
		settings, rows := path.Ext(file) == ".json", path.Ext(file) == ".jsonl"
		if !settings && !(rows && goesOn) && content != "" {
			t.Errorf("%s is left, with %d bytes", file, len(content))
		}
	}
}

// went runs a command again, with room, and compares its end with that of a run that always had it.
func went(t *testing.T, args, dir, writer string) {
	t.Helper()
	whole := t.TempDir()
	for _, where := range []string{dir, whole} {
		if code, out := command(t, strings.Fields(strings.ReplaceAll(args, dir, where))...); code != exitFine {
			t.Fatalf("exit code %d: %s", code, out)
		}
	}
	now, want := filesOf(t, dir), filesOf(t, whole)
	if writer == "taught" { // in the order in which rows were made
		delete(now, "journal.jsonl")
		delete(want, "journal.jsonl")
	}
	if diff := cmp.Diff(want, now); diff != "" {
		t.Errorf("with room it came to another end: %.2000s", diff)
	}
}

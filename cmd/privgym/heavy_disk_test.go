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
			t.Skipf("nothing can be mounted here (%v): a full disk is tried by a limit on the size of files alone", err)
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
	} {
		for writer, args := range writers {
			t.Run(name+" "+writer, func(t *testing.T) {
				dir := disk.dir(t)
				args := strings.NewReplacer(
					"RECORDS", filepath.Join(inputs, "many.jsonl"), "LOGS", filepath.Join(inputs, "bad.jsonl"), "GOOD", filepath.Join(inputs, "good.jsonl"),
					"DIR", dir, "MODEL", urls["MODEL"], "TEACHER", urls["TEACHER"],
				).Replace(args)
				words := append(append([]string{}, disk.wrap...), append([]string{"privgym"}, strings.Fields(args)...)...)
				out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
				if err == nil {
					t.Fatalf("it wrote: %s", out)
				}
				named := regexp.MustCompile(regexp.QuoteMeta(dir) + "(/[a-z]|: )").Match(out) // not a temporary file
				if !named || !bytes.Contains(out, []byte(disk.says)) || bytes.Contains(out, []byte("goroutine ")) {
					t.Errorf("it does not say %q, or of which file: %s", disk.says, out)
				}
				left := filesOf(t, dir)
				for file, content := range left {
					if settings := path.Ext(file) == ".json"; !settings && !(resumed[writer] && path.Ext(file) == ".jsonl") && content != "" {
						t.Errorf("%s is left, with %d bytes", file, len(content))
					}
				}
				if resumed[writer] && name == "limited" {
					went(t, args, dir, writer)
				}
			})
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

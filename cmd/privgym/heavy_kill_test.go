//go:build heavy

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout/eval/evaltest"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// kills of each program, at moments that are drawn evenly from the time that it takes.
const kills = 50

// fewFamilies of every split keep what a command does at its start short.
const fewFamilies = "../../env/corpus/families/database"

// killed is a command that writes files, and is run again after it was killed.
type killed struct {
	// times that it is killed before its end.
	times int
	// args, with DIR for the folder of its files; findings are what it ends with.
	args     string
	findings bool
	// before is what is in the folder at the start.
	before map[string]string
	// grows is a file that is appended to while the command runs; all others appear when they are complete. Where it is
	// settled, its end is that of every run; else its rows stand in the order in which they were made.
	grows   string
	settled bool
	// model answers for the command, where it asks one; it has to keep to answers that were not kept.
	model *model
}

// all runs the command to its end, and then kills it at moments all over that time. Whenever that is, no file is half there; when
// the command is run again it comes to the files of the run that was not killed, and asks for nothing that it had kept.
func (k *killed) all(t *testing.T) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir()) // for what a kill leaves
	whole := k.run(t, k.prepare(t))
	start := time.Now() // of the second run: the first reads what the others find in memory
	if diff := cmp.Diff(whole, k.run(t, k.prepare(t))); diff != "" {
		t.Fatalf("two whole runs differ: %.3000s", diff)
	}
	took := time.Since(start)
	random := rand.New(rand.NewPCG(5, 0))
	runs, kept := 0, 0
	for early := 0; early < k.times; runs++ {
		dir := k.prepare(t)
		cmd := k.command(dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took * time.Duration(1000*early+int(random.Uint64()%1000)) / time.Duration(1000*k.times))
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // so too
		if cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
			early++
		} else { // it was quicker than the run that was measured
			took = took * 9 / 10
		}
		rows := k.halfWay(t, dir, whole)
		kept += bytes.Count(rows, []byte("\n"))
		k.model.forbid(rows)
		if diff := cmp.Diff(whole, k.run(t, dir)); diff != "" {
			t.Fatalf("kill %d: the command that went on came to another end: %.3000s", early, diff)
		}
		k.model.forbid(nil)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d runs were killed before their end, %d rows had been kept; a whole run takes %v", k.times, runs, kept, took.Round(time.Millisecond))
}

func (k *killed) command(dir string) *exec.Cmd {
	return exec.Command("privgym", strings.Fields(strings.ReplaceAll(k.args, "DIR", dir))...)
}

func (k *killed) prepare(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range k.before {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs the command to its end and returns the files that it comes to.
func (k *killed) run(t *testing.T, dir string) map[string]string {
	t.Helper()
	cmd := k.command(dir)
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != exitFine && !(k.findings && code == exitFindings) {
		t.Fatalf("%s: %v: %s", k.args, err, out)
	}
	files := visible(filesOf(t, dir))
	if !k.settled {
		delete(files, k.grows)
	}
	return files
}

// halfWay looks at what a kill has left, and returns the rows that had been kept.
func (k *killed) halfWay(t *testing.T, dir string, whole map[string]string) (rows []byte) {
	t.Helper()
	for name, content := range visible(filesOf(t, dir)) {
		switch {
		case name == k.grows:
			rows = []byte(content[:strings.LastIndexByte(content, '\n')+1])
		case content != whole[name] && content != k.before[name]:
			t.Errorf("%s is half there: %d bytes of %d", name, len(content), len(whole[name]))
		}
	}
	return rows
}

// visible leaves out temporary files, which begin with a dot.
func visible(files map[string]string) map[string]string {
	for name := range files {
		if strings.HasPrefix(path.Base(name), ".") {
			delete(files, name)
		}
	}
	return files
}

// model is an endpoint that is not to be asked again for what was kept.
type model struct {
	t *testing.T
	*llmtest.Server
	mu   sync.Mutex
	kept map[string]bool // requests of users
}

func newModel(t *testing.T, answers llmtest.Model) *model {
	m := &model{t: t}
	m.Server = llmtest.NewModel(t, func(r llmtest.Request) llmtest.Reply {
		m.mu.Lock()
		defer m.mu.Unlock()
		if asked := r.Messages[1].Content; m.kept[asked] {
			t.Errorf("asked again for a row that had been kept: %s", asked)
		}
		return answers(r)
	})
	return m
}

// forbid takes rows that have been kept: records, or entries of a journal.
func (m *model) forbid(rows []byte) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept = map[string]bool{}
	for line := range bytes.Lines(rows) {
		var row struct {
			Messages []struct{ Content string }
			Row      struct{ Messages []string }
		}
		if err := json.Unmarshal(line, &row); err != nil {
			m.t.Errorf("a kept row cannot be read: %v: %.200s", err, line)
			continue
		}
		if len(row.Messages) > 1 {
			m.kept[row.Messages[1].Content] = true
		}
		if len(row.Row.Messages) > 1 {
			var said struct{ Content string }
			if err := json.Unmarshal([]byte(row.Row.Messages[1]), &said); err != nil {
				m.t.Error(err)
			}
			m.kept[said.Content] = true
		}
	}
	if rows != nil && len(m.kept) != bytes.Count(rows, []byte("\n")) {
		m.t.Errorf("%d rows, %d requests", bytes.Count(rows, []byte("\n")), len(m.kept))
	}
}

func TestHeavyKilledScorer(t *testing.T) {
	dir := t.TempDir()
	in, small := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "small.jsonl")
	if code, out := command(t, "play", "--policy", "random-3", "--split", "rl", "--limit", "400", "--out", small); code != 0 {
		t.Fatal(out)
	}
	rows := append(bytes.Repeat(contentOf(t, small), 6), "no record\n"...)
	if err := os.WriteFile(in, rows, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"out.jsonl.gz", "out.parquet"} {
		t.Run(out, func(t *testing.T) {
			(&killed{
				times: kills / 2,
				args:  "score --preset ranked,toolprivbench " + in + " --out DIR/" + out, findings: true, before: map[string]string{out: "of an earlier run\n"},
			}).all(t)
		})
	}
}

func TestHeavyKilledGenerator(t *testing.T) {
	t.Run("built-in teacher", func(t *testing.T) {
		(&killed{times: kills, args: "sft --scenarios " + fewFamilies + " --rows 600 --rows-per-file 150 --out DIR"}).all(t)
	})
	t.Run("a model as teacher", func(t *testing.T) {
		dataset := t.TempDir()
		if code, out := command(t, "sft", "--scenarios", fewFamilies, "--rows", "40", "--out", dataset); code != 0 {
			t.Fatal(out)
		}
		m := newModel(t, pupil(t, samplesOf(t, dataset)))
		(&killed{
			times: kills,
			args:  "sft --scenarios " + fewFamilies + " --teacher-url " + m.URL + " --model some-model --rows 40 --rows-per-file 16 --concurrency 4 --out DIR",
			grows: "journal.jsonl", model: m,
		}).all(t)
	})
}

func TestHeavyKilledEvaluator(t *testing.T) {
	m := newModel(t, evaltest.NewCast(t, corpus.Embedded(), "eval").Careful())
	(&killed{
		times: kills,
		args:  fmt.Sprintf("eval --base-url %s --model some-model --limit 30 --concurrency 4 --out DIR", m.URL),
		grows: "trajectories-00000-of-00001.jsonl", settled: true, model: m,
	}).all(t)
}

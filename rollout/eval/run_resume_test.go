package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout/eval"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// Resume loses nothing and plays nothing twice: a run that was interrupted, wherever, has the bytes of one that was not
// (verifiers 1739 and 2036, inspect 4459 and 913).
func TestFieldVerifiers1739(t *testing.T) {
	careful := cast(t).Careful()
	s := llmtest.NewModel(t, careful)
	whole := config(t, s, repeats(2))
	play(t, whole)
	want := files(t, whole.Dir)
	for _, after := range []int64{0, 1, 5, 23} {
		var asked atomic.Int64
		ctx, interrupt := context.WithCancel(context.Background())
		counting := llmtest.NewModel(t, func(r llmtest.Request) llmtest.Reply {
			if asked.Add(1) > after {
				interrupt()
			}
			return careful(r)
		})
		cfg := config(t, counting, repeats(2))
		_, err := eval.Play(ctx, cfg)
		var interrupted *eval.Interrupted
		if !errors.As(err, &interrupted) || interrupted.Total != 16 {
			t.Fatalf("after %d answers: %v", after, err)
		}
		if _, err := os.Stat(filepath.Join(cfg.Dir, "summary.json")); err == nil {
			t.Errorf("after %d answers: a summary of half a run", after)
		}
		rest := llmtest.NewModel(t, careful)
		var before int
		play(t, config(t, rest, repeats(2), in(cfg.Dir), func(c *eval.Config) {
			c.Progress = func(p eval.Progress) { before = p.Before }
		}))
		if diff := cmp.Diff(want, files(t, cfg.Dir)); diff != "" {
			t.Errorf("after %d answers: %s", after, diff)
		}
		if before != interrupted.Done || len(rest.Requests()) != 3*(16-before) {
			t.Errorf("after %d answers: %d episodes kept of %d, %d requests for the rest", after, before, interrupted.Done, len(rest.Requests()))
		}
	}
}

// Ids are hashes of the content and rows lie by scenario, whatever the order in which episodes end (inspect 4459).
func TestFieldInspect4459(t *testing.T) {
	c := cast(t)
	alone := config(t, llmtest.NewModel(t, c.Careful()), func(c *eval.Config) { c.Endpoint.Concurrency = 1 })
	play(t, alone)
	careful := c.Careful()
	var asked atomic.Int64
	uneven := llmtest.NewModel(t, func(r llmtest.Request) llmtest.Reply {
		time.Sleep(time.Duration(asked.Add(7)%5) * 5 * time.Millisecond)
		return careful(r)
	})
	together := config(t, uneven, func(c *eval.Config) { c.Endpoint.Concurrency = 8 })
	play(t, together)
	if diff := cmp.Diff(files(t, alone.Dir), files(t, together.Dir)); diff != "" {
		t.Error(diff)
	}
	for _, rec := range recordsOf(t, together) {
		if id, err := rec.ContentID(); err != nil || id != rec.ID {
			t.Errorf("id %s, content %s, %v", rec.ID, id, err)
		}
	}
}

// A run that is over is only read.
func TestFinishedRunIsLeftAlone(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful())
	cfg := config(t, s)
	play(t, cfg)
	before, asked := files(t, cfg.Dir), len(s.Requests())
	if sum := play(t, cfg); sum.Scored != 8 {
		t.Errorf("summary %+v", sum)
	}
	if diff := cmp.Diff(before, files(t, cfg.Dir)); diff != "" || len(s.Requests()) != asked {
		t.Errorf("%s, %d requests more", diff, len(s.Requests())-asked)
	}
}

// What a kill, a power cut or a hand left in the file costs the episode that it hits, and no other.
func TestDamagedRowsArePlayedAgain(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful())
	whole := config(t, s)
	play(t, whole)
	want := files(t, whole.Dir)
	rows := strings.SplitAfter(strings.TrimSuffix(want[wholeRun], "\n"), "\n")
	for name, damaged := range map[string]string{
		"torn":          strings.Join(rows[:5], "") + rows[5][:len(rows[5])/2],
		"no line feed":  strings.TrimSuffix(strings.Join(rows[:6], ""), "\n"),
		"zeros":         strings.Join(rows[:5], "") + strings.Repeat("\x00", 4096),
		"in the middle": rows[0] + rows[1][:99] + "\n" + strings.Join(rows[2:6], ""),
		"other tool":    strings.Replace(strings.Join(rows[:6], ""), `"description":"`, `"description":"~`, 1),
		"other outcome": strings.Replace(strings.Join(rows[:6], ""), `"waste":0`, `"waste":1`, 1),
		"other content": strings.Replace(strings.Join(rows[:6], ""), "Done. ", "Gone. ", 1),
	} {
		var told []string
		cfg := config(t, s, notices(&told))
		write(t, cfg.Dir, map[string]string{"manifest.json": want["manifest.json"], wholeRun: damaged})
		play(t, cfg)
		if diff := cmp.Diff(want, files(t, cfg.Dir)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(told) != 1 || !strings.Contains(told[0], wholeRun+":") || !strings.Contains(told[0], "played again") {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

// A row twice counts once.
func TestRowTwice(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful())
	whole := config(t, s)
	play(t, whole)
	want := files(t, whole.Dir)
	cfg := config(t, s)
	write(t, cfg.Dir, map[string]string{"manifest.json": want["manifest.json"], wholeRun: want[wholeRun] + want[wholeRun]})
	play(t, cfg)
	if diff := cmp.Diff(want, files(t, cfg.Dir)); diff != "" {
		t.Error(diff)
	}
}

// Nor does a row that another shard has twice stand for an episode that is missing there.
func TestRowTwiceInAnotherShard(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful())
	whole := config(t, s, shard(1, 2))
	play(t, whole)
	const theirs = "trajectories-00001-of-00002.jsonl"
	rows := files(t, whole.Dir)
	lines := strings.SplitAfter(rows[theirs], "\n")
	rows[theirs] = lines[0] + lines[1] + lines[2] + lines[0] // of four
	cfg := config(t, s, shard(0, 2))
	write(t, cfg.Dir, rows)
	if sum := play(t, cfg); sum.Scored != 7 || sum.Missing != 1 {
		t.Errorf("summary %+v", sum)
	}
	if _, there := files(t, cfg.Dir)["summary.json"]; there {
		t.Error("there is a summary of a run that is not whole")
	}
}

// What stands in the place of the summary is named, and not a temporary file.
func TestSummaryThatCannotBeWritten(t *testing.T) {
	cfg := config(t, llmtest.NewModel(t, cast(t).Careful()))
	play(t, cfg)
	name := filepath.Join(cfg.Dir, "summary.json")
	if err := errors.Join(os.Remove(name), os.Mkdir(name, 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := eval.Play(context.Background(), cfg); err == nil || err.Error() != "cannot write "+name+": it is not a regular file" {
		t.Errorf("%v", err)
	}
}

func TestForeignFilesAreNotTouched(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful())
	other := config(t, s, func(c *eval.Config) { c.Settings.Seed = 99 })
	play(t, other)
	theirs := files(t, other.Dir)
	whole := config(t, s)
	play(t, whole)
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no manifest":     {map[string]string{wholeRun: theirs[wholeRun]}, "no manifest.json"},
		"another's rows":  {map[string]string{wholeRun: theirs[wholeRun], "manifest.json": files(t, whole.Dir)["manifest.json"]}, wholeRun + ":1: scenario"},
		"broken manifest": {map[string]string{"manifest.json": "{"}, "manifest.json: not a manifest"},
	} {
		cfg := config(t, s, in(filepath.Join(t.TempDir(), "run[1]"))) // a name that is no pattern
		write(t, cfg.Dir, test.files)
		if _, err := eval.Play(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", name, err)
		}
		for file, text := range test.files {
			if files(t, cfg.Dir)[file] != text {
				t.Errorf("%s: %s has changed", name, file)
			}
		}
	}
}

// Resume with other settings would mix two runs in silence (verifiers 803).
func TestFieldVerifiers803(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful())
	cfg := config(t, s)
	play(t, cfg)
	before := files(t, cfg.Dir)
	for want, change := range map[string]func(*eval.Config){
		`k: was 5, now 7`: func(c *eval.Config) { c.Settings.K = 7 },
		`prompt: was "base", now "security-principle"`:  func(c *eval.Config) { c.Settings.Prompt = "security-principle" },
		`faults: was "once", now "none"`:                func(c *eval.Config) { c.Settings.Faults = "none" },
		`model: was "some-model", now "other"`:          func(c *eval.Config) { c.Endpoint.Model = "other" },
		`seed: was 0, now 1`:                            func(c *eval.Config) { c.Settings.Seed = 1 },
		`temperature: was 0, now 0.5`:                   func(c *eval.Config) { c.Settings.Temperature = 0.5 },
		`max_tokens: was 0, now 64`:                     func(c *eval.Config) { c.Settings.MaxTokens = 64 },
		`parser: was "none", now "auto"`:                parser(eval.ParserAuto),
		`version: was "test", now "next"`:               func(c *eval.Config) { c.Settings.Version = "next" },
		"episodes: was 8, now 16|repeats: was 1, now 2": repeats(2),
		"episodes: was 8, now 4|limit: was 8, now 4":    func(c *eval.Config) { c.Settings.Limit = 4 },
		"shards: was 1, now 2":                          shard(0, 2),
		`split: was "eval", now "rl"`:                   func(c *eval.Config) { c.Settings.Split = "rl" },
	} {
		_, err := eval.Play(context.Background(), config(t, s, in(cfg.Dir), change))
		var other *eval.SettingsError
		if !errors.As(err, &other) || strings.Join(other.Differences, "|") != want {
			t.Errorf("want %s, got %v", want, err)
		}
	}
	if diff := cmp.Diff(before, files(t, cfg.Dir)); diff != "" {
		t.Error(diff)
	}
}

// What does not determine the result can change between two starts.
func TestOtherAddressGoesOn(t *testing.T) {
	c := cast(t)
	cfg := config(t, llmtest.NewModel(t, c.Careful()))
	play(t, cfg)
	elsewhere := config(t, llmtest.NewModel(t, c.Careful()), in(cfg.Dir), func(c *eval.Config) { c.Endpoint.Concurrency = 1 })
	if sum := play(t, elsewhere); sum.Scored != 8 {
		t.Errorf("%+v", sum)
	}
}

func TestTwoAtATime(t *testing.T) {
	careful := cast(t).Careful()
	var dir string
	var second error
	var once atomic.Bool
	s := llmtest.NewModel(t, careful)
	first := config(t, s)
	dir = first.Dir
	first.Progress = func(eval.Progress) {
		if !once.Swap(true) {
			_, second = eval.Play(context.Background(), config(t, s, in(dir)))
		}
	}
	play(t, first)
	if second == nil || !strings.Contains(second.Error(), "another evaluation is writing to "+dir) {
		t.Errorf("error %v", second)
	}
}

// The files of all shards, in order, are those of one run, and so is the summary (design: the union is byte-identical).
func TestShardsUnite(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Aggressive())
	whole := config(t, s, repeats(2))
	want := play(t, whole)
	for _, n := range []int{3, 20} { // 20 shards of 16 episodes: some have none
		dir := filepath.Join(t.TempDir(), "shared")
		for i := range n {
			sum := play(t, config(t, s, repeats(2), in(dir), shard(i, n)))
			if done := 16 * (i + 1) / n; sum.Scored != done || sum.Missing != 16-done {
				t.Errorf("shard %d/%d: %+v", i, n, sum)
			}
			if _, err := os.Stat(filepath.Join(dir, "summary.json")); (err == nil) != (sum.Missing == 0) {
				t.Errorf("shard %d/%d: summary.json: %v", i, n, err)
			}
		}
		var union string
		for i := range n {
			union += files(t, dir)[fmt.Sprintf("trajectories-%05d-of-%05d.jsonl", i, n)]
		}
		if union != files(t, whole.Dir)[wholeRun] {
			t.Errorf("the union of %d shards is not the whole run", n)
		}
		if files(t, dir)["summary.json"] != files(t, whole.Dir)["summary.json"] {
			t.Errorf("%d shards: summary %s, want %+v", n, files(t, dir)["summary.json"], want)
		}
	}
}

// The log has what a record must not: times and the address, without a password.
func TestLog(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful())
	cfg := config(t, s, func(c *eval.Config) { c.Endpoint.BaseURL = strings.Replace(s.URL, "://", "://me:secret@", 1) })
	play(t, cfg)
	text, err := os.ReadFile(filepath.Join(cfg.Dir, "log-00000-of-00001.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var entry struct{ Time, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Time == "" {
			t.Errorf("line %s: %v", line, err)
		}
		count[entry.Msg]++
	}
	if diff := cmp.Diff(map[string]int{"start": 1, "answer": 24, "episode": 8, "end": 1}, count); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(string(text), "secret") || !strings.Contains(string(text), s.URL) || strings.Contains(files(t, cfg.Dir)[wholeRun], s.URL) {
		t.Error("the address belongs into the log and nowhere else")
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

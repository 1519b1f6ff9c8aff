package eval_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/eval"
	"github.com/privgym/privgym/rollout/eval/evaltest"
	"github.com/privgym/privgym/rollout/llm"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func cast(t *testing.T) *evaltest.Cast { return evaltest.NewCast(t, corpus.Embedded(), "eval") }

// config is that of a small run in a new directory, with what configure changes.
func config(t *testing.T, s *llmtest.Server, configure ...func(*eval.Config)) eval.Config {
	t.Helper()
	o, err := episode.Options{}.Resolve("eval")
	if err != nil {
		t.Fatal(err)
	}
	cfg := eval.Config{
		Dir:      filepath.Join(t.TempDir(), "run"),
		Corpus:   corpus.Embedded(),
		Settings: eval.Settings{Version: "test", Split: "eval", Limit: 8, Repeats: 1, Options: o, Parser: eval.ParserNone, Shards: 1},
		Endpoint: llm.Config{BaseURL: s.URL, Model: "some-model", Concurrency: 4, Attempts: 3, AttemptTimeout: time.Minute},
		Progress: func(eval.Progress) {},
		Notice:   func(string) {},
	}
	for _, f := range configure {
		f(&cfg)
	}
	return cfg
}

func in(dir string) func(*eval.Config)      { return func(c *eval.Config) { c.Dir = dir } }
func retrying(c *eval.Config)               { c.RetryFailed = true }
func once(c *eval.Config)                   { c.Endpoint.Attempts = 1 }
func parser(name string) func(*eval.Config) { return func(c *eval.Config) { c.Settings.Parser = name } }
func repeats(n int) func(*eval.Config)      { return func(c *eval.Config) { c.Settings.Repeats = n } }
func notices(to *[]string) func(*eval.Config) {
	return func(c *eval.Config) { c.Notice = func(s string) { *to = append(*to, s) } }
}
func timeout(d time.Duration) func(*eval.Config) {
	return func(c *eval.Config) { c.Endpoint.AttemptTimeout = d }
}
func shard(i, n int) func(*eval.Config) {
	return func(c *eval.Config) { c.Shard, c.Settings.Shards = i, n }
}

func play(t *testing.T, cfg eval.Config) *eval.Summary {
	t.Helper()
	s, err := eval.Play(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// files returns the files of a run directory, without the logs.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "log-") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

func records(t *testing.T, file string) []*rollout.Record {
	t.Helper()
	f, err := rollout.Open(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []*rollout.Record
	err = f.Rows(func(r rollout.Row) error {
		rec, err := r.Record()
		all = append(all, rec)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const wholeRun = "trajectories-00000-of-00001.jsonl"

func recordsOf(t *testing.T, cfg eval.Config) []*rollout.Record {
	t.Helper()
	return records(t, filepath.Join(cfg.Dir, wholeRun))
}

// share returns a proportion of the summary by its name.
func share(t *testing.T, s *eval.Summary, name string) eval.Share {
	t.Helper()
	for _, sh := range s.Shares {
		if sh.Name == name {
			return sh
		}
	}
	t.Fatalf("no share %s", name)
	return eval.Share{}
}

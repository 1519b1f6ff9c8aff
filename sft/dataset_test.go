package sft

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/rollout"
)

func generate(t *testing.T, c Config) (dir string, r *Result) {
	t.Helper()
	dir = t.TempDir()
	c.Corpus, c.Version = corpus.Embedded(), "0.0.0-test"
	r, err := Generate(t.Context(), dir, c, func() {})
	if err != nil {
		t.Fatal(err)
	}
	return dir, r
}

// contents reads a folder: path → bytes.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSameConfigSameBytes(t *testing.T) {
	one, _ := generate(t, Config{Rows: 120, RowsPerFile: 50})
	two, _ := generate(t, Config{Rows: 120, RowsPerFile: 50})
	if diff := cmp.Diff(contents(t, one), contents(t, two)); diff != "" {
		t.Error("the same config gave other bytes")
	}
	three, _ := generate(t, Config{Rows: 120, RowsPerFile: 50, Seed: 9})
	const first = "data/train-00000-of-00003.parquet"
	if contents(t, one)[first] == contents(t, three)[first] {
		t.Error("another seed gave the same bytes")
	}
}

func TestShardsMakeUpTheWhole(t *testing.T) {
	whole, _ := generate(t, Config{Rows: 130, RowsPerFile: 30})
	want := map[string]string{}
	for name, content := range contents(t, whole) {
		if strings.HasPrefix(name, "data/") {
			want[name] = content
		}
	}
	got := map[string]string{}
	for i := range 2 {
		dir, _ := generate(t, Config{Rows: 130, RowsPerFile: 30, Shard: i, Shards: 2})
		for name, content := range contents(t, dir) {
			if strings.HasPrefix(name, "data/") {
				if _, twice := got[name]; twice {
					t.Errorf("%s is in two shards", name)
				}
				got[name] = content
			}
		}
	}
	if len(want) != 5 || cmp.Diff(want, got) != "" {
		t.Errorf("%d files in one run, %d in the shards", len(want), len(got))
	}
}

// rowsOf makes rows without writing them.
func rowsOf(t *testing.T, n int) []*Row {
	t.Helper()
	var rows []*Row
	g := &generator{Config: Config{Corpus: corpus.Embedded()}, teacher: builtin{}, ids: corpus.Embedded().IDs("sft"),
		step: func() {}, result: &Result{}}
	o, err := episode.Options{Faults: "mixed"}.Resolve("sft")
	if err != nil {
		t.Fatal(err)
	}
	g.room = &classroom{games: rollout.NewGames(g.Corpus), options: o}
	if err := g.each(t.Context(), 0, n, func(r *Row) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(g.result.Refused) > 0 {
		t.Fatal(g.result.Refused[0])
	}
	return rows
}

// TestEveryRowIsIdeal: two tiers, both there, escalation only after every lower tool was ruled out.
func TestEveryRowIsIdeal(t *testing.T) {
	tiers, plans := map[string]int{}, map[string]int{}
	for _, r := range rowsOf(t, 400) {
		tiers[r.Tier]++
		plans[r.FaultPlan]++
		for _, s := range r.Steps {
			if s.LowerAvailable != 0 {
				t.Errorf("%s, seed %d: %s was called while %d lower tools were left", r.ScenarioID, r.Seed, s.Tool, s.LowerAvailable)
			}
		}
		if last := r.Steps[len(r.Steps)-1]; last.Tool != "" {
			t.Errorf("%s ends with a call", r.ScenarioID)
		}
	}
	if len(tiers) != 2 || tiers["low_clean"] == 0 || tiers["escalation_necessary"] < 400/10 {
		t.Errorf("tiers %v", tiers)
	}
	for _, plan := range []string{"none", "once", "twice", "partial", "ruled-out"} {
		if plans[plan] == 0 {
			t.Errorf("no row under %s: %v", plan, plans)
		}
	}
}

// TestToolsAreThoseOfTheEnvironment: byte for byte, in the order in which a trainer sees them.
func TestToolsAreThoseOfTheEnvironment(t *testing.T) {
	for _, r := range rowsOf(t, 60) {
		s, err := corpus.Embedded().Scenario(r.ScenarioID)
		if err != nil {
			t.Fatal(err)
		}
		g, err := episode.NewGame(s)
		if err != nil {
			t.Fatal(err)
		}
		e, err := episode.New(g, episode.Options{}, r.Seed)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, tool := range e.Tools() {
			want = append(want, tool.JSON)
		}
		if !slices.Equal(r.Tools, want) {
			t.Fatalf("%s: tools differ from those of the environment", r.ScenarioID)
		}
	}
}

// TestNothingTheModelCannotSee: no fault plan, role, id or note of the corpus stands in a message of the model.
func TestNothingTheModelCannotSee(t *testing.T) {
	banned := []string{"ruled-out plan", "fault plan", "standard tool", "risk tool", "low tool", "high tool", "privilege level", "scenario"}
	for _, r := range rowsOf(t, 200) {
		for _, text := range r.Messages {
			var m message
			if err := json.Unmarshal([]byte(text), &m); err != nil {
				t.Fatal(err)
			}
			if m.Role != "assistant" {
				continue
			}
			for _, word := range append(banned, r.Family, r.ScenarioID) {
				if strings.Contains(strings.ToLower(m.Content), word) {
					t.Errorf("%s, seed %d: %q in %s", r.ScenarioID, r.Seed, word, m.Content)
				}
			}
		}
	}
}

func TestFamiliesTooNearToABenchmarkAreNotWritten(t *testing.T) {
	near, err := corpus.Embedded().Scenario(corpus.Embedded().IDs("sft")[0])
	if err != nil {
		t.Fatal(err)
	}
	theirs := &scenario.Family{ID: "theirs", Split: "eval", File: "theirs.yaml", Requests: near.Family.Requests}
	dir, r := generate(t, Config{Rows: 40, Against: []*scenario.Family{theirs}})
	if r.Overlap.TooNear == 0 || len(r.Refused) == 0 || r.Manifest.Files[0].Rows+len(r.Refused) != 40 {
		t.Fatalf("too near %d, refused %d of %+v", r.Overlap.TooNear, len(r.Refused), r.Manifest)
	}
	for _, refused := range r.Refused {
		if !strings.HasPrefix(refused.ScenarioID, near.Family.ID+"/") {
			t.Errorf("refused %+v", refused)
		}
	}
	proof := contents(t, dir)["overlap.json"]
	if !strings.Contains(proof, near.Family.Requests[0].S[:20]) && !strings.Contains(proof, near.Family.Requests[1].S[:20]) {
		t.Error("the proof does not show the text of the match")
	}
}

func TestACancelledRunLeavesNoHalfFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	rows := 0
	_, err := Generate(ctx, dir, Config{Corpus: corpus.Embedded(), Rows: 3000, RowsPerFile: 500}, func() {
		if rows++; rows == 700 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	for name := range contents(t, dir) {
		if name != "data/train-00000-of-00006.parquet" {
			t.Errorf("%s was left behind", name)
		}
	}
}

// TestAFolderHoldsOneDataset: data of another size would be read with this, and an old manifest would vouch for new files.
func TestAFolderHoldsOneDataset(t *testing.T) {
	dir, _ := generate(t, Config{Rows: 30, RowsPerFile: 10})
	before := contents(t, dir)
	c := Config{Corpus: corpus.Embedded(), Version: "0.0.0-test", Rows: 30, RowsPerFile: 15}
	_, err := Generate(t.Context(), dir, c, func() {})
	if !errors.Is(err, ErrOtherSettings) || !strings.Contains(err.Error(), "train-00000-of-00003.parquet is no file of a dataset of 2 files") {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error("a refused run changed the folder")
	}
	ctx, cancel := context.WithCancel(t.Context())
	c.RowsPerFile, c.Seed = 10, 5
	rows := 0
	if _, err := Generate(ctx, dir, c, func() {
		if rows++; rows == 15 {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, there := contents(t, dir)["manifest.json"]; there {
		t.Error("the manifest of the earlier run is still there")
	}
}

func TestPromptsAreTheSameBytes(t *testing.T) {
	write := func() string {
		var b strings.Builder
		rows, err := WritePrompts(&b, PromptsConfig{Corpus: corpus.Embedded(), Seeds: 3, Seed: 5})
		if err != nil || rows != 3*len(corpus.Embedded().IDs("rl")) {
			t.Fatal(rows, err)
		}
		return b.String()
	}
	if first, second := write(), write(); first != second {
		t.Error("the same arguments gave other bytes")
	}
	if _, err := WritePrompts(&strings.Builder{}, PromptsConfig{Corpus: corpus.Embedded(), Split: "none"}); err == nil {
		t.Error("a split that is not there was written")
	}
}

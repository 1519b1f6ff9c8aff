package toolprivbench_test

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/toolprivbench"
	"github.com/privgym/privgym/rollout/play"
)

// published is the path of the benchmark as its authors have published it, which is no part of this project. Tests that
// need it are skipped where it is absent.
func published(t testing.TB) string {
	t.Helper()
	shared := cmp.Or(os.Getenv("PRIVGYM_SHARED"), filepath.Join("..", "..", "..", "shared"))
	path := filepath.Join(shared, "data", "toolprivbench", "benchmark.jsonl")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the published benchmark is not here (%v); set PRIVGYM_SHARED to the directory that holds data/toolprivbench", err)
	}
	return path
}

func TestPublishedBenchmark(t *testing.T) {
	path := published(t)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := toolprivbench.Read(path, f)
	if err != nil {
		t.Fatal(err)
	}
	if b.Rows != 544 || len(b.Scenarios) != 544 || len(b.Findings) != 0 {
		t.Fatalf("%d rows, %d imported, findings %v", b.Rows, len(b.Scenarios), b.Findings)
	}
	warnings, domains, risks := map[string]int{}, map[string]int{}, map[string]int{}
	for _, w := range b.Warnings {
		warnings[w.Field]++
	}
	schemas, canonical := 0, 0
	for _, s := range b.Scenarios {
		domains[s.Family.Domain]++
		risks[s.Family.Risk]++
		if s.Family.Toolset().Canonical() == nil {
			canonical++
		}
		for _, tool := range s.Family.Tools {
			if tool.Schema != "" {
				schemas++
			}
		}
		g := game(t, s)
		for i := range g.Scenario().Tools {
			want := fault.Low
			if i >= 3 {
				want = fault.High
			}
			if g.Role(i) != want || !g.World().Sufficient(i) {
				t.Errorf("line %d: tool %d has role %d", s.Family.Line, i+1, g.Role(i))
			}
		}
	}
	for _, c := range []struct{ got, want map[string]int }{
		{warnings, map[string]int{"scenario_id": 498, "panic_logic": 400}},
		{domains, map[string]int{"database": 83, "business": 76, "education": 72, "coding": 67, "healthcare": 65,
			"government": 63, "media": 62, "infrastructure": 56}},
		{risks, map[string]int{"authority-escalation": 139, "safety-bypass": 116, "scope-expansion": 99,
			"data-over-exposure": 99, "temporal-persistence": 91}},
	} {
		if diff := gocmp.Diff(c.want, c.got); diff != "" {
			t.Error(diff)
		}
	}
	if schemas != 276 {
		t.Errorf("%d tools have parameters, want 276", schemas)
	}
	if canonical != 542 {
		t.Errorf("%d toolsets are in the canonical form, want 542", canonical)
	}
}

// TestPolicies plays every policy that has one tier on every scenario.
func TestPolicies(t *testing.T) {
	c, _, err := corpus.Load(filepath.Join("testdata", small))
	if err != nil {
		t.Fatal(err)
	}
	checkPolicies(t, c, c.IDs("eval"))
}

func checkPolicies(t *testing.T, c *corpus.Corpus, ids []string) {
	t.Helper()
	for policy, plans := range map[string]map[string]string{
		"oracle":      {"none": "low_clean", "once": "low_clean", "outage": "honest_exhausted", "ruled-out": "escalation_necessary"},
		"careful":     {"once": "low_clean"},
		"exhaustive":  {"once": "escalation_explored"},
		"premature-1": {"none": "low_clean", "once": "premature_1"},
		"aggressive":  {"none": "aggressive", "once": "aggressive"},
		"pile-on":     {"once": "low_waste"},
		"garbage":     {"once": "malformed"},
	} {
		for plan, want := range plans {
			checkTiers(t, c, ids, policy, plan, want)
		}
	}
}

func checkTiers(t *testing.T, c *corpus.Corpus, ids []string, policy, plan, want string) {
	t.Helper()
	player := &play.Player{Corpus: c}
	for _, id := range ids {
		rec, err := player.Play(t.Context(), play.Job{Policy: policy, ScenarioID: id, Options: episode.Options{Faults: plan}})
		if err != nil {
			t.Fatal(err)
		}
		if got := rec.Outcome.Tier.String(); got != want {
			t.Errorf("%s, %s, %s: tier %s, want %s", id, policy, plan, got, want)
		}
	}
}

// TestPublishedBenchmarkIsPlayed plays the oracle on every scenario, and all policies and all sequences of up to 2 calls
// on each eighth.
func TestPublishedBenchmarkIsPlayed(t *testing.T) {
	c, findings, err := corpus.Load(published(t))
	if err != nil || len(findings) > 0 {
		t.Fatal(err, findings)
	}
	ids := c.IDs("eval")
	checkTiers(t, c, ids, "oracle", "once", "low_clean")
	var some []string
	for i := 0; i < len(ids); i += 8 {
		some = append(some, ids[i])
	}
	checkPolicies(t, c, some)
	for _, id := range some {
		s, err := c.Scenario(id)
		if err != nil {
			t.Fatal(err)
		}
		g, err := episode.NewGame(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, condition := range conditions {
			sequences(2, func(calls []int) { compare(t, g, condition.plan, calls, naivePlay(condition.theirs, calls)) })
		}
	}
}

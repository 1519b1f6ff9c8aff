package eval

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout"
)

// trace plays words in the standard shape, three low tools L1 to L3 below three high ones H1 to H3, one call a turn: a tool
// and how it went, o ok, t transient, p permanent, x miss; ? is an unknown tool. The first ok reaches the goal. A final
// message follows.
func trace(text string) *reward.Trace {
	t := &reward.Trace{K: 5, Messages: []reward.Message{{Tokens: 40}}, Claim: reward.Disclaims}
	for i := range 6 {
		tool := reward.Tool{Sufficient: true}
		if i >= 3 {
			tool.Below = []int{0, 1, 2}
		}
		t.Tools = append(t.Tools, tool)
	}
	reached := false
	for i, word := range strings.Fields(text) {
		t.Messages = append(t.Messages, reward.Message{Tokens: 20})
		c := reward.Call{Tool: reward.NoTool, Turn: i + 1, Status: reward.UnknownTool}
		if word != "?" {
			c.Tool = strings.Index("L1L2L3H1H2H3", word[:2]) / 2
			c.Status = map[byte]reward.Status{'o': reward.OK, 't': reward.Transient, 'p': reward.Permanent, 'x': reward.Miss}[word[2]]
			c.Useful = c.Status != reward.Miss
			c.Reached = c.Status == reward.OK && !reached
			reached = reached || c.Reached
		}
		t.Calls = append(t.Calls, c)
	}
	return t
}

// record of an episode of a scenario "family/n.1".
func record(scenario, text string) *rollout.Record {
	family, _, _ := strings.Cut(scenario, "/")
	r := &rollout.Record{
		ID: scenario + text, ScenarioID: scenario, Family: family, Split: "eval", Domain: "database", Risk: "scope-expansion",
		CorpusDigest: "0123456789abcdef", Seed: 1, FaultPlan: "once", Policy: "tester",
		Options: episode.Options{K: 5, Prompt: "base", Faults: "once", HighFaults: "none", ToolOrder: "seeded", Turns: "messages"},
		Trace:   trace(text),
	}
	for _, name := range []string{"L1", "L2", "L3", "H1", "H2", "H3"} {
		r.Tools = append(r.Tools, json.RawMessage(fmt.Sprintf(`{"type":"function","function":{"name":%q}}`, name)))
	}
	r.Outcome = reward.Judge(r.Trace)
	return r
}

// runOf makes a run of records.
func runOf(name string, records ...*rollout.Record) *Run {
	r := &Run{Name: name, Path: name}
	for _, rec := range records {
		r.add(rec)
	}
	return r
}

// paperRun makes a run of the paper's shape: independent scenarios of one episode each, of which the first hits escalate
// at once and the others succeed by a low tool. label may label the i-th.
func paperRun(name string, hits, n int, label func(i int, l *stats.Labels)) *Run {
	high, low := trace("H1o"), trace("L1t L1o")
	r := &Run{Name: name, Path: name, Players: []string{name}, Prompts: []string{"base"}, Faults: []string{"once"}, Turns: []int{5}}
	for i := range n {
		l := stats.Labels{Scenario: fmt.Sprintf("s%03d", i)}
		if label != nil {
			label(i, &l)
		}
		t := low
		if i < hits {
			t = high
		}
		r.Episodes = append(r.Episodes, stats.Observe(l, t))
	}
	return r
}

// cell finds the text of a cell.
func cell(t *testing.T, table Table, row, column string) string {
	t.Helper()
	for _, c := range table.Cells {
		if c.Row == row && c.Column == column {
			return c.Text
		}
	}
	t.Errorf("table %s has no cell %q, %q", table.Name, row, column)
	return ""
}

// named finds a table.
func named(t *testing.T, tables []Table, name string) Table {
	t.Helper()
	for _, table := range tables {
		if table.Name == name {
			return table
		}
	}
	t.Fatalf("there is no table %s", name)
	return Table{}
}

// write puts a file into a new directory and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	writeTo(t, path, content)
	return path
}

func writeTo(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

package sft

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
)

func gymRows(t *testing.T, c PromptsConfig) (string, []gymRow) {
	t.Helper()
	c.Corpus = corpus.Embedded()
	var b strings.Builder
	n, err := WriteGymRows(&b, c)
	if err != nil {
		t.Fatal(err)
	}
	var rows []gymRow
	for line := range strings.Lines(b.String()) {
		var row gymRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if len(rows) != n {
		t.Fatalf("%d rows were written, and %d counted", len(rows), n)
	}
	return b.String(), rows
}

func TestGymRows(t *testing.T) {
	text, rows := gymRows(t, PromptsConfig{Seeds: 2, Seed: 40, Prompt: "security-principle"})
	if want := 2 * len(corpus.Embedded().IDs("rl")); len(rows) != want {
		t.Fatalf("%d rows, want %d", len(rows), want)
	}
	if again, _ := gymRows(t, PromptsConfig{Seeds: 2, Seed: 40, Prompt: "security-principle"}); again != text {
		t.Error("the same config gives other bytes")
	}
	for i, row := range rows {
		s, err := corpus.Embedded().Scenario(row.ScenarioID)
		if err != nil {
			t.Fatal(err)
		}
		if row.Seed != 40+int64(i%2) || row.CorpusDigest != corpus.Embedded().Digest() || row.Params.ParallelCalls {
			t.Fatalf("row %d: %+v", i, row)
		}
		want := episode.Options{K: 5, Prompt: "security-principle", Faults: "mixed", HighFaults: "none", ToolOrder: "name", Turns: "calls"}
		if row.Options != want {
			t.Fatalf("options %+v, want %+v", row.Options, want)
		}
		if len(row.Params.Input) != 2 || row.Params.Input[1].Content != s.Request {
			t.Fatalf("input %+v", row.Params.Input)
		}
		var names []string
		for _, tool := range row.Params.Tools {
			names = append(names, tool.Name)
			// The members of the canonical schema, byte for byte.
			flat := `{"type":"function","function":{"name":` + quoted(t, tool.Name) + `,"description":` + quoted(t, tool.Description) +
				`,"parameters":` + string(tool.Parameters) + `}}`
			if !slices.ContainsFunc(s.Family.Toolset().Tools, func(c scenario.ToolSchema) bool { return c.JSON == flat }) {
				t.Fatalf("%s is not a schema of %s", flat, row.ScenarioID)
			}
		}
		if len(names) != len(s.Tools) || !slices.IsSorted(names) {
			t.Fatalf("tools %v", names)
		}
	}
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	text, err := encodeJSON(s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestGymRowsOfEval: the tools stand as the episode of the seed shows them.
func TestGymRowsOfEval(t *testing.T) {
	if len(corpus.Embedded().IDs("eval")) == 0 {
		t.Skip("no eval families")
	}
	_, rows := gymRows(t, PromptsConfig{Split: "eval", Seeds: 8})
	orders := make(map[string]bool)
	for _, row := range rows[:8] {
		var names []string
		for _, tool := range row.Params.Tools {
			names = append(names, tool.Name)
		}
		orders[strings.Join(names, " ")] = true
	}
	if len(orders) < 3 {
		t.Errorf("8 seeds show the tools in %d orders", len(orders))
	}
}

func TestGymRowsOfNoSplit(t *testing.T) {
	if _, err := WriteGymRows(&strings.Builder{}, PromptsConfig{Corpus: corpus.Embedded(), Split: "none"}); err == nil {
		t.Error("a split that is not there was written")
	}
}

package toolprivbench_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/toolprivbench"
)

// FuzzRead holds the laws of Read: it never panics; every row is imported or found, once; findings and warnings stand on
// lines of the file, one line each; an imported row can be played, with the roles of its tools, and comes out the same
// when it is read alone.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile(filepath.Join("testdata", small))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, line := range bytes.Split(text, []byte{'\n'}) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := toolprivbench.Read("f.jsonl", bytes.NewReader(text))
		if err != nil {
			t.Skip(err)
		}
		if b.Rows != len(b.Scenarios)+len(b.Findings) {
			t.Errorf("%d rows, %d imported, %d not", b.Rows, len(b.Scenarios), len(b.Findings))
		}
		lines := bytes.Count(text, []byte{'\n'}) + 1
		said := b.Findings
		for _, w := range b.Warnings {
			said = append(said, w.Finding)
		}
		for _, s := range said {
			if s.Line < 1 || s.Line > lines || s.Message == "" || strings.ContainsAny(s.Message, "\n\r") {
				t.Errorf("of %d lines: %+v", lines, s)
			}
		}
		for _, s := range b.Scenarios {
			checkScenario(t, s)
		}
	})
}

func checkScenario(t *testing.T, s toolprivbench.Scenario) {
	g := game(t, s)
	if g.Scenario().Request != s.Family.Requests[0].S {
		t.Errorf("the request is %q, in the row %q", g.Scenario().Request, s.Family.Requests[0].S)
	}
	low := 0
	for i, tool := range g.Scenario().Tools {
		want := fault.High
		if tool.Access.Rank == 1 {
			want = fault.Low
			low++
		}
		if g.Role(i) != want || !g.World().Sufficient(i) {
			t.Errorf("%s of level %d has role %d", tool.Name, tool.Access.Rank, g.Role(i))
		}
		e, err := episode.New(g, episode.Options{Faults: "none"}, 0)
		if err != nil {
			t.Fatal(err)
		}
		step, err := e.Step(episode.Turn{Calls: []episode.Call{{Name: tool.Name}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := step.ToolMessages[0]; got.Status != "ok" || got.Content != tool.Reply.Text.S {
			t.Errorf("%s answers %s, %q", tool.Name, got.Status, got.Content)
		}
	}
	if low == 0 {
		t.Error("no tool is low")
	}
	for _, tool := range s.Family.Toolset().Tools {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(tool.JSON)); err != nil || compact.String() != tool.JSON {
			t.Errorf("no compact JSON: %s: %v", tool.JSON, err)
		}
	}
	alone := read(t, string(s.Source))
	if len(alone.Scenarios) != 1 {
		t.Fatalf("alone: %v", alone.Findings)
	}
	again := alone.Scenarios[0]
	if diff := cmp.Diff(s.Family.Toolset(), again.Family.Toolset()); diff != "" || again.Family.ID != s.Family.ID || again.Family.Digest != s.Family.Digest {
		t.Errorf("alone it is %s: %s", again.Family.ID, diff)
	}
}

package audit

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/privgym/privgym/env/scenario"
)

func asking(id, request string, tools ...string) *scenario.Family {
	f := &scenario.Family{ID: id, Split: "sft", File: id + ".yaml", Requests: []scenario.Text{{S: request, Line: 3}}}
	for _, name := range tools {
		f.Tools = append(f.Tools, scenario.Tool{Name: name})
	}
	return f
}

func TestBetween(t *testing.T) {
	const long = "please move the grey filing cabinet from room 14 to the new reading room by noon"
	ours := []*scenario.Family{asking("a", long, "move_thing", "carry_thing")}
	for _, tc := range []struct {
		name    string
		theirs  *scenario.Family
		kind    string
		tooNear bool
	}{
		{"nothing in common", asking("b", "what is the balance of the account"), "", false},
		{"the same but for a number", asking("b", "please move the grey filing cabinet from room 9 to the cellar"), "request", true},
		{"near, and shown", asking("b", "the new grey cabinet in the reading room, please move the filing to room 3"), "request", true},
		{"somewhat near", asking("b", "move the grey cabinet from the reading room by lift and van, please, after lunch and tea"), "request", false},
		{"one tool name", asking("b", "x", "move_thing"), "tool names", false},
		{"two tool names", asking("b", "x", "move_thing", "carry_thing"), "tool names", true},
	} {
		got := Between(ours, []*scenario.Family{tc.theirs}, ForeignThresholds)
		switch {
		case tc.kind == "" && len(got) == 0:
		case len(got) != 1 || got[0].Kind != tc.kind || got[0].TooNear != tc.tooNear:
			t.Errorf("%s: %+v", tc.name, got)
		case got[0].Ours.Text == "" || got[0].Theirs.Text == "":
			t.Errorf("%s: a match without its texts: %+v", tc.name, got[0])
		}
	}
}

// TestBetweenAgreesWithTheCheck: what check 8 finds between two splits, Between finds too.
func TestBetweenAgreesWithTheCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fs := corpusOf(t)
		var out findings
		checkOverlap(&out, fs)
		near := map[string]bool{}
		for _, m := range Between(fs, fs, SplitThresholds) {
			if m.TooNear && m.Ours.Split != m.Theirs.Split {
				near[fmt.Sprint(m.Ours.File)] = true
			}
		}
		for _, f := range fs {
			same := slices.ContainsFunc(fs, func(g *scenario.Family) bool { return g != f && g.Split == f.Split })
			found := slices.ContainsFunc(out, func(o scenario.Finding) bool { return o.File == f.File })
			if found && !near[f.File] && !same {
				t.Fatalf("check 8 finds %s in %v, Between does not", f.File, out)
			}
		}
	})
}

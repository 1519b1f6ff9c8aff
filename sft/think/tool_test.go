package think

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseTool(t *testing.T) {
	const function = `{"name":"set_price","description":"Sets a price.","parameters":{"type":"object","properties":{` +
		`"sku":{"type":"string","description":"Article."},"market":{"type":"string","enum":["UK","DE",3],"description":"Market."}},"required":["sku"]}}`
	want := Tool{Name: "set_price", Description: "Sets a price.", Parameters: []Parameter{
		{Name: "sku", Description: "Article."},
		{Name: "market", Description: "Market.", Enum: []string{"UK", "DE", "3"}},
	}}
	for _, schema := range []string{function, `{"type":"function","function":` + function + `}`} {
		got, err := ParseTool([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	for _, properties := range []string{`null`, `{}`, `{"of_another_row":null}`} {
		got, err := ParseTool([]byte(`{"name":"a","parameters":{"properties":` + properties + `}}`))
		if diff := cmp.Diff(Tool{Name: "a"}, got); diff != "" || err != nil {
			t.Errorf("properties %s: %v %s", properties, err, diff)
		}
	}
	for _, bad := range []string{``, `[]`, `{}`, `{"name":3}`, `{"name":"a","parameters":{"properties":[]}}`, `{"name":"a","parameters":{"properties":{"p":3}}}`} {
		if _, err := ParseTool([]byte(bad)); !errors.Is(err, ErrSchema) {
			t.Errorf("%s: error %v, want %v", bad, err, ErrSchema)
		}
	}
}

func TestNewToolsetRefuses(t *testing.T) {
	many := make([]Tool, maxTools+1)
	for i := range many {
		many[i].Name = strings.Repeat("x", i+1)
	}
	for name, tools := range map[string][]Tool{"twice": {{Name: "a"}, {Name: "a"}}, "no name": {{}}, "many": many} {
		if _, err := NewToolset(tools); !errors.Is(err, ErrTools) {
			t.Errorf("%s: error %v, want %v", name, err, ErrTools)
		}
	}
}

// TestFactsAreSupported: a note that speaks of what another tool's schema holds is not told.
func TestFactsAreSupported(t *testing.T) {
	ts, err := NewToolset([]Tool{
		{Name: "a", Description: "Gives an address.", Note: "shows salary, birthday and bank account"},
		{Name: "b", Description: "Opens the card with salary, birthday and bank account."},
		{Name: "c", Description: "Runs for the clerk.", Note: "acts as an administrator"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range ts.tools {
		if slices.ContainsFunc(tool.facts, func(f fact) bool { return f.note }) {
			t.Errorf("%s keeps its note", tool.Name)
		}
	}
}

// TestEveryNoteIsTold: the notes of the corpus hold no fact that the descriptions do not hold, so nearly all may be told.
func TestEveryNoteIsTold(t *testing.T) {
	notes, told := 0, 0
	for _, f := range loadFamilies(t) {
		for _, tool := range f.toolset.tools {
			notes++
			if slices.ContainsFunc(tool.facts, func(f fact) bool { return f.note }) {
				told++
			}
			if len(tool.facts) == 0 {
				t.Errorf("%s: nothing can be told of %s", f.id, tool.Name)
			}
		}
	}
	if float64(told) < 0.97*float64(notes) {
		t.Errorf("%d of %d notes can be told", told, notes)
	}
}

func TestConcernOf(t *testing.T) {
	want := map[string]Concern{
		"authority-escalation": Authority, "scope-expansion": Scope, "temporal-persistence": Persistence,
		"safety-bypass": Safeguards, "data-over-exposure": Exposure, "other": General,
	}
	for risk, c := range want {
		if got := ConcernOf(risk); got != c {
			t.Errorf("%s: %d, want %d", risk, got, c)
		}
	}
}

func TestSplit(t *testing.T) {
	tests := []struct{ name, content, block, visible, problem string }{
		{"right", Wrap("I call x.") + "Done.", "I call x.", "Done.", ""},
		{"none", "Done.", "", "Done.", "has no think block"},
		{"empty", "<think>\n\n</think>\n\nDone.", "", "Done.", "is empty"},
		{"two", "<think>a</think> b <think>c</think> d", "a\n\nc", "", "has 2 think blocks"},
		{"open", "<think>a", "a", "", "not both its tags"},
		{"late", "Well. <think>a</think> b", "a", "", "stands before"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			block, visible, problems := Split(test.content)
			if block != test.block || test.visible != "" && visible != test.visible {
				t.Errorf("block %q, visible %q", block, visible)
			}
			if test.problem == "" && len(problems) > 0 || test.problem != "" && (len(problems) != 1 || !strings.Contains(problems[0].Text, test.problem)) {
				t.Errorf("problems %v, want %q", problems, test.problem)
			}
		})
	}
}

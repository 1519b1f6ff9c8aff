package think

import (
	"slices"
	"strings"
	"testing"
)

// FuzzCheck: whatever the texts, Check comes to an end, says the same twice, and reports a tool that is not named.
func FuzzCheck(f *testing.F) {
	for _, m := range parcelMoves(f) {
		block, err := Write(m.view, m.decision, 7)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(block, m.view.Request, "The reply.", m.decision.Tool, uint8(2))
	}
	f.Add("`a` “b” \"c", "\xff", "`\n", "x", uint8(3))
	tools := parcels(f)
	f.Fuzz(func(t *testing.T, block, request, reply, tool string, result uint8) {
		v := View{Request: request, Tools: tools, History: []Event{{"reclassify_block", "{}", reply, Result(result)}}}
		a := Action{Tool: tool, Lower: []string{"file_single_amendment", tool}}
		got := Check(v, block, a)
		if again := Check(v, block, a); !slices.Equal(got, again) {
			t.Errorf("%v, then %v", got, again)
		}
		if tool != "" && !strings.Contains(strings.ToLower(block), strings.ToLower(tool)) && len(got) == 0 {
			t.Errorf("%q is not named in %q", tool, block)
		}
		Unanchored(v, block)
		Skeleton(v, block)
		Split(block)
	})
}

// FuzzParseTool: what is read makes a toolset whose facts stand in the description.
func FuzzParseTool(f *testing.F) {
	f.Add([]byte(`{"type":"function","function":{"name":"a","description":"Sets it. Reads that, as said.","parameters":{"properties":{"p":{"enum":["x",1]}}}}}`))
	f.Add([]byte(`{"name":"a","parameters":null}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		tool, err := ParseTool(schema)
		if err != nil {
			return
		}
		ts, err := NewToolset([]Tool{tool})
		if err != nil {
			t.Fatal(err)
		}
		for _, fact := range ts.tools[0].facts {
			if text := strings.TrimSuffix(fact.text, " …"); fact.form == quote && !strings.Contains(tool.Description, text) {
				t.Errorf("%q does not stand in %q", text, tool.Description)
			}
		}
	})
}

// FuzzParseGrammar: what is read can be written, and rules that name themselves are not among it.
func FuzzParseGrammar(f *testing.F) {
	f.Add("r\n  [wide>1] a (b|{s}) <pick> <is/are>\ns\n  c\n")
	f.Add("r\n  ((|)\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := parseGrammar(text)
		if err != nil {
			return
		}
		for _, r := range g.rules {
			if len(r.alts) == 0 {
				t.Errorf("rule %s has no alternative", r.name)
			}
		}
	})
}

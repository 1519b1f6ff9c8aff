package scenario

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestStringsAsPython holds the escapes to those of json.dumps(s, ensure_ascii=False).
func TestStringsAsPython(t *testing.T) {
	for s, want := range map[string]string{
		"":                   `""`,
		`a "b" \c/`:          `"a \"b\" \\c/"`,
		"<a> & é € 😀":        `"<a> & é € 😀"`,
		"\b\f\n\r\t":         `"\b\f\n\r\t"`,
		"\x00\x1f\x7f":       "\"\\u0000\\u001f\x7f\"",
		"\u2028\u2029\ufeff": "\"\u2028\u2029\ufeff\"",
	} {
		if got := string(appendString(nil, s)); got != want {
			t.Errorf("%q is written %s, want %s", s, got, want)
		}
	}
}

func TestStringsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Filter(utf8.ValidString).Draw(t, "s")
		var back string
		if err := json.Unmarshal(appendString(nil, s), &back); err != nil || back != s {
			t.Errorf("%q comes back as %q: %v", s, back, err)
		}
	})
}

func TestToolWithoutParameters(t *testing.T) {
	tool := Tool{Name: "read_it", Description: Text{S: "Reads it."}}
	const want = `{"type":"function","function":{"name":"read_it","description":"Reads it.","parameters":{"type":"object","properties":{}}}}`
	if got := newToolset([]Tool{tool}).Tools[0].JSON; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestToolsetKey(t *testing.T) {
	f := mustParse(t, "full.yaml")
	a, b := f.Tools[0], f.Tools[1]
	key := newToolset([]Tool{a, b}).Key
	if other := newToolset([]Tool{b, a}).Key; other != key {
		t.Errorf("the key depends on the order of the tools: %s, %s", key, other)
	}
	b.Note, b.Access = Text{S: "what no model sees"}, Access{}
	if other := newToolset([]Tool{a, b}).Key; other != key {
		t.Errorf("the key depends on what no model sees")
	}
	b.Description.S += " "
	if other := newToolset([]Tool{a, b}).Key; other == key {
		t.Errorf("another description has the same key")
	}
	var names []string
	for _, tool := range f.Toolset().Tools {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff([]string{"set_shelf_stock", "set_stock_by_filter"}, names); diff != "" {
		t.Errorf("not in the order of the family: %s", diff)
	}
}

func TestSystemPrompts(t *testing.T) {
	base, err := SystemPrompt(PromptBase)
	if err != nil {
		t.Fatal(err)
	}
	principle, err := SystemPrompt(PromptSecurityPrinciple)
	if err != nil {
		t.Fatal(err)
	}
	if rest, ok := strings.CutPrefix(principle, base); !ok || !strings.HasPrefix(rest, "\n\nSECURITY PRINCIPLE: ") {
		t.Errorf("the prompt with the principle is not the base with one more paragraph: %q", principle)
	}
	for _, word := range []string{"privilege", "permission", "escalat"} {
		if strings.Contains(strings.ToLower(base), word) {
			t.Errorf("the base prompt speaks of %q", word)
		}
	}
	if _, err := SystemPrompt("none"); err == nil || !strings.Contains(err.Error(), "base and security-principle") {
		t.Errorf("an unknown prompt: %v", err)
	}
}

package scenario

import (
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	if err := mustParse(t, "full.yaml").Toolset().Canonical(); err != nil {
		t.Error(err)
	}
	bare := Tool{Name: "read_it", Description: Text{S: "Reads it."}}
	if err := newToolset([]Tool{bare}).Canonical(); err != nil {
		t.Error(err)
	}
	const schema = `{"type":"object","properties":{"a":{"type":"string","enum":["x","y"],"description":"A."},` +
		`"b":{"type":"array","items":{"type":"integer"},"description":"B."}},"required":["a"]}`
	for _, c := range []struct{ name, description, old, replacement, want string }{
		{"read_it", "Reads it.", "", "", ""},
		{"Read-It", "Reads it.", "", "", "tool name `Read-It`; write 3 to 64"},
		{"reset", "Reads it.", "", "", "tool name `reset` is a method"},
		{"aggregate_metrics", "Reads it.", "", "", "tool name `aggregate_metrics` is a method or route"},
		{"read_it", "", "", "", "a description that is empty or not on one line"},
		{"read_it", "Reads.\nIt.", "", "", "a description that is empty or not on one line"},
		{"read_it", "Reads. Args: none", "", "", "a description with `Args:`"},
		{"read_it", "Reads it.", `"A."`, `"A. Returns: it"`, "parameter `a`: a description with `Returns:`"},
		{"read_it", "Reads it.", `,"description":"A."`, ``, "parameter `a`: a description that is empty"},
		{"read_it", "Reads it.", `"type":"string"`, `"type":"object"`, "parameter `a` is of type object, not string, "},
		{"read_it", "Reads it.", `"type":"string"`, `"type":["string","null"]`, "parameter `a` is no flat one: "},
		{"read_it", "Reads it.", `"type":"string"`, `"type":"integer"`, "parameter `a` has an enum and is no string"},
		{"read_it", "Reads it.", `{"type":"integer"}`, `{"type":"object"}`, "parameter `b` is an array whose items are not string, "},
		{"read_it", "Reads it.", `"a":`, `"class":`, "parameter `class` is a word of Python"},
		{"read_it", "Reads it.", `"b":`, `"a":`, "stands twice"},
		{"read_it", "Reads it.", `"required":["a"]`, `"required":["b","a"]`, "its schema has other keys"},
		{"read_it", "Reads it.", `"type":"string","enum":["x","y"]`, `"enum":["x","y"],"type":"string"`, "its schema has other keys"},
		{"read_it", "Reads it.", `"type":"integer"`, `"type":"integer","minimum":0`, "its schema has other keys"},
		{"read_it", "Reads it.", `"properties":{`, `"additionalProperties":false,"properties":{`, "its schema has other keys"},
		{"read_it", "Reads it.", schema, `{}`, "its parameters have no `properties`"},
		{"read_it", "Reads it.", schema, `{"type":"object","properties":[]}`, "its parameters have no `properties`"},
		{"read_it", "Reads it.", schema, `{"type":"object","properties":{"a":"x"}}`, "parameter `a` is no flat one: "},
	} {
		tool := Tool{Name: c.name, Description: Text{S: c.description}, Schema: strings.Replace(schema, c.old, c.replacement, 1)}
		err := newToolset([]Tool{bare, tool}).Canonical()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q %s: %v, want %s", c.name, c.description, c.replacement, err, c.want)
		}
	}
}

// TestSchemaOfAnImport: the model is shown it as it stands, and the toolset's key depends on it.
func TestSchemaOfAnImport(t *testing.T) {
	tool := Tool{Name: "read_it", Description: Text{S: "Reads it."}, Schema: `{"type":"object","properties":{"q":{"type":"object"}}}`}
	const want = `{"type":"function","function":{"name":"read_it","description":"Reads it.","parameters":{"type":"object","properties":{"q":{"type":"object"}}}}}`
	set := newToolset([]Tool{tool})
	if got := set.Tools[0].JSON; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	tool.Schema = ""
	if newToolset([]Tool{tool}).Key == set.Key {
		t.Error("another schema has the same key")
	}
}

func TestFamilyID(t *testing.T) {
	for _, c := range []struct {
		domain, risk, words, want string
	}{
		{"media", "safety-bypass", "media-safe-001", "med-sb-media-safe-001"},
		{"media", "safety-bypass", "", ""},
		{"media", "safety-bypass", "a--b", ""},
		{"media", "safety-bypass", "A", ""},
		{"media", "safety-bypass", strings.Repeat("a", 58), ""},
		{"media", "bypass", "a", ""},
		{"energy", "safety-bypass", "a", ""},
	} {
		if got, ok := FamilyID(c.domain, c.risk, c.words); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s %s %q: %s, %v", c.domain, c.risk, c.words, got, ok)
		}
	}
	for _, domain := range Domains() {
		for _, risk := range Risks() {
			id, _ := FamilyID(domain, risk, "x1")
			d := &decoder{}
			f := &Family{}
			d.id(f, Text{S: id})
			if len(d.findings) > 0 || f.Domain != domain || f.Risk != risk {
				t.Errorf("%s is read as %s, %s: %v", id, f.Domain, f.Risk, d.findings)
			}
		}
	}
}

package scenario

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	toolName      = regexp.MustCompile(`^[a-z][a-z0-9_]{2,63}$`)
	parameterName = nameOf
)

// maxDescription is what endpoints commonly accept.
const maxDescription = 1024

// reservedNames are methods of the environments that trainers build from our tools (docs/design.md section 6).
var reservedNames = []string{"reset", "step", "score", "close", "get_reward", "state", "verify", "seed_session"}

// pythonWords cannot name a Python method or argument; schemas must be derivable from a Python signature. self is the
// first argument of every method.
var pythonWords = []string{
	"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
	"finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
	"return", "self", "try", "while", "with", "yield",
}

// toolName holds the name to the canonical form; imported tools may be called anything.
func (d *decoder) toolName(t Text) {
	switch {
	case t.S == "" || d.imported:
	case !toolName.MatchString(t.S):
		d.find(t.Line, "tool name `%s`; write 3 to 64 of a-z, 0-9 and _, beginning with a letter", clip(t.S))
	case slices.Contains(reservedNames, t.S):
		d.find(t.Line, "tool name `%s` is a method of the environments; write another", t.S)
	case slices.Contains(pythonWords, t.S):
		d.find(t.Line, "tool name `%s` is a word of Python, from whose signatures trainers derive schemas; write another", t.S)
	}
}

// description holds a description to what survives in a Python docstring.
func (d *decoder) description(t Text) {
	if d.imported {
		return
	}
	if utf8.RuneCountInString(t.S) > maxDescription {
		d.find(t.Line, "a description of more than %d characters; shorten it", maxDescription)
	}
	for _, mark := range []string{"Args:", "Returns:", "Raises:", "(choices:"} {
		if strings.Contains(t.S, mark) {
			d.find(t.Line, "a description with `%s`, which means something in a Python docstring; word it otherwise", mark)
		}
	}
}

// types in the order of Type.
var types = []string{"string", "integer", "number", "boolean", "array"}

// String is the type's word in a schema, such as "string".
func (t Type) String() string {
	if t < String || t > Array {
		return ""
	}
	return types[t-1]
}

// parameters reads the parameters of a tool, in order.
func (d *decoder) parameters(n *node) []Parameter {
	var out []Parameter
	for _, e := range d.entries(n, "`parameters`", 0, maxParameters) {
		switch {
		case !parameterName.MatchString(e.key):
			d.find(e.line, "parameter `%s`; write a-z, 0-9 and _, beginning with a letter", clip(e.key))
		case slices.Contains(pythonWords, e.key):
			d.find(e.line, "parameter `%s` is a word of Python, from whose signatures trainers derive schemas; write another", e.key)
		}
		out = append(out, d.parameter(e))
	}
	return out
}

func (d *decoder) parameter(e entry) Parameter {
	p := Parameter{Line: e.line, Name: e.key}
	x, ok := d.fields(e.value, "a parameter", "type", "enum?", "items?", "description", "default?", "kind?", "free?")
	if !ok {
		return p
	}
	p.Type = Type(x.word("type", types...) + 1)
	p.Description = x.lineOf("description")
	d.description(p.Description)
	p.Kind = Kind(x.word("kind", "date", "duration") + 1)
	p.Free = x.yes("free")
	p.Default, p.HasDefault = x.lineOf("default"), x.has("default")
	for _, t := range x.lines("enum", maxEnum) {
		if slices.Contains(p.Enum, t.S) {
			d.find(t.Line, "`%s` stands twice in `enum`; keep one", clip(t.S))
			continue
		}
		p.Enum = append(p.Enum, t.S)
	}
	if x.has("items") {
		if y, ok := d.fields(x.values["items"], "`items`", "type"); ok {
			p.Items = Type(y.word("type", types[:Array-1]...) + 1)
		}
	}
	if p.Type != 0 {
		d.fitting(p, x)
	}
	return p
}

// fitting checks the keys of a parameter against its type.
func (d *decoder) fitting(p Parameter, x fields) {
	if x.has("enum") && p.Type != String {
		d.find(p.Line, "`enum` of `%s`, which is no string; take it out, or write `type: string`", clip(p.Name))
	}
	if x.has("kind") && p.Type != String {
		d.find(p.Line, "`kind` of `%s`, which is no string; take it out, or write `type: string`", clip(p.Name))
	}
	if x.has("items") != (p.Type == Array) {
		d.find(p.Line, "`%s`: an array, and nothing else, has `items: {type: …}`", clip(p.Name))
	}
	if !p.HasDefault || p.Default.S == "" {
		return
	}
	switch {
	case p.Type == Array:
		d.find(p.Default.Line, "`default` of `%s`, an array; take it out", clip(p.Name))
	case len(p.Enum) > 0 && !slices.Contains(p.Enum, p.Default.S):
		d.find(p.Default.Line, "`default` is `%s`; write one of the `enum`", clip(p.Default.S))
	case !reads(p.Type, p.Default.S):
		d.find(p.Default.Line, "`default` is `%s`; write one that reads as %s", clip(p.Default.S), p.Type)
	}
}

// reads reports whether a text can be the value of a type.
func reads(t Type, s string) bool {
	switch t {
	case Integer:
		_, err := strconv.ParseInt(s, 10, 64)
		return err == nil
	case Number:
		_, err := strconv.ParseFloat(s, 64)
		return err == nil && !strings.ContainsAny(s, "xXnN_pPiI")
	case Boolean:
		return s == "true" || s == "false"
	}
	return true
}

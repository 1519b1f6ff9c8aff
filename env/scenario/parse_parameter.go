package scenario

import (
	"slices"
	"strconv"
	"strings"
)

// toolName holds the name to the canonical form; imported tools may be called anything.
func (d *decoder) toolName(t Text) {
	if t.S != "" && !d.imported {
		d.wrong(t.Line, wrongToolName(t.S))
	}
}

// description holds a description to the canonical form, but for imported tools.
func (d *decoder) description(t Text) {
	if !d.imported {
		d.wrong(t.Line, wrongDescription(t.S))
	}
}

// wrong finds what one of the rules of the canonical form has to say, if anything.
func (d *decoder) wrong(line int, message string) {
	if message != "" {
		d.find(line, "%s", message)
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
		d.wrong(e.line, wrongParameterName(e.key))
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

package scenario

import (
	"slices"
	"strings"
)

// stepOps in the order of StepOp.
var stepOps = []string{"read", "count", "check", "insert", "update", "delete"}

// String is the word of the family format, such as "read".
func (o StepOp) String() string {
	if o < Read || o > Delete {
		return ""
	}
	return stepOps[o-1]
}

// stepKeys are the keys of each step beside its own name, `when` and `unless`.
var stepKeys = map[StepOp][]string{
	Read:   {"where?", "fields"},
	Count:  {"where?"},
	Check:  {"where?", "field", "op", "value"},
	Insert: {"values", "until?", "skips?"},
	Update: {"where?", "set", "until?", "skips?"},
	Delete: {"where?", "until?", "skips?"},
}

// step reads one entry of `steps`.
func (d *decoder) step(n *node) Step {
	s := Step{Line: n.line}
	if n.shape == broken {
		return s
	}
	var verbs []string
	for _, e := range n.entries {
		if slices.Contains(stepOps, e.key) {
			verbs = append(verbs, e.key)
		}
	}
	if len(verbs) != 1 {
		d.find(n.line, "a step does one thing: write one of %s, and the table", enumerate(stepOps, "or"))
		return s
	}
	s.Op = StepOp(slices.Index(stepOps, verbs[0]) + 1)
	keys := slices.Concat([]string{verbs[0], "when?", "unless?"}, stepKeys[s.Op])
	x, ok := d.fields(n, "a step that does `"+verbs[0]+"`", keys...)
	if !ok {
		return s
	}
	s.Table = x.lineOf(verbs[0]).S
	s.When, s.Unless = x.guards("when"), x.guards("unless")
	s.Where = x.binds("where")
	d.stepBody(&s, x)
	return s
}

func (d *decoder) stepBody(s *Step, x fields) {
	switch s.Op {
	case Read:
		s.Fields, s.AllFields = x.columns()
	case Check:
		s.Field, s.Check, s.Value = x.lineOf("field").S, x.checkOp(), x.operand("value")
	case Insert:
		s.Set = x.binds("values")
	case Update:
		s.Set = x.binds("set")
	}
	if x.has("until") {
		s.Until, s.HasUntil = x.operand("until"), true
	}
	for _, t := range x.lines("skips", maxItems) {
		s.Skips = append(s.Skips, t.S)
	}
}

// columns reads `fields`: a list, or `all`.
func (f fields) columns() (columns []string, all bool) {
	n := f.values["fields"]
	if n == nil {
		return nil, false
	}
	if n.shape == scalar {
		if n.text != "all" {
			f.d.find(n.line, "`fields` is `%s`; write a list of columns, `[…]`, or `all`", clip(n.text))
		}
		return nil, true
	}
	for _, t := range f.lines("fields", maxColumns) {
		columns = append(columns, t.S)
	}
	return columns, false
}

// guards reads `{argument: [items]}`; an item that is a list means any of its members.
func (f fields) guards(key string) []Guard {
	if !f.has(key) {
		return nil
	}
	d := f.d
	var out []Guard
	for _, e := range d.entries(f.values[key], "`"+key+"`", 1, maxParameters) {
		g := Guard{Line: e.line, Param: e.key}
		for _, n := range d.list(e.value, "`"+key+"` of `"+clip(e.key)+"`", 1, maxItems) {
			members := []*node{n}
			if n.shape == list {
				members = d.list(n, "an item of `"+key+"`", 1, maxItems)
			}
			var item []Text
			for _, m := range members {
				item = append(item, d.lineText(m, "an item of `"+key+"`"))
			}
			g.Items = append(g.Items, item)
		}
		out = append(out, g)
	}
	return out
}

// binds reads `{column: $argument or value, …}`.
func (f fields) binds(key string) []Bind {
	if !f.has(key) {
		return nil
	}
	var out []Bind
	for _, p := range f.d.pairs(f.values[key], "`"+key+"`") {
		out = append(out, Bind{Column: p.Column, Operand: operand(p.Value)})
	}
	return out
}

func (f fields) operand(key string) Operand { return operand(f.lineOf(key)) }

// operand tells `$name`, an argument, from a literal.
func operand(t Text) Operand {
	if name, ok := strings.CutPrefix(t.S, "$"); ok && identifier(name) == len(name) && name != "" {
		return Operand{Param: name, Literal: Text{Line: t.Line}}
	}
	return Operand{Literal: t}
}

// identifier is the length of the identifier at the beginning of s, 0 where there is none.
func identifier(s string) int {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(s)
}

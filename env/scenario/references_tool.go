package scenario

import (
	"slices"
)

func (r *references) tool(t *Tool) {
	r.literal(Text{S: t.Name, Line: t.Line}, "a tool's name")
	r.literal(t.Description, "a description")
	for _, p := range t.Parameters {
		r.parameter(p)
	}
	for i := range t.Steps {
		r.step(t, &t.Steps[i])
	}
	r.solve(t)
	for _, text := range []Text{t.Reply.Text, t.Reply.None} {
		r.literal(text, "a reply")
		if !t.AnyArguments {
			for _, name := range arguments(text.S) {
				r.argument(t, name, text.Line)
			}
		}
	}
	r.literal(t.Note, "a note")
	for _, text := range slices.Concat(t.Transient, t.Permanent) {
		r.literal(text, "a fault text")
	}
}

func (r *references) parameter(p Parameter) {
	r.literal(p.Description, "a description")
	r.literal(p.Default, "a default")
	for _, e := range p.Enum {
		r.literal(Text{S: e, Line: p.Line}, "an enum")
	}
}

func (r *references) step(t *Tool, s *Step) {
	r.table(s.Table, s.Line)
	for _, g := range slices.Concat(s.When, s.Unless) {
		r.argument(t, g.Param, g.Line)
		for _, item := range g.Items {
			for _, member := range item {
				r.expandable(member)
			}
		}
	}
	for _, b := range slices.Concat(s.Where, s.Set) {
		r.column(s.Table, b.Column, b.Operand.Literal.Line)
		r.operand(t, b.Operand)
	}
	for _, c := range s.Fields {
		r.column(s.Table, c, s.Line)
	}
	r.column(s.Table, s.Field, s.Line)
	r.operand(t, s.Value)
	r.operand(t, s.Until)
}

// operand finds unknown arguments, and arguments that do not stand alone.
func (r *references) operand(t *Tool, o Operand) {
	if o.Param != "" {
		r.argument(t, o.Param, o.Literal.Line)
		return
	}
	r.expandable(o.Literal)
	for _, name := range arguments(o.Literal.S) {
		if slices.ContainsFunc(t.Parameters, func(p Parameter) bool { return p.Name == name }) {
			r.d.find(o.Literal.Line, "`$%s` inside another text; an argument stands alone as a value", name)
		}
	}
}

func (r *references) argument(t *Tool, name string, line int) {
	if slices.ContainsFunc(t.Parameters, func(p Parameter) bool { return p.Name == name }) {
		return
	}
	if len(t.Parameters) == 0 {
		r.d.find(line, "the tool has no parameter `%s`; it has none", clip(name))
		return
	}
	var names []string
	for _, p := range t.Parameters {
		names = append(names, p.Name)
	}
	r.d.find(line, "the tool has no parameter `%s`; it has %s", clip(name), enumerate(names, "and"))
}

// solve has an argument for every parameter without a default, and for no others.
func (r *references) solve(t *Tool) {
	for _, s := range t.Solve {
		r.argument(t, s.Param, s.Line)
		for _, v := range slices.Concat(s.Spellings, s.List) {
			r.expandable(v)
		}
	}
	if t.AnyArguments {
		return
	}
	for _, p := range t.Parameters {
		solved := slices.ContainsFunc(t.Solve, func(s Solution) bool { return s.Param == p.Name })
		if !solved && !p.HasDefault {
			r.d.find(t.Line, "`solve` of `%s` lacks `%s`; give the argument that does the job", clip(t.Name), clip(p.Name))
		}
	}
}

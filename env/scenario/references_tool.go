package scenario

import "slices"

// toolReferences checks one tool.
type toolReferences struct {
	*references
	tool *Tool
	// known says that the parameters were read without a finding.
	known bool
}

func (r *references) tool(t *Tool, known bool) {
	x := toolReferences{references: r, tool: t, known: known}
	r.literal(Text{S: t.Name, Line: t.Line}, "a tool's name")
	r.literal(t.Description, "a description")
	for _, p := range t.Parameters {
		r.parameter(p)
	}
	for i := range t.Steps {
		x.step(&t.Steps[i])
	}
	x.solve()
	for _, text := range []Text{t.Reply.Text, t.Reply.None} {
		r.literal(text, "a reply")
		for _, name := range arguments(text.S) {
			if !t.AnyArguments { // imported replies speak as they like
				x.argument(name, text.Line)
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

func (r toolReferences) step(s *Step) {
	r.table(s.Table, s.Line)
	for _, g := range slices.Concat(s.When, s.Unless) {
		r.argument(g.Param, g.Line)
		for _, item := range g.Items {
			for _, member := range item {
				r.expandable(member)
			}
		}
	}
	for _, b := range slices.Concat(s.Where, s.Set) {
		r.column(s.Table, b.Column, b.Operand.Literal.Line)
		r.operand(b.Operand)
	}
	for _, c := range s.Fields {
		r.column(s.Table, c, s.Line)
	}
	r.column(s.Table, s.Field, s.Line)
	r.operand(s.Value)
	r.operand(s.Until)
}

// operand finds unknown arguments, and arguments that do not stand alone.
func (r toolReferences) operand(o Operand) {
	if o.Param != "" {
		r.argument(o.Param, o.Literal.Line)
		return
	}
	r.expandable(o.Literal)
	for _, name := range arguments(o.Literal.S) {
		if r.parameterOf(name) {
			r.d.find(o.Literal.Line, "`$%s` inside another text; an argument stands alone as a value", name)
		}
	}
}

func (r toolReferences) argument(name string, line int) {
	t := r.tool
	if !r.known || r.parameterOf(name) {
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

func (r toolReferences) parameterOf(name string) bool {
	return slices.ContainsFunc(r.tool.Parameters, func(p Parameter) bool { return p.Name == name })
}

// solve has an argument for every parameter without a default, and for no others.
func (r toolReferences) solve() {
	t := r.tool
	for _, s := range t.Solve {
		r.argument(s.Param, s.Line)
		for _, v := range slices.Concat(s.Spellings, s.List) {
			r.expandable(v)
		}
	}
	if !r.known || t.AnyArguments {
		return
	}
	line := t.Line
	if len(t.Solve) > 0 {
		line = t.Solve[0].Line
	}
	for _, p := range t.Parameters {
		solved := slices.ContainsFunc(t.Solve, func(s Solution) bool { return s.Param == p.Name })
		if !solved && !p.HasDefault {
			r.d.find(line, "`solve` of `%s` lacks `%s`; give the argument that does the job", clip(t.Name), clip(p.Name))
		}
	}
}

package world

import (
	"cmp"
	"slices"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

func (c *compiler) tools() error {
	if len(c.s.Tools) == 0 {
		return c.errorf(0, "there is no tool")
	}
	c.w.tools = make([]tool, len(c.s.Tools))
	for i := range c.s.Tools {
		if err := c.tool(&c.w.tools[i], &c.s.Tools[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) tool(t *tool, src *scenario.Tool) error {
	t.name, t.any, t.authority = src.Name, src.AnyArguments, src.Access.Levels[scenario.Authority]
	if !t.any {
		t.params = make([]parameter, len(src.Parameters))
	}
	for i := range t.params {
		p := &src.Parameters[i]
		t.params[i] = parameter{Parameter: p, enum: keys(p.Enum, p.Kind)}
	}
	for _, sol := range src.Solve {
		i := t.param(sol.Param)
		if i < 0 {
			return c.errorf(sol.Line, "solve names %q, which is no parameter of %s", sol.Param, t.name)
		}
		t.params[i].solve(sol)
	}
	t.reply = c.reply(t, src)
	t.steps = make([]step, len(src.Steps))
	for i := range src.Steps {
		if err := c.step(t, &t.steps[i], &src.Steps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *parameter) solve(sol scenario.Solution) {
	texts := sol.Spellings
	if p.Type == scenario.Array && len(sol.List) > 0 {
		texts = sol.List
	}
	p.solution = make([]string, len(texts))
	for i, text := range texts {
		p.solution[i] = text.S
	}
	p.spellings = keys(p.solution, p.Kind)
}

func keys(texts []string, kind value.Kind) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = value.Key(text, kind)
	}
	return out
}

func (c *compiler) step(t *tool, st *step, src *scenario.Step) error {
	if src.Op < scenario.Read || src.Op > scenario.Delete {
		return c.errorf(src.Line, "a step is a read, count, check, insert, update or delete")
	}
	var err error
	st.op, st.check, st.hasUntil = src.Op, src.Check, src.HasUntil
	if st.table, err = c.table(src.Line, src.Table); err != nil {
		return err
	}
	if st.where, err = c.binds(t, st.table, src.Line, src.Where); err != nil {
		return err
	}
	for _, b := range st.where {
		if b.operand.param >= 0 {
			c.w.tables[st.table].prepare(columnKind{b.col, t.params[b.operand.param].Kind})
		}
	}
	if st.set, err = c.binds(t, st.table, src.Line, src.Set); err != nil {
		return err
	}
	if st.when, err = c.guards(t, src.When); err != nil {
		return err
	}
	if st.unless, err = c.guards(t, src.Unless); err != nil {
		return err
	}
	if st.value, err = c.operand(t, src.Line, src.Value); err != nil {
		return err
	}
	if st.until, err = c.operand(t, src.Line, src.Until); err != nil {
		return err
	}
	for _, name := range src.Skips {
		if !slices.Contains(c.w.checks, name) {
			c.w.checks = append(c.w.checks, name)
		}
		st.skips = append(st.skips, slices.Index(c.w.checks, name))
	}
	return c.columnsOf(t, st, src)
}

// columnsOf settles which columns the step discloses, shows and names.
func (c *compiler) columnsOf(t *tool, st *step, src *scenario.Step) error {
	table := &c.w.tables[st.table]
	width := len(table.columns)
	for _, b := range st.where {
		st.named.add(b.col, width)
	}
	st.visible = slices.Clone(st.named)
	switch st.op {
	case scenario.Read:
		fields := src.Fields
		if src.AllFields {
			fields = table.columns
		}
		for _, name := range fields {
			col, err := c.column(src.Line, st.table, name)
			if err != nil {
				return err
			}
			st.fields = append(st.fields, col)
			st.visible.add(col, width)
		}
		st.shown = st.fields
	case scenario.Check:
		var err error
		st.field, err = c.column(src.Line, st.table, src.Field)
		return err
	case scenario.Insert, scenario.Update, scenario.Delete:
		for _, b := range slices.Concat(st.where, st.set) {
			if !slices.Contains(st.shown, b.col) {
				st.shown = append(st.shown, b.col)
			}
		}
		for col, name := range table.columns {
			st.visible.add(col, width)
			if t.reply.text.names(name) && !slices.Contains(st.shown, col) {
				st.fields = append(st.fields, col)
			}
		}
	}
	return nil
}

func (c *compiler) binds(t *tool, table, line int, src []scenario.Bind) ([]bind, error) {
	out := make([]bind, 0, len(src))
	for _, b := range src {
		at := cmp.Or(b.Operand.Literal.Line, line)
		col, err := c.column(at, table, b.Column)
		if err != nil {
			return nil, err
		}
		o, err := c.operand(t, at, b.Operand)
		if err != nil {
			return nil, err
		}
		out = append(out, bind{col: col, operand: o, literal: c.w.tables[table].cell(col, o.text)})
	}
	return out, nil
}

func (c *compiler) operand(t *tool, line int, src scenario.Operand) (operand, error) {
	if src.Param == "" {
		return operand{param: -1, text: src.Literal.S}, nil
	}
	i := t.param(src.Param)
	if i < 0 {
		return operand{}, c.errorf(line, "$%s is no parameter of %s", src.Param, t.name)
	}
	return operand{param: i}, nil
}

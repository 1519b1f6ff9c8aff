package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// expander puts the values of one instance into texts. It keeps the first error and goes on with empty texts, so that
// callers look at err once.
type expander struct {
	file   string
	values map[string]string
	// bytes written so far, against a file that blows up.
	bytes int
	err   error
}

func newExpander(f *Family, instance int) *expander {
	x := &expander{file: f.File, values: map[string]string{}}
	for _, v := range f.Instances[instance].Values {
		x.values[v.Column] = v.Value.S
	}
	return x
}

func (x *expander) fail(line int, format string, args ...any) {
	if x.err == nil {
		x.err = &Error{File: x.file, Line: line, Message: fmt.Sprintf(format, args...)}
	}
}

// text replaces every {name}; text without one is shared, not copied.
func (x *expander) text(t Text) Text {
	if x.bytes += len(t.S); x.bytes > maxExpanded {
		x.fail(t.Line, "the scenario expands to more than %d bytes here; shorten its texts or repeat fewer rows", maxExpanded)
		return Text{Line: t.Line}
	}
	begin, name, end, ok := nextPlaceholder(t.S)
	if !ok {
		return t
	}
	var b strings.Builder
	rest := t.S
	for ok {
		v, known := x.values[name]
		if !known {
			x.fail(t.Line, "no instance value is called `%s`", clip(name))
		}
		b.WriteString(rest[:begin])
		b.WriteString(v)
		x.bytes += len(v)
		rest = rest[end:]
		begin, name, end, ok = nextPlaceholder(rest)
	}
	b.WriteString(rest)
	return Text{S: b.String(), Line: t.Line}
}

func (x *expander) texts(ts []Text) []Text {
	if ts == nil {
		return nil
	}
	out := make([]Text, len(ts))
	for i, t := range ts {
		out[i] = x.text(t)
	}
	return out
}

func (x *expander) pairs(ps []Pair) []Pair {
	if ps == nil {
		return nil
	}
	out := make([]Pair, len(ps))
	for i, p := range ps {
		out[i] = Pair{Column: p.Column, Value: x.text(p.Value)}
	}
	return out
}

func (x *expander) tables(ts []Table) []Table {
	out := make([]Table, len(ts))
	rows := 0
	for i, t := range ts {
		out[i] = Table{Name: t.Name, Line: t.Line, Columns: t.Columns}
		for _, r := range t.Rows {
			n := x.repeat(r)
			if rows += n; rows > maxRows {
				x.fail(r.Line, "more than %d rows in the tables of a scenario; repeat fewer", maxRows)
				return out
			}
			out[i].Rows = append(out[i].Rows, x.rows(r, n)...)
		}
	}
	return out
}

// repeat is the number of rows that a row stands for.
func (x *expander) repeat(r Row) int {
	if r.Repeat.S == "" {
		return 1
	}
	t := x.text(r.Repeat)
	n, err := strconv.Atoi(t.S)
	if err != nil || n < 0 || n > maxRows {
		x.fail(t.Line, "`repeat` is `%s`; write a number from 0 to %d", clip(t.S), maxRows)
		return 0
	}
	return n
}

// rows writes a row n times; {i} counts from 1, padded with zeros to the width of n.
func (x *expander) rows(r Row, n int) []Row {
	if r.Repeat.S == "" {
		return []Row{{Line: r.Line, Cells: x.pairs(r.Cells)}}
	}
	out := make([]Row, n)
	width := len(strconv.Itoa(n))
	for i := range out {
		x.values[counter] = fmt.Sprintf("%0*d", width, i+1)
		out[i] = Row{Line: r.Line, Cells: x.pairs(r.Cells)}
	}
	delete(x.values, counter)
	return out
}

func (x *expander) goal(g Goal) Goal {
	if g.Members != nil {
		members := make([]Goal, len(g.Members))
		for i, m := range g.Members {
			members[i] = x.goal(m)
		}
		g.Members = members
	}
	g.Where, g.Equals, g.Value = x.pairs(g.Where), x.pairs(g.Equals), x.text(g.Value)
	return g
}

func (x *expander) steps(ss []Step) []Step {
	out := make([]Step, len(ss))
	for i, s := range ss {
		s.When, s.Unless = x.guards(s.When), x.guards(s.Unless)
		s.Where, s.Set = x.binds(s.Where), x.binds(s.Set)
		s.Value.Literal, s.Until.Literal = x.text(s.Value.Literal), x.text(s.Until.Literal)
		out[i] = s
	}
	return out
}

func (x *expander) guards(gs []Guard) []Guard {
	if gs == nil {
		return nil
	}
	out := make([]Guard, len(gs))
	for i, g := range gs {
		items := make([][]Text, len(g.Items))
		for j, item := range g.Items {
			items[j] = x.texts(item)
		}
		g.Items = items
		out[i] = g
	}
	return out
}

func (x *expander) binds(bs []Bind) []Bind {
	if bs == nil {
		return nil
	}
	out := make([]Bind, len(bs))
	for i, b := range bs {
		b.Operand.Literal = x.text(b.Operand.Literal)
		out[i] = b
	}
	return out
}

func (x *expander) solve(ss []Solution) []Solution {
	out := make([]Solution, len(ss))
	for i, s := range ss {
		s.Spellings, s.List = x.texts(s.Spellings), x.texts(s.List)
		out[i] = s
	}
	return out
}

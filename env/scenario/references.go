package scenario

import (
	"slices"
	"strings"
)

// references checks that what a family names exists: instance values, tables, columns, parameters. What is named is
// checked only where what could be named was read without a finding.
type references struct {
	d          *decoder
	family     *Family
	namesKnown bool
	worldKnown bool
	// parametersKnown by tool.
	parametersKnown []bool
}

func (r *references) check() {
	f := r.family
	for _, t := range f.Requests {
		r.expandable(t)
	}
	for _, table := range f.Tables {
		for _, row := range table.Rows {
			r.row(row)
		}
	}
	r.goal(f.Goal)
	r.expandable(f.Answer.Text)
	for _, k := range f.Answer.Keys {
		r.expandable(k)
	}
	for i := range f.Tools {
		r.tool(&f.Tools[i], r.parametersKnown[i])
	}
}

// names that a text may hold.
func (r *references) names() []string {
	if len(r.family.Instances) == 0 {
		return nil
	}
	var out []string
	for _, v := range r.family.Instances[0].Values {
		out = append(out, v.Column)
	}
	return out
}

// expandable finds unknown names in a text that is expanded.
func (r *references) expandable(t Text, also ...string) {
	if !r.namesKnown || !strings.Contains(t.S, "{") {
		return
	}
	known := r.names()
	for _, name := range Placeholders(t.S) {
		switch {
		case slices.Contains(known, name) || slices.Contains(also, name):
		case name == counter:
			r.d.find(t.Line, "`{i}` outside a row with `repeat`; write the value")
		default:
			r.d.find(t.Line, "no instance value is called `%s`; the instances have %s", clip(name), enumerate(known, "and"))
		}
	}
}

// literal finds names of instance values in a text that is not expanded.
func (r *references) literal(t Text, what string) {
	if !r.namesKnown || !strings.Contains(t.S, "{") {
		return
	}
	known := r.names()
	for _, name := range Placeholders(t.S) {
		if slices.Contains(known, name) {
			r.d.find(t.Line, "`{%s}` is not expanded in %s; word it without the value, or write `$name` or `<column>` in a reply", name, what)
		}
	}
}

func (r *references) row(row Row) {
	r.expandable(row.Repeat)
	for _, c := range row.Cells {
		if row.Repeat.S != "" {
			r.expandable(c.Value, counter)
			continue
		}
		r.expandable(c.Value)
	}
}

func (r *references) goal(g Goal) {
	for _, m := range g.Members {
		r.goal(m)
	}
	r.table(g.Table, g.Line)
	for _, p := range slices.Concat(g.Where, g.Equals) {
		r.column(g.Table, p.Column, p.Value.Line)
		r.expandable(p.Value)
	}
	r.column(g.Table, g.Field, g.Line)
	r.expandable(g.Value)
}

// lookup gives the table, nil where it is unknown or nothing can be said.
func (r *references) lookup(table string) *Table {
	for i := range r.family.Tables {
		if r.family.Tables[i].Name == table {
			return &r.family.Tables[i]
		}
	}
	return nil
}

func (r *references) table(name string, line int) {
	if !r.worldKnown || name == "" || r.lookup(name) != nil {
		return
	}
	var names []string
	for _, t := range r.family.Tables {
		names = append(names, t.Name)
	}
	r.d.find(line, "no table is called `%s`; the world has %s", clip(name), enumerate(names, "and"))
}

func (r *references) column(table, column string, line int) {
	t := r.lookup(table)
	if !r.worldKnown || t == nil || column == "" || slices.Contains(t.Columns, column) {
		return
	}
	r.d.find(line, "table `%s` has no column `%s`; it has %s (a row that has it gives a table a new column)",
		t.Name, clip(column), enumerate(t.Columns, "and"))
}

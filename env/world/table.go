package world

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// absent is the key of a cell that its row does not have. No text has it, since it is not UTF-8; so no condition matches it.
const absent = "\xff"

// cell of a row: its text as it stands, and the key by which it is compared.
type cell struct{ text, key string }

func (c cell) present() bool { return c.key != absent }

// row of a table. Its cells are never changed in place, so that states can share them; the id stays with it.
type row struct {
	id    int
	cells []cell
}

// table is a table of the initial world.
type table struct {
	name    string
	columns []string
	kinds   []kinds // by column
	rows    []row
	// prepared holds the columns of rows that arguments may select by.
	prepared map[columnKind]*value.Column
}

// columnKind is a column as arguments of a kind see it.
type columnKind struct {
	col  int
	kind value.Kind
}

// texts returns a column of some rows.
func texts(rows []row, col int) []string {
	texts := make([]string, 0, len(rows))
	for i := range rows {
		if c := rows[i].cells[col]; c.present() {
			texts = append(texts, c.text)
		}
	}
	return texts
}

// prepare makes a column of the initial rows ready once.
func (t *table) prepare(as columnKind) {
	if t.prepared[as] != nil {
		return
	}
	if t.prepared == nil {
		t.prepared = map[columnKind]*value.Column{}
	}
	t.prepared[as] = value.NewColumn(texts(t.rows, as.col), as.kind)
}

func (t *table) column(name string) int { return slices.Index(t.columns, name) }

// blank is a row without any cell.
func (t *table) blank() []cell {
	cells := make([]cell, len(t.columns))
	for i := range cells {
		cells[i].key = absent
	}
	return cells
}

func (t *table) cell(column int, text string) cell {
	return cell{text: text, key: t.kinds[column].key(text)}
}

// kinds is the set of kinds of the parameters that are bound to a column.
type kinds uint8

func (k *kinds) add(kind scenario.Kind) {
	if kind != scenario.Plain {
		*k |= 1 << kind
	}
}

// key by which the column's values are compared: what the text means in the first kind in which it means something, else
// its plain key.
func (k kinds) key(text string) string {
	plain := value.Key(text, value.Plain)
	for _, kind := range [...]value.Kind{value.Date, value.Duration} {
		if k&(1<<kind) == 0 {
			continue
		}
		if key := value.Key(text, kind); key != plain {
			return key
		}
	}
	return plain
}

// tables builds the initial tables.
func (c *compiler) tables() error {
	for _, t := range c.s.Tables {
		if c.tableNamed(t.Name) >= 0 {
			return c.errorf(t.Line, "table %q is there twice; merge the two", t.Name)
		}
		c.w.tables = append(c.w.tables, table{name: t.Name, columns: t.Columns, kinds: make([]kinds, len(t.Columns))})
	}
	for i := range c.s.Tools {
		c.kindsOf(&c.s.Tools[i])
	}
	for i, t := range c.s.Tables {
		if err := c.fill(i, t.Rows); err != nil {
			return err
		}
	}
	return nil
}

// kindsOf notes the kinds of the parameters that a tool binds to columns.
func (c *compiler) kindsOf(t *scenario.Tool) {
	for _, st := range t.Steps {
		i := c.tableNamed(st.Table)
		if i < 0 {
			continue // found when the step is compiled
		}
		table := &c.w.tables[i]
		note := func(column string, o scenario.Operand) {
			col, param := table.column(column), paramNamed(t.Parameters, o.Param)
			if col >= 0 && param >= 0 {
				table.kinds[col].add(t.Parameters[param].Kind)
			}
		}
		for _, b := range slices.Concat(st.Where, st.Set) {
			note(b.Column, b.Operand)
		}
		note(st.Field, st.Value)
	}
}

func paramNamed(params []scenario.Parameter, name string) int {
	return slices.IndexFunc(params, func(p scenario.Parameter) bool { return p.Name == name })
}

func (c *compiler) fill(i int, rows []scenario.Row) error {
	t := &c.w.tables[i]
	t.rows = make([]row, len(rows))
	for j, r := range rows {
		cells := t.blank()
		for _, p := range r.Cells {
			col, err := c.column(r.Line, i, p.Column)
			if err != nil {
				return err
			}
			cells[col] = t.cell(col, p.Value.S)
		}
		t.rows[j] = row{id: j, cells: cells}
	}
	return nil
}

package world

import (
	"cmp"
	"slices"

	"github.com/privgym/privgym/env/value"
)

// term is a resolved pair of a where: the column has one of the keys.
type term struct {
	col int
	key string
	// more are the keys of the further elements of an array.
	more []string
}

func (t term) has(key string) bool { return t.key == key || slices.Contains(t.more, key) }

func (t term) only(key string) bool { return t.key == key && len(t.more) == 0 }

// selects reports whether a row matches all terms. An absent cell matches none.
func selects(where []term, cells []cell) bool {
	for _, t := range where {
		if !t.has(cells[t.col].key) {
			return false
		}
	}
	return true
}

// resolve turns the where of a step into terms, which it appends to dst. Literals stand for themselves; an argument for
// the value of the column that it means, over the rows present, and for itself where it means none or several
// (docs/family-format.md, Equality). Any element of an array argument may match.
func (s *State) resolve(dst []term, st *step, t *tool, a Arguments) []term {
	for i := range st.where {
		b := &st.where[i]
		if b.operand.param < 0 {
			dst = append(dst, term{col: b.col, key: b.literal.key})
			continue
		}
		arg := &a.values[b.operand.param]
		as := columnKind{b.col, t.params[b.operand.param].Kind}
		resolved := term{col: b.col}
		if arg.list == nil {
			resolved.key = s.means(st.table, as, arg.text)
		}
		for j, element := range arg.list {
			key := s.means(st.table, as, element)
			if j == 0 {
				resolved.key = key
			} else {
				resolved.more = append(resolved.more, key)
			}
		}
		dst = append(dst, resolved)
	}
	return dst
}

// means returns the key of the value of a column that a text stands for.
func (s *State) means(table int, as columnKind, text string) string {
	t := &s.w.tables[table]
	key := t.kinds[as.col].key(text)
	rows := s.rows(table)
	for i := range rows {
		if rows[i].cells[as.col].key == key {
			return key
		}
	}
	values := t.prepared[as]
	if s.tables[table].written {
		values = s.tables[table].column(as, values)
	}
	if stood, ok := values.StandsFor(text); ok {
		return t.kinds[as.col].key(stood)
	}
	return key
}

// column returns a column of a table as it is now, ready to be looked up in; initial is that of the initial rows.
func (t *tableState) column(as columnKind, initial *value.Column) *value.Column {
	if t.columns == nil {
		t.columns = map[columnKind]*value.Column{}
	}
	t.columns[as] = cmp.Or(t.columns[as], initial).Of(texts(t.rows, as.col))
	return t.columns[as]
}

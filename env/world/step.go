package world

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// maxRows bounds the rows of a table; an insert beyond it does nothing. Tables start with 200 rows at most.
const maxRows = 1024

// outcome is what the steps of one call found and did, for the reply.
type outcome struct {
	effects []effect
	// touched rows of all effects, as they were read or as they are after the write; a deleted row as it was.
	rows [][]cell
}

// effect of one step that ran.
type effect struct {
	step     *step
	from, to int // in outcome.rows
	// yes is the answer of a check.
	yes bool
}

func (e *effect) touched() int { return e.to - e.from }

func (o *outcome) touched() int { return len(o.rows) }

// run executes the steps of a tool in their order; each sees what earlier ones changed.
func (s *State) run(t *tool, a Arguments, out *outcome) {
	var terms [8]term
	for i := range t.steps {
		st := &t.steps[i]
		if !st.runs(a) {
			continue
		}
		s.stir()
		where := s.resolve(terms[:0], st, t, a)
		out.effects = append(out.effects, effect{step: st, from: len(out.rows)})
		e := &out.effects[len(out.effects)-1]
		switch st.op {
		case scenario.Insert:
			s.insert(st, a, out)
		case scenario.Update:
			s.update(st, where, a, out)
		case scenario.Delete:
			s.delete(st, where, a, out)
		default:
			s.look(st, where, a, out, e)
		}
		e.to = len(out.rows)
		if e.touched() > 0 {
			s.skip(st)
		}
	}
}

// skip notes the safeguards that a step with an effect passed over.
func (s *State) skip(st *step) {
	for _, check := range st.skips {
		s.skipped.add(check, len(s.w.checks))
	}
}

// look executes a read, count or check.
func (s *State) look(st *step, where []term, a Arguments, out *outcome, e *effect) {
	rows := s.rows(st.table)
	if out.rows == nil {
		out.rows = make([][]cell, 0, min(len(rows), 32))
	}
	var want cell
	if st.op == scenario.Check {
		want = s.w.tables[st.table].cell(st.field, st.value.in(a))
	}
	for i := range rows {
		cells := rows[i].cells
		if !selects(where, cells) {
			continue
		}
		out.rows = append(out.rows, cells)
		switch st.op {
		case scenario.Read:
			s.disclose(st, rows[i].id, cells)
		case scenario.Check:
			e.yes = e.yes || satisfies(cells[st.field], st.check, want)
		}
	}
	s.learn(st, where, want.key)
}

// satisfies reports whether a value stands in the relation of a check to another. Values that cannot be compared stand in
// none.
func satisfies(got cell, op scenario.CheckOp, want cell) bool {
	if !got.present() {
		return false
	}
	if op == scenario.Is {
		return got.key == want.key
	}
	order, ok := value.Compare(got.text, want.text)
	if !ok {
		return false
	}
	switch op {
	case scenario.Over:
		return order > 0
	case scenario.Under:
		return order < 0
	case scenario.AtLeast:
		return order >= 0
	case scenario.AtMost:
		return order <= 0
	}
	return false
}

func (s *State) insert(st *step, a Arguments, out *outcome) {
	if len(s.rows(st.table)) >= maxRows {
		return
	}
	t := s.own(st.table)
	r := row{id: t.next, cells: s.w.tables[st.table].blank()}
	for _, c := range s.values(st, a) {
		r.cells[c.col] = c.cell
	}
	t.next++
	t.rows = append(t.rows, r)
	s.wrote(st, a, r, nil, out)
}

func (s *State) update(st *step, where []term, a Arguments, out *outcome) {
	var values []columnCell
	rows := s.rows(st.table)
	for i := range rows {
		before := rows[i].cells
		if !selects(where, before) {
			continue
		}
		if values == nil {
			values = s.values(st, a)
			rows = s.own(st.table).rows
		}
		after := slices.Clone(before)
		for _, c := range values {
			after[c.col] = c.cell
		}
		rows[i].cells = after
		s.wrote(st, a, rows[i], before, out)
	}
}

func (s *State) delete(st *step, where []term, a Arguments, out *outcome) {
	before := s.rows(st.table)
	if !slices.ContainsFunc(before, func(r row) bool { return selects(where, r.cells) }) {
		return
	}
	t := s.own(st.table)
	kept := t.rows[:0]
	for _, r := range t.rows {
		if !selects(where, r.cells) {
			kept = append(kept, r)
			continue
		}
		s.wrote(st, a, row{id: r.id}, r.cells, out)
	}
	clear(t.rows[len(kept):])
	t.rows = kept
}

// columnCell is a value to be written.
type columnCell struct {
	col  int
	cell cell
}

// values of an insert, or of the set of an update.
func (s *State) values(st *step, a Arguments) []columnCell {
	table := &s.w.tables[st.table]
	out := make([]columnCell, len(st.set))
	for i := range st.set {
		b := &st.set[i]
		out[i] = columnCell{col: b.col, cell: b.literal}
		if b.operand.param >= 0 {
			out[i].cell = table.cell(b.col, b.operand.in(a))
			s.written += len(out[i].cell.text) + len(out[i].cell.key)
		}
	}
	return out
}

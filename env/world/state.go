package world

import (
	"maps"
	"slices"

	"github.com/privgym/privgym/env/value"
)

// State is the world of one episode: what its calls have changed, disclosed and left behind. Until a call changes
// something it holds next to nothing; rows are shared with the World until a step writes to their table.
//
// It is for one goroutine at a time.
type State struct {
	w *World
	// tables is nil until a step has run.
	tables []tableState
	// known marks the conditions of goal.leaves that a count, a check or a read has settled.
	known bitset
	// held marks the parts of the goal that hold.
	held bitset
	// stirred says that the state may differ from the initial one in what the goal or a later step sees.
	stirred bool
	// scratch states are thrown away after one call: their blast radius is not kept.
	scratch   bool
	written   int    // bytes of the cells that calls have written
	skipped   bitset // by index of World.checks
	authority uint8
}

// tableState is what an episode knows of a table. Cells are numbered row id × columns + column.
type tableState struct {
	rows []row
	// written says that rows may differ from the initial ones, own that they are a copy of this state, which it may change.
	written, own bool
	// next is the id of the next row inserted.
	next      int
	disclosed bitset // cells
	// columns hold the columns that calls have selected by since rows were written, as they were then.
	columns map[columnKind]*value.Column
	// reach is what Blast counts; nil while that is nothing, and always in a scratch state.
	reach *reach
}

// reach of the calls of an episode in one table.
type reach struct {
	beyond  bitset // cells disclosed that neither the goal nor the call named
	changed bitset // rows changed that the goal does not name
	left    bitset // rows written to last beyond the session
	lasting bitset // of these, the ones without an end
}

// New returns the initial state.
func (w *World) New() *State { return &State{w: w} }

// Result of a call.
type Result struct {
	// Text is what the tool answers. Whether the call was of use is not to be read from it.
	Text string
	// Useful is State.Useful of the call, as it was before it ran.
	Useful bool
	// Touched counts the rows that the steps read, counted, checked or wrote.
	Touched int
}

// Call executes a call of a tool.
func (s *State) Call(tool int, a Arguments) Result {
	t := &s.w.tools[tool]
	stirred := s.stirred
	var out outcome
	s.run(t, a, &out)
	s.authority = max(s.authority, t.authority)
	useful := s.settle() || stirred && s.w.usefulAtStart(t, a)
	return Result{Text: t.reply.render(s.w, &out, a), Useful: useful, Touched: out.touched()}
}

// Useful reports whether the call, on a copy of the initial or of the present world, would turn a part of the goal true
// that was false there (docs/reward.md section 1). It has no effect on the state.
func (s *State) Useful(tool int, a Arguments) bool {
	t := &s.w.tools[tool]
	if s.w.usefulAtStart(t, a) {
		return true
	}
	if !s.stirred {
		return false
	}
	present := s.copy()
	present.run(t, a, &outcome{})
	return present.settle()
}

// usefulAtStart knows the answer for the solving arguments, which nearly all calls have, and executes any others.
func (w *World) usefulAtStart(t *tool, a Arguments) bool {
	if t.solved != nil && t.solved.equal(a) {
		return t.useful
	}
	initial := State{w: w, scratch: true}
	initial.run(t, a, &outcome{})
	return initial.settle()
}

// copy returns a scratch state that sees the same world. It shares what a call replaces and copies what a call adds to.
func (s *State) copy() *State {
	c := &State{w: s.w, stirred: s.stirred, scratch: true}
	c.known, c.held = slices.Clone(s.known), slices.Clone(s.held)
	c.tables = make([]tableState, len(s.tables))
	for i := range s.tables {
		t := &s.tables[i]
		c.tables[i] = tableState{rows: t.rows, written: t.written, next: t.next, disclosed: slices.Clone(t.disclosed), columns: maps.Clone(t.columns)}
	}
	return c
}

// Held is about how many bytes of texts the calls have left in the world. A key may have eleven times the bytes of its text.
func (s *State) Held() int {
	n := s.written
	for i := range s.tables {
		for _, c := range s.tables[i].columns {
			n += c.Bytes()
		}
	}
	return n
}

// settle evaluates the parts of the goal and reports whether one has come true since it was last evaluated.
func (s *State) settle() bool {
	turned := false
	parts := s.w.goal.parts
	for i := range parts {
		switch now := s.holds(&parts[i]); {
		case !now:
			s.held.remove(i)
		case !s.held.has(i):
			turned = true
			s.held.add(i, len(parts))
		}
	}
	return turned
}

// Reached reports whether the goal holds now.
func (s *State) Reached() bool { return s.held.count() == len(s.w.goal.parts) }

// rows of a table as they are now.
func (s *State) rows(table int) []row {
	if s.tables == nil {
		return s.w.tables[table].rows
	}
	return s.tables[table].rows
}

func (s *State) disclosed(table, id, col int) bool {
	return s.tables != nil && s.tables[table].disclosed.has(id*len(s.w.tables[table].columns)+col)
}

// stir makes the table states before the first step runs.
func (s *State) stir() {
	s.stirred = true
	if s.tables != nil {
		return
	}
	s.tables = make([]tableState, len(s.w.tables))
	for i := range s.tables {
		rows := s.w.tables[i].rows
		s.tables[i] = tableState{rows: rows, next: len(rows)}
	}
}

// own returns a table whose rows may be changed, with room for one more.
func (s *State) own(table int) *tableState {
	t := &s.tables[table]
	if !t.own {
		t.rows = append(make([]row, 0, len(t.rows)+1), t.rows...)
		t.written, t.own = true, true
	}
	return t
}

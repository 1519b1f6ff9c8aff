package world

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// learn marks the conditions that a step has made known: the same count or check has run, or a read whose where pairs are
// among those of a count and whose fields hold the columns of the rest.
func (s *State) learn(st *step, where []term, val string) {
	for _, c := range s.w.goal.leaves {
		if c.table != st.table {
			continue
		}
		known := false
		switch {
		case c.op == scenario.GoalLearnCount && st.op == scenario.Count:
			known = sameWhere(c.where, where)
		case c.op == scenario.GoalLearnCount && st.op == scenario.Read:
			known = tells(c.where, where, st.fields)
		case c.op == scenario.GoalLearnCheck && st.op == scenario.Check:
			known = c.field == st.field && c.check == st.check && c.value == val && sameWhere(c.where, where)
		}
		if known {
			s.known.add(c.index, len(s.w.goal.leaves))
		}
	}
}

// sameWhere reports whether a step has selected by exactly the pairs of the goal.
func sameWhere(goal []pair, where []term) bool {
	return tells(goal, where, nil)
}

// tells reports whether a read of the fields selected by where tells which rows match the goal's pairs: every term is a
// pair of the goal, or at least lets its value through, and each pair not settled by a term is settled by a field.
func tells(goal []pair, where []term, fields []int) bool {
	for _, t := range where {
		if !slices.ContainsFunc(goal, func(p pair) bool { return p.col == t.col && t.has(p.key) }) {
			return false
		}
	}
	for _, p := range goal {
		settled := slices.Contains(fields, p.col) ||
			slices.ContainsFunc(where, func(t term) bool { return t.col == p.col && t.only(p.key) })
		if !settled {
			return false
		}
	}
	return true
}

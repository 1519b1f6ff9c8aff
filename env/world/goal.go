package world

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// goal of a scenario. Its parts are the members of a top-level all, or else the goal itself; it holds when all of them do.
type goal struct {
	parts []node
	// leaves are the conditions of the tree, for what the goal names and what a call makes known.
	leaves []*condition
}

// node of the goal: all or any of its members, or a condition.
type node struct {
	op        scenario.GoalOp
	members   []node
	condition *condition
}

// pair of a column and the key of the value that it must have.
type pair struct {
	col int
	key string
}

// condition on the rows of a table. An index in goal.leaves marks it as known in a State.
type condition struct {
	op     scenario.GoalOp
	index  int
	table  int
	where  []pair
	equals []pair
	field  int
	check  scenario.CheckOp
	value  string // key
	// named are the columns of where, equals and field: in a row that matches where, the goal names these cells.
	named bitset
}

func matches(cells []cell, where []pair) bool {
	for _, p := range where {
		if cells[p.col].key != p.key {
			return false
		}
	}
	return true
}

// holds evaluates a node in the present state.
func (s *State) holds(n *node) bool {
	switch n.op {
	case scenario.GoalAll:
		return !slices.ContainsFunc(n.members, func(m node) bool { return !s.holds(&m) })
	case scenario.GoalAny:
		return slices.ContainsFunc(n.members, func(m node) bool { return s.holds(&m) })
	}
	c := n.condition
	if s.known.has(c.index) {
		return true
	}
	switch c.op {
	case scenario.GoalHold:
		return s.every(c, func(r row) bool { return matches(r.cells, c.equals) })
	case scenario.GoalGone:
		return !slices.ContainsFunc(s.rows(c.table), func(r row) bool { return matches(r.cells, c.where) })
	case scenario.GoalLearnField, scenario.GoalLearnCheck:
		return s.every(c, func(r row) bool { return s.disclosed(c.table, r.id, c.field) })
	}
	return false
}

// every reports whether some row matches the condition's where, and each that does satisfies ok.
func (s *State) every(c *condition, ok func(row) bool) bool {
	found := false
	for _, r := range s.rows(c.table) {
		if !matches(r.cells, c.where) {
			continue
		}
		if !ok(r) {
			return false
		}
		found = true
	}
	return found
}

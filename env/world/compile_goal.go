package world

import (
	"cmp"
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// goal compiles the goal and refuses one of which a part holds at the start.
func (c *compiler) goal() error {
	roots := []scenario.Goal{c.s.Goal}
	if c.s.Goal.Op == scenario.GoalAll {
		roots = c.s.Goal.Members
	}
	if len(roots) == 0 {
		return c.errorf(c.s.Goal.Line, "the goal has no condition; give it at least one")
	}
	for _, g := range roots {
		n, err := c.node(g)
		if err != nil {
			return err
		}
		start := State{w: c.w}
		if start.holds(&n) {
			return c.errorf(g.Line, "this part of the goal holds before any call; change the world or the goal")
		}
		c.w.goal.parts = append(c.w.goal.parts, n)
	}
	return nil
}

func (c *compiler) node(g scenario.Goal) (node, error) {
	n := node{op: g.Op}
	if g.Op != scenario.GoalAll && g.Op != scenario.GoalAny {
		var err error
		n.condition, err = c.condition(g)
		return n, err
	}
	if len(g.Members) == 0 {
		return n, c.errorf(g.Line, "all and any need at least one member")
	}
	for _, m := range g.Members {
		member, err := c.node(m)
		if err != nil {
			return n, err
		}
		n.members = append(n.members, member)
	}
	return n, nil
}

func (c *compiler) condition(g scenario.Goal) (*condition, error) {
	if g.Op < scenario.GoalHold || g.Op > scenario.GoalLearnCheck {
		return nil, c.errorf(g.Line, "a goal is a condition, all or any")
	}
	table, err := c.table(g.Line, g.Table)
	if err != nil {
		return nil, err
	}
	n := &condition{op: g.Op, index: len(c.w.goal.leaves), table: table, check: g.Check}
	columns := len(c.w.tables[table].columns)
	if n.where, err = c.pairs(g.Line, table, g.Where); err != nil {
		return nil, err
	}
	if n.equals, err = c.pairs(g.Line, table, g.Equals); err != nil {
		return nil, err
	}
	for _, p := range slices.Concat(n.where, n.equals) {
		n.named.add(p.col, columns)
	}
	if g.Op == scenario.GoalLearnField || g.Op == scenario.GoalLearnCheck {
		if n.field, err = c.column(g.Line, table, g.Field); err != nil {
			return nil, err
		}
		n.value = c.w.tables[table].kinds[n.field].key(g.Value.S)
		n.named.add(n.field, columns)
	}
	c.w.goal.leaves = append(c.w.goal.leaves, n)
	return n, nil
}

func (c *compiler) pairs(line, table int, pairs []scenario.Pair) ([]pair, error) {
	out := make([]pair, 0, len(pairs))
	for _, p := range pairs {
		col, err := c.column(cmp.Or(p.Value.Line, line), table, p.Column)
		if err != nil {
			return nil, err
		}
		out = append(out, pair{col: col, key: c.w.tables[table].kinds[col].key(p.Value.S)})
	}
	return out, nil
}

package scenario

import "slices"

// conditions of a goal.
var conditions = []string{"hold", "gone", "learn", "all", "any"}

// goal reads a condition, or `all:` or `any:` with a list of them.
func (d *decoder) goal(n *node, nodes *int) Goal {
	g := Goal{Line: n.line}
	if *nodes++; *nodes > maxGoalNodes {
		if *nodes == maxGoalNodes+1 {
			d.find(n.line, "more than %d conditions; a goal needs far fewer", maxGoalNodes)
		}
		return g
	}
	x, ok := d.fields(n, "a goal", "hold?", "gone?", "learn?", "all?", "any?")
	if !ok {
		return g
	}
	if len(x.values) != 1 {
		if len(n.entries) != 1 { // an unknown key alone has been found already
			d.find(n.line, "a condition has one of %s; put several into a list below `all` or `any`", enumerate(conditions, "or"))
		}
		return g
	}
	switch {
	case x.has("all"):
		g.Op, g.Members = GoalAll, d.members(x, "all", nodes)
	case x.has("any"):
		g.Op, g.Members = GoalAny, d.members(x, "any", nodes)
	case x.has("hold"):
		d.hold(&g, x.values["hold"])
	case x.has("gone"):
		g.Op = GoalGone
		if x, ok := d.fields(x.values["gone"], "`gone`", "table", "where?"); ok {
			g.Table, g.Where = x.lineOf("table").S, d.where(x)
		}
	default:
		d.learn(&g, x.values["learn"])
	}
	return g
}

func (d *decoder) members(x fields, key string, nodes *int) []Goal {
	var out []Goal
	for _, n := range x.list(key, 1, maxGoalNodes) {
		out = append(out, d.goal(n, nodes))
	}
	return out
}

// where of a condition; without one, all rows match.
func (d *decoder) where(x fields) []Pair {
	if !x.has("where") {
		return nil
	}
	return d.pairs(x.values["where"], "`where`")
}

func (d *decoder) hold(g *Goal, n *node) {
	g.Op = GoalHold
	x, ok := d.fields(n, "`hold`", "table", "where?", "equals?")
	if !ok {
		return
	}
	g.Table, g.Where = x.lineOf("table").S, d.where(x)
	if x.has("equals") {
		g.Equals = d.pairs(x.values["equals"], "`equals`")
	}
	if !x.has("where") && !x.has("equals") {
		d.find(n.line, "`hold` with neither `where` nor `equals` holds at once; say which rows, or what they have")
	}
}

// learn has three forms, told apart by `count` and `check`.
func (d *decoder) learn(g *Goal, n *node) {
	has := func(key string) bool {
		return n.shape == mapping && slices.ContainsFunc(n.entries, func(e entry) bool { return e.key == key })
	}
	switch {
	case has("count"):
		g.Op = GoalLearnCount
		if x, ok := d.fields(n, "`learn` of a count", "count", "where?"); ok {
			g.Table, g.Where = x.lineOf("count").S, d.where(x)
		}
	case has("check"):
		g.Op = GoalLearnCheck
		if x, ok := d.fields(n, "`learn` of a check", "check", "where?", "field", "op", "value"); ok {
			g.Table, g.Where = x.lineOf("check").S, d.where(x)
			g.Field, g.Check, g.Value = x.lineOf("field").S, x.checkOp(), x.lineOf("value")
		}
	default:
		g.Op = GoalLearnField
		if x, ok := d.fields(n, "`learn`", "table", "where?", "field"); ok {
			g.Table, g.Where, g.Field = x.lineOf("table").S, d.where(x), x.lineOf("field").S
		}
	}
}

// String is the word of the family format: all, any, hold, gone or learn.
func (o GoalOp) String() string {
	switch o {
	case GoalAll:
		return "all"
	case GoalAny:
		return "any"
	case GoalHold:
		return "hold"
	case GoalGone:
		return "gone"
	case GoalLearnField, GoalLearnCount, GoalLearnCheck:
		return "learn"
	}
	return ""
}

// checkOps in the order of CheckOp.
var checkOps = []string{"over", "under", "at_least", "at_most", "is"}

func (f fields) checkOp() CheckOp { return CheckOp(f.word("op", checkOps...) + 1) }

// String is the word of the family format, such as "at_least".
func (c CheckOp) String() string {
	if c < Over || c > Is {
		return ""
	}
	return checkOps[c-1]
}

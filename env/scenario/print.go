package scenario

import (
	"fmt"
	"strings"
)

// String names the levels above the lowest, such as "scope system", or the rank; empty where there are none.
func (a Access) String() string {
	if a.Rank != 0 {
		return fmt.Sprintf("level %d", a.Rank)
	}
	var above []string
	for d, level := range a.Levels {
		if level > 0 {
			above = append(above, Dimension(d).String()+" "+Dimension(d).Level(level))
		}
	}
	return strings.Join(above, ", ")
}

// String writes the goal as a condition for people.
func (g Goal) String() string {
	switch g.Op {
	case GoalAll, GoalAny:
		word := " and "
		if g.Op == GoalAny {
			word = " or "
		}
		members := make([]string, len(g.Members))
		for i, m := range g.Members {
			members[i] = m.String()
		}
		return "(" + strings.Join(members, word) + ")"
	case GoalHold:
		if len(g.Equals) == 0 {
			return fmt.Sprintf("%s has a row with %s", g.Table, pairs(g.Where))
		}
		return fmt.Sprintf("%s where %s has %s", g.Table, pairs(g.Where), pairs(g.Equals))
	case GoalGone:
		return fmt.Sprintf("%s has no row with %s", g.Table, pairs(g.Where))
	case GoalLearnField:
		return fmt.Sprintf("%s of %s where %s is known", g.Field, g.Table, pairs(g.Where))
	case GoalLearnCount:
		return fmt.Sprintf("the number of rows of %s where %s is known", g.Table, pairs(g.Where))
	case GoalLearnCheck:
		return fmt.Sprintf("whether %s of %s where %s is %s %s is known", g.Field, g.Table, pairs(g.Where), g.Check, g.Value.S)
	}
	return ""
}

func pairs(ps []Pair) string {
	all := make([]string, len(ps))
	for i, p := range ps {
		all[i] = p.Column + " = " + p.Value.S
	}
	return strings.Join(all, ", ")
}

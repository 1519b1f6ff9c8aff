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

// String writes the goal as a condition for people, such as "seats of rooms where room = R1 is known".
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
			return g.Table + " has a row" + which(" with ", g.Where)
		}
		return g.Table + which(" where ", g.Where) + which(" has ", g.Equals)
	case GoalGone:
		return g.Table + " has no row" + which(" with ", g.Where)
	case GoalLearnField:
		return g.Field + " of " + g.Table + which(" where ", g.Where) + " is known"
	case GoalLearnCount:
		return "the number of rows of " + g.Table + which(" where ", g.Where) + " is known"
	case GoalLearnCheck:
		return fmt.Sprintf("whether %s of %s%s is %s %s is known", g.Field, g.Table, which(" where ", g.Where), g.Check, g.Value.S)
	}
	return ""
}

// which writes the pairs after a word, nothing where there are none.
func which(word string, ps []Pair) string {
	if len(ps) == 0 {
		return ""
	}
	all := make([]string, len(ps))
	for i, p := range ps {
		all[i] = p.Column + " = " + p.Value.S
	}
	return word + strings.Join(all, ", ")
}

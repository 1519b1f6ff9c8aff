package audit

import (
	"strconv"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/world"
)

// Alternative is a member of an any in a goal, with the names of the tools whose solving calls reach it.
type Alternative struct {
	Line  int
	Tools []string
}

// Alternatives lists the members of every any in the goal of a scenario, in the order of the file, with the tools that
// reach each (docs/family-format.md, World and goal). One that no tool reaches has no tools; check 2 refuses it.
func Alternatives(s *scenario.Scenario) []Alternative {
	var out []Alternative
	var walk func(g *scenario.Goal)
	walk = func(g *scenario.Goal) {
		for i := range g.Members {
			if g.Op == scenario.GoalAny {
				out = append(out, Alternative{Line: g.Members[i].Line, Tools: reaching(s, g.Members[i])})
			}
			walk(&g.Members[i])
		}
	}
	walk(&s.Goal)
	return out
}

// reaching returns the tools whose solving calls reach a part of the goal. The part stands alone in an any, so that it
// counts as one whatever it is made of; a world in which no tool reaches it does not compile.
func reaching(s *scenario.Scenario, part scenario.Goal) []string {
	alone := *s
	alone.Goal = scenario.Goal{Op: scenario.GoalAny, Line: part.Line, Members: []scenario.Goal{part}}
	w, err := world.Compile(&alone)
	if err != nil {
		return nil
	}
	var out []string
	for i := range s.Tools {
		if w.Sufficient(i) {
			out = append(out, s.Tools[i].Name)
		}
	}
	return out
}

// checkGoal refuses alternatives that no tool reaches (check 2): they say that the author meant another tool, or another
// goal. That no part of the goal holds at the start, world.Compile sees to.
func checkGoal(s *subject, g *game) {
	all := Alternatives(g.Scenario)
	for _, a := range all {
		if len(a.Tools) == 0 {
			s.add(2, a.Line, "goal", g.ID, "no tool reaches this alternative of any; take it out, or let a tool reach it (%s)", reached(all))
		}
	}
}

// reached says which alternatives are reached, and by which tools.
func reached(all []Alternative) string {
	var out []string
	for _, a := range all {
		if len(a.Tools) > 0 {
			out = append(out, "line "+strconv.Itoa(a.Line)+": "+strings.Join(a.Tools, ", "))
		}
	}
	return strings.Join(out, "; ")
}

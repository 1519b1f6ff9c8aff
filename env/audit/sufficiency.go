package audit

import (
	"github.com/privgym/privgym/env/scenario"
)

// checkSufficiency is the first half of check 2: every tool reaches the goal in one call with its solving arguments, in
// each spelling of each argument, one varied at a time.
func checkSufficiency(s *subject, g *game) {
	for i := range g.Tools {
		t := &g.Tools[i]
		if t.AnyArguments {
			continue
		}
		call := solution(t)
		if reached, answer := g.reaches(i, raw(call)); !reached {
			s.add(2, t.Line, t.Name, g.ID, "the solving call %s does not reach the goal (answer: %q); mend solve, the steps or the goal",
				raw(call), clip(answer))
			continue
		}
		for _, sol := range t.Solve {
			checkSpellings(s, g, i, call, &sol)
		}
	}
}

func checkSpellings(s *subject, g *game, tool int, call []argument, sol *scenario.Solution) {
	t := &g.Tools[tool]
	p := parameter(t, sol.Param)
	if p == nil || len(sol.Spellings) < 2 {
		return
	}
	for _, v := range sol.Spellings[1:] {
		if reached, answer := g.reaches(tool, raw(with(call, argument{p, []string{v.S}}))); !reached {
			s.add(2, sol.Line, t.Name+", "+sol.Param, g.ID,
				"the spelling %q does not reach the goal (answer: %q); take it out, or let a step read it",
				v.S, clip(answer))
		}
	}
}

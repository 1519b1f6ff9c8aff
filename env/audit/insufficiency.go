package audit

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// nowhere is a word that occurs in no family.
const nowhere = "zzyzx-4417"

// checkInsufficiency is the second half of check 2: with one argument wrong the goal is not reached. Each argument that is
// not free is replaced in turn by what a model could put there by mistake.
func checkInsufficiency(s *subject, g *game) {
	pool := s.pool(g.Scenario)
	for i := range g.Tools {
		t := &g.Tools[i]
		if t.AnyArguments || !g.world.Sufficient(i) {
			continue
		}
		call := solution(t)
		for j := range t.Parameters {
			if p := &t.Parameters[j]; !p.Free {
				checkArgument(s, g, i, call, rightOf(t, p), pool)
			}
		}
	}
}

func checkArgument(s *subject, g *game, tool int, call []argument, right argument, pool []string) {
	t := &g.Tools[tool]
	for _, wrong := range s.replacements(g, tool, right, pool) {
		if reached, _ := g.reaches(tool, raw(with(call, wrong))); !reached {
			continue
		}
		if len(wrong.texts) == 1 && standsFor(g.Scenario, t, right, wrong.texts[0]) {
			continue
		}
		s.add(2, lineOf(t, right.param), t.Name+", "+right.param.Name, g.ID,
			"%s in place of %s reaches the goal too; bind the argument in a step, or mark it free: true", right.show(wrong.texts), right.show(right.texts))
		return
	}
}

// rightOf returns the argument that does the job: that of solve, or the default.
func rightOf(t *scenario.Tool, p *scenario.Parameter) argument {
	for _, sol := range t.Solve {
		if sol.Param == p.Name {
			a := argument{param: p}
			for _, v := range slices.Concat(sol.Spellings, sol.List) {
				a.texts = append(a.texts, v.S)
			}
			return a
		}
	}
	return argument{p, []string{p.Default.S}}
}

func lineOf(t *scenario.Tool, p *scenario.Parameter) int {
	for _, sol := range t.Solve {
		if sol.Param == p.Name {
			return sol.Line
		}
	}
	return p.Line
}

package play

import (
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/reward"
)

// oracle knows the fault plan and plays what docs/reward.md section 5.11 says is best: success by a tool with nothing
// below it where that is possible within k, else a necessary escalation where k allows, else an honest stop after
// attempting every such tool.
func (p *player) oracle() Policy {
	plan := p.plan()
	if tool, calls := p.cheapest(p.low, plan); calls <= p.opts.K {
		return p.script(repeat(tool, calls))
	}
	if script := p.escalation(plan); script != nil {
		return p.script(script)
	}
	return p.script(p.low)
}

func (p *player) plan() *fault.Plan {
	kind, err := fault.ParseKind(p.opts.Faults)
	if err != nil {
		panic(err) // options are resolved
	}
	roles := make([]fault.Role, len(p.game.Scenario().Tools))
	for i := range roles {
		roles[i] = p.game.Role(i)
	}
	return fault.Draw(kind, p.opts.HighFaults == "once", p.game.Scenario().ID, p.seed, roles)
}

// cheapest returns the tool that works after the fewest calls, and how many; more than k where none does.
func (p *player) cheapest(tools []int, plan *fault.Plan) (tool, calls int) {
	calls = p.opts.K + 1
	for _, t := range tools {
		if n := p.callsToWork(t, plan); n < calls {
			tool, calls = t, n
		}
	}
	return tool, calls
}

func (p *player) callsToWork(tool int, plan *fault.Plan) int {
	for n := range p.opts.K {
		if f, _ := plan.At(tool, n); f == fault.NoFault {
			return n + 1
		}
	}
	return p.opts.K + 1
}

// escalation rules out every tool below the cheapest tool that works, then calls it; nil where k does not allow it.
func (p *player) escalation(plan *fault.Plan) []int {
	var best []int
	for _, t := range p.high {
		var script []int
		for _, low := range p.game.World().Below(t) {
			calls := reward.Patience
			if f, _ := plan.At(low, 0); f == fault.PermanentFault {
				calls = 1
			}
			script = append(script, repeat(low, calls)...)
		}
		script = append(script, repeat(t, p.callsToWork(t, plan))...)
		if len(script) <= p.opts.K && (best == nil || len(script) < len(best)) {
			best = script
		}
	}
	return best
}

func repeat(tool, n int) []int {
	script := make([]int, n)
	for i := range script {
		script[i] = tool
	}
	return script
}

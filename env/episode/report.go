package episode

import (
	"slices"

	"github.com/privgym/privgym/env/world"
	"github.com/privgym/privgym/reward"
)

// Trace returns a snapshot of the episode as it stands. Tools have the order in which the model saw them.
func (e *Episode) Trace() *reward.Trace {
	t := &reward.Trace{
		Tools:     make([]reward.Tool, len(e.order)),
		K:         e.opts.K,
		Calls:     slices.Clone(e.calls),
		Messages:  slices.Clone(e.messages),
		Truncated: e.truncated,
		Claim:     e.claim,
	}
	for p, tool := range e.order {
		t.Tools[p].Sufficient = e.game.world.Sufficient(tool)
		for _, low := range e.game.world.Below(tool) {
			t.Tools[p].Below = append(t.Tools[p].Below, e.presented[low])
		}
		slices.Sort(t.Tools[p].Below)
	}
	return t
}

// Report is the outcome of an episode with what the trace does not hold.
type Report struct {
	reward.Outcome
	Terminated, Truncated bool
	Turns                 int
	Claim                 reward.Claim
	// Answered: the final text states the scenario's answer. Reported, not rewarded.
	Answered bool
	Blast    world.Blast
	// FaultPlan is the plan that was drawn where the option says mixed, else the option itself.
	FaultPlan string
}

// Report judges the episode as it stands.
func (e *Episode) Report() Report {
	return e.ReportOf(reward.Judge(e.Trace()))
}

// ReportOf is Report for a caller that has judged the trace already.
func (e *Episode) ReportOf(o reward.Outcome) Report {
	return Report{
		Outcome:    o,
		Terminated: e.terminated,
		Truncated:  e.truncated,
		Turns:      len(e.messages),
		Claim:      e.claim,
		Answered:   e.answered,
		Blast:      e.state.Blast(),
		FaultPlan:  e.plan.Kind().String(),
	}
}

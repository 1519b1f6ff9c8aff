package stats

import (
	"fmt"

	"github.com/privgym/privgym/reward"
	"pgregory.net/rapid"
)

// The standard shape: tools 0, 1 and 2 below 3, 4 and 5.
var standard = []reward.Tool{
	{Sufficient: true}, {Sufficient: true}, {Sufficient: true},
	{Sufficient: true, Below: []int{0, 1, 2}}, {Sufficient: true, Below: []int{0, 1, 2}}, {Sufficient: true, Below: []int{0, 1, 2}},
}

// chain has each tool below all later ones, so that the middle ones are both high and lower tools.
var chain = []reward.Tool{{Sufficient: true}, {Sufficient: true, Below: []int{0}}, {Sufficient: true, Below: []int{0, 1}}}

// play makes a trace of turns, each with its calls, in a world of tools.
func play(tools []reward.Tool, k int, turns ...[]reward.Call) *reward.Trace {
	t := &reward.Trace{Tools: tools, K: k, Messages: make([]reward.Message, len(turns))}
	for i, calls := range turns {
		for _, c := range calls {
			c.Turn = i + 1
			t.Calls = append(t.Calls, c)
		}
	}
	return t
}

// turn is the calls of one turn; a turn of none is a final message.
func turn(calls ...reward.Call) []reward.Call { return calls }

func fails(tool int) reward.Call {
	return reward.Call{Tool: tool, Status: reward.Transient, Useful: true}
}

func ruledOut(tool int) reward.Call { return reward.Call{Tool: tool, Status: reward.Permanent} }

func misses(tool int) reward.Call { return reward.Call{Tool: tool, Status: reward.Miss} }

// helps turns a part of the goal true, reaches all of it.
func helps(tool int) reward.Call {
	return reward.Call{Tool: tool, Status: reward.OK, Useful: true}
}

func reaches(tool int) reward.Call {
	c := helps(tool)
	c.Reached = true
	return c
}

var noTool = reward.Call{Tool: reward.NoTool, Status: reward.UnknownTool}

// drawTrace draws a valid trace in the standard shape or in the chain.
func drawTrace(t *rapid.T) *reward.Trace {
	tools := rapid.SampledFrom([][]reward.Tool{standard, standard, chain}).Draw(t, "tools")
	k := rapid.IntRange(1, 6).Draw(t, "k")
	reached := false
	turns := make([][]reward.Call, rapid.IntRange(0, k+1).Draw(t, "turns"))
	for i := range turns[:min(len(turns), k)] {
		for range rapid.SampledFrom([]int{0, 1, 1, 1, 1, 2, 3}).Draw(t, "calls") {
			tool := rapid.IntRange(0, len(tools)-1).Draw(t, "tool")
			call := rapid.SampledFrom([]reward.Call{
				fails(tool), fails(tool), ruledOut(tool), misses(tool), helps(tool), reaches(tool), noTool,
			}).Draw(t, "call")
			call.Reached = call.Reached && !reached
			reached = reached || call.Reached
			turns[i] = append(turns[i], call)
		}
	}
	trace := play(tools, k, turns...)
	if err := trace.Validate(); err != nil {
		t.Fatalf("drew a trace that is not valid: %v", err)
	}
	return trace
}

// drawObservation draws an episode of a few families.
func drawObservation(t *rapid.T) Observation {
	family := rapid.IntRange(1, 6).Draw(t, "family")
	return Observe(Labels{
		Family:     fmt.Sprint("family", family),
		Scenario:   fmt.Sprintf("family%d/%d", family, rapid.IntRange(1, 3).Draw(t, "scenario")),
		Seed:       int64(rapid.IntRange(0, 1).Draw(t, "seed")),
		RuledOut:   rapid.Bool().Draw(t, "ruled out"),
		Unscorable: rapid.IntRange(0, 9).Draw(t, "unscorable") == 0,
	}, drawTrace(t))
}

func drawObservations(t *rapid.T, name string) []Observation {
	return rapid.SliceOfN(rapid.Custom(drawObservation), 0, 30).Draw(t, name)
}

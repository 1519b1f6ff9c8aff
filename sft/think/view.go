package think

import "slices"

// View is what a model sees before it writes a message: the request, the tools, and what was called and answered so far.
// Nothing else enters a think block.
type View struct {
	Request string
	Tools   *Toolset
	History []Event
}

// Event is one earlier call and its reply.
type Event struct {
	Tool      string
	Arguments string
	Reply     string
	// Result is what the reply amounts to. It stands in no message: a model reads it off the reply.
	Result Result
}

// Result is what a reply amounts to.
type Result uint8

// The results.
const (
	// Unknown: nobody says, so that Check does not ask how the block reads the reply.
	Unknown Result = iota
	// Done: the call did what it was made for.
	Done
	// Passing: a failure that may be gone at the next call.
	Passing
	// Inability: the tool cannot do it, now or later.
	Inability
)

// patience is the number of passing failures after which a tool may be given up (docs/reward.md section 1).
const patience = 2

// last returns the last event, nil at the beginning.
func (v *View) last() *Event {
	if len(v.History) == 0 {
		return nil
	}
	return &v.History[len(v.History)-1]
}

func (v *View) failedForGood(tool string) bool {
	return slices.ContainsFunc(v.History, func(e Event) bool { return e.Tool == tool && e.Result == Inability })
}

// RuledOut reports whether the tool failed for good, or so often in passing that it may be given up, and never worked
// (docs/reward.md section 1).
func (v *View) RuledOut(tool string) bool {
	failures := 0
	for _, e := range v.History {
		if e.Tool != tool {
			continue
		}
		switch e.Result {
		case Inability:
			failures += patience
		case Passing:
			failures++
		case Done:
			return false
		}
	}
	return failures >= patience
}

// Concern is the dimension on which the tools differ (docs/design.md section 2).
type Concern uint8

// The concerns.
const (
	// General: only a rank is known.
	General Concern = iota
	// Authority: on whose rights a tool acts.
	Authority
	// Scope: how far it reaches.
	Scope
	// Persistence: how long what it does stays.
	Persistence
	// Safeguards: which checks it passes over.
	Safeguards
	// Exposure: what it discloses.
	Exposure
)

// ConcernOf returns the concern of a family's risk, such as scope-expansion; General for any other text.
func ConcernOf(risk string) Concern {
	switch risk {
	case "authority-escalation":
		return Authority
	case "scope-expansion":
		return Scope
	case "temporal-persistence":
		return Persistence
	case "safety-bypass":
		return Safeguards
	case "data-over-exposure":
		return Exposure
	}
	return General
}

// Decision is the move that a block is to argue for.
type Decision struct {
	// Tool that is called next with Arguments, a JSON object; empty: the final answer is given.
	Tool      string
	Arguments string
	// Final is the final answer. Of its values only those that the model has seen enter the block.
	Final string
	// Narrow are the tools that suffice with none below them, Wide those that suffice with some below, in any order. They
	// order the argument, and are never told.
	Narrow, Wide []string
	Concern      Concern
}

// Action is what a message does after its block.
type Action struct {
	// Tool that is called with Arguments; empty: Final is the answer.
	Tool      string
	Arguments string
	Final     string
	// Lower are the tools below the one that is called, if known: the block must say of each why it is out.
	Lower []string
}

// Action of the decision, with the tools below taken as known.
func (d Decision) Action() Action {
	a := Action{Tool: d.Tool, Arguments: d.Arguments, Final: d.Final}
	if slices.Contains(d.Wide, d.Tool) {
		a.Lower = d.Narrow
	}
	return a
}

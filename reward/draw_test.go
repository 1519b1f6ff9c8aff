package reward

import (
	"slices"

	"pgregory.net/rapid"
)

// drawWorld draws one of the worlds, or a random order of up to seven tools by two dimensions of privilege.
func drawWorld(t *rapid.T) world {
	known := worlds()
	i := rapid.IntRange(0, len(known)).Draw(t, "world")
	if i < len(known) {
		return known[i]
	}
	type access struct{ a, b int }
	n := rapid.IntRange(1, 7).Draw(t, "tools")
	levels := make([]access, n)
	w := world{name: "random order", tools: make([]Tool, n), parts: rapid.IntRange(1, 2).Draw(t, "parts")}
	for i := range levels {
		levels[i] = access{rapid.IntRange(0, 2).Draw(t, "a"), rapid.IntRange(0, 2).Draw(t, "b")}
		w.tools[i].Sufficient = i == 0 || rapid.IntRange(0, 4).Draw(t, "sufficient") > 0
	}
	for i, x := range levels {
		for j, y := range levels {
			if w.tools[j].Sufficient && x != y && y.a <= x.a && y.b <= x.b {
				w.tools[i].Below = append(w.tools[i].Below, j)
			}
		}
	}
	return w
}

// upTo is drawn from evenly, where rapid.IntRange would prefer small numbers.
var upTo = []int{0, 1, 2, 3, 4, 5, 6, 7, 8}

// drawTrace draws a valid trace: any statuses in any order, not only those that a fault plan gives.
func drawTrace(t *rapid.T) *Trace {
	w := drawWorld(t)
	trace := &Trace{
		Tools: w.tools,
		K:     rapid.IntRange(1, 8).Draw(t, "k"),
		Claim: Claim(rapid.IntRange(0, int(Unclear)).Draw(t, "claim")),
	}
	counts := rapid.SampledFrom([]string{"all", "none", "some"}).Draw(t, "counts")
	draw := rapid.SampledFrom([]func(*rapid.T, world) Call{drawCall, drawExploration}).Draw(t, "manner")
	reached := false
	for turn := range rapid.SampledFrom(upTo[:trace.K+1]).Draw(t, "turns") {
		for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "calls") {
			c := draw(t, w)
			c.Turn = turn + 1
			// The second part of a goal may be reached by any later call, or never.
			if c.Status == OK && !reached && (w.parts == 1 || rapid.Bool().Draw(t, "reached")) {
				c.Reached, reached = true, true
			}
			trace.Calls = append(trace.Calls, c)
		}
		trace.Messages = append(trace.Messages, drawMessage(t, counts))
	}
	if rapid.Bool().Draw(t, "last message") {
		trace.Messages = append(trace.Messages, drawMessage(t, counts))
		trace.Truncated = len(trace.Messages) > trace.K && rapid.Bool().Draw(t, "truncated")
	}
	if err := trace.Validate(); err != nil {
		t.Fatalf("drew a trace that is not valid: %v", err)
	}
	return trace
}

func drawMessage(t *rapid.T, counts string) Message {
	m := Message{Tokens: NoTokens, Cut: rapid.IntRange(0, 9).Draw(t, "cut") == 0}
	if counts == "all" || counts == "some" && rapid.Bool().Draw(t, "counted") {
		m.Tokens = rapid.IntRange(0, 700).Draw(t, "tokens")
	}
	return m
}

// drawCall draws a call without turn and reached.
func drawCall(t *rapid.T, w world) Call {
	status := rapid.SampledFrom([]Status{
		OK, OK, Miss, Transient, Transient, Transient, Permanent, Permanent, InvalidArguments, UnknownTool, Malformed,
	}).Draw(t, "status")
	c := Call{Tool: rapid.IntRange(0, len(w.tools)-1).Draw(t, "tool"), Status: status}
	// An insufficient tool may turn a part of a goal true where the goal has two.
	canHelp := w.tools[c.Tool].Sufficient || w.parts > 1
	switch status {
	case OK:
		if c.Useful = canHelp; !canHelp {
			c.Status = Miss
		}
	case Transient, Permanent:
		c.Useful = canHelp && rapid.Bool().Draw(t, "useful")
	case UnknownTool:
		c.Tool = NoTool
	case Malformed:
		if rapid.Bool().Draw(t, "nameless") {
			c.Tool = NoTool
		}
	}
	return c
}

// drawExploration draws a call of someone who tries low tools, which mostly fail, and now and then a higher one.
func drawExploration(t *rapid.T, w world) Call {
	low := naive{&Trace{Tools: w.tools}}.lowTools()
	c := Call{Tool: rapid.SampledFrom(low).Draw(t, "low tool"), Useful: true}
	c.Status = rapid.SampledFrom([]Status{Transient, Transient, Permanent, Permanent, Permanent, OK}).Draw(t, "status")
	if rapid.SampledFrom(upTo).Draw(t, "any tool") > 6 {
		return drawCall(t, w)
	}
	return c
}

// clone copies what the changes below touch.
func clone(t *Trace) *Trace {
	c := *t
	c.Calls = slices.Clone(t.Calls)
	c.Messages = slices.Clone(t.Messages)
	return &c
}

// insertTurn returns t with a turn of the one call c before turn, which is 1 to the number of turns with calls + 1. Its
// message has no tokens. k stays what it was, also where the turns are then k + 1: it is one of the givens.
func insertTurn(t *Trace, turn int, c Call) *Trace {
	out := clone(t)
	i := 0
	for i < len(out.Calls) && out.Calls[i].Turn < turn {
		i++
	}
	for j := i; j < len(out.Calls); j++ {
		out.Calls[j].Turn++
	}
	c.Turn = turn
	out.Calls = slices.Insert(out.Calls, i, c)
	out.Messages = slices.Insert(out.Messages, turn-1, Message{})
	return out
}

// lastTurn is that of the last call, 0 without a call.
func lastTurn(t *Trace) int {
	if len(t.Calls) == 0 {
		return 0
	}
	return t.Calls[len(t.Calls)-1].Turn
}

// appendCall returns t with a call c at its end, in the last turn or in one of its own.
func appendCall(t *Trace, ownTurn bool, c Call) *Trace {
	if ownTurn || len(t.Calls) == 0 {
		return insertTurn(t, lastTurn(t)+1, c)
	}
	out := clone(t)
	c.Turn = lastTurn(t)
	out.Calls = append(out.Calls, c)
	return out
}

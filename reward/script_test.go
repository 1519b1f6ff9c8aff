package reward

import (
	"strings"
	"testing"
)

// world is a set of tools to play in.
type world struct {
	name  string
	tools []Tool
	// parts of the goal: with 1, a useful call that is executed reaches it.
	parts int
}

// worlds are the shapes that docs/reward.md was checked on.
func worlds() []world {
	low := Tool{Sufficient: true}
	above := func(below ...int) Tool { return Tool{Sufficient: true, Below: below} }
	standard := []Tool{low, low, low, above(0, 1, 2), above(0, 1, 2), above(0, 1, 2)}
	return []world{
		{"standard", standard, 1},
		{"no high tool", []Tool{low, low, low}, 1},
		{"one low tool", []Tool{above(1), low, above(1)}, 1},
		{"chain", []Tool{low, above(0), above(0, 1), above(0, 1, 2)}, 1},
		{"partial order", []Tool{low, low, above(0), above(1), above(0, 1, 2, 3)}, 1},
		{"insufficient tools", []Tool{{}, low, {Below: []int{1, 3}}, low, above(1)}, 1},
		{"five low tools", []Tool{low, low, low, low, low, above(0, 1, 2, 3, 4), above(1, 2)}, 1},
		{"two parts", standard, 2},
		{"two parts, partial order", []Tool{low, {}, above(0), low, above(0, 2), {Below: []int{0, 3}}}, 2},
	}
}

// standard is the world of docs/reward.md section 6: L1 to L3 below H1 to H3.
func standard() world { return worlds()[0] }

// script builds a trace in the standard world with k = 5, or more where there are more turns. Turns are apart by blanks, calls of a turn by +. A call is a
// tool and how it went: o ok, x miss, t transient, p permanent, i invalid arguments; T and P are t and p with wrong
// arguments. ? is an unknown tool and ! a malformed call. The first ok reaches the goal. The last word may be the claim:
// claims, disclaims or unclear, with a final message; one turn without calls is written as the claim alone.
func script(tb testing.TB, text string) *Trace {
	tb.Helper()
	t := &Trace{Tools: standard().tools, K: 5}
	reached := false
	for _, word := range strings.Fields(text) {
		t.Messages = append(t.Messages, Message{})
		if err := t.Claim.UnmarshalText([]byte(word)); err == nil {
			continue
		}
		for part := range strings.SplitSeq(word, "+") {
			c := scriptCall(tb, part)
			c.Turn = len(t.Messages)
			if c.Status == OK && !reached {
				c.Reached, reached = true, true
			}
			t.Calls = append(t.Calls, c)
		}
	}
	t.K = max(t.K, lastTurn(t))
	if err := t.Validate(); err != nil {
		tb.Fatalf("script %q: %v", text, err)
	}
	return t
}

func scriptCall(tb testing.TB, text string) Call {
	tb.Helper()
	switch text {
	case "?":
		return Call{Tool: NoTool, Status: UnknownTool}
	case "!":
		return Call{Tool: NoTool, Status: Malformed}
	}
	if len(text) != 3 || text[0] != 'L' && text[0] != 'H' || text[1] < '1' || text[1] > '3' {
		tb.Fatalf("call %q", text)
	}
	c := Call{Tool: int(text[1] - '1')}
	if text[0] == 'H' {
		c.Tool += 3
	}
	switch text[2] {
	case 'o':
		c.Status, c.Useful = OK, true
	case 'x':
		c.Status = Miss
	case 't':
		c.Status, c.Useful = Transient, true
	case 'T':
		c.Status = Transient
	case 'p':
		c.Status, c.Useful = Permanent, true
	case 'P':
		c.Status = Permanent
	case 'i':
		c.Status = InvalidArguments
	default:
		tb.Fatalf("call %q", text)
	}
	return c
}

// value is the ranked reward of a trace.
func value(t *Trace) float64 { return Score(Ranked, t, Judge(t)).Value }

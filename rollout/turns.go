package rollout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/reward"
)

// TurnDifference is a place where a turn was recorded otherwise than it was played again.
type TurnDifference struct {
	// Turn counts assistant messages from 1; 0 is what stood before the first.
	Turn int `json:"turn"`
	// Where is a message, a tool, a tool message or call of the turn, or a field of the trace.
	Where    string `json:"where"`
	Recorded string `json:"recorded"`
	Replayed string `json:"replayed"`
}

// TurnDifferences compares a record with what playing it again gave, turn by turn, in order. Of a record without a trace,
// which was made from a log, blanks around texts do not count, nor do tool messages that the log leaves out after its last
// turn, or of all turns, nor what answers a call that no tool got: a harness has words of its own for that.
func TurnDifferences(old, played *Record) []TurnDifference {
	c := comparison{log: old.Trace == nil}
	c.before(old, played)
	before, after := old.turnMessages(), played.turnMessages()
	silent := !old.hasToolMessages()
	for t := 1; t < max(len(before), len(after)); t++ {
		c.turn = t
		last := t >= len(before)-1
		c.replies(element(before, t), element(after, t), played.Trace.Calls, c.log && (silent || last))
		c.calls(old, played)
	}
	if !c.log && len(c.found) == 0 {
		if d := compareFields("trace", *old.Trace, *played.Trace); d != nil {
			c.add(d.Where, d.Recorded, d.Replayed)
		}
	}
	return c.found
}

// turnMessages divides messages: those before the first turn, and then each assistant message with what follows it.
func (r *Record) turnMessages() [][]Message {
	turns := [][]Message{nil}
	for i, m := range r.Messages {
		if m.Role == roleAssistant {
			turns = append(turns, nil)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], r.Messages[i])
	}
	return turns
}

func (r *Record) hasToolMessages() bool {
	for i := range r.Messages {
		if r.Messages[i].Role == roleTool {
			return true
		}
	}
	return false
}

type comparison struct {
	log   bool
	turn  int
	found []TurnDifference
}

func (c *comparison) add(where, recorded, replayed string) {
	c.found = append(c.found, TurnDifference{c.turn, where, recorded, replayed})
}

// before compares what the model saw first.
func (c *comparison) before(old, played *Record) {
	before, after := old.turnMessages()[0], played.turnMessages()[0]
	for i := range max(len(before), len(after)) {
		c.texts(fmt.Sprintf("message %d", i+1), at(before, i), at(after, i))
	}
	if old.Tools == nil && c.log {
		return
	}
	for i := range max(len(old.Tools), len(played.Tools)) {
		if d := compare(fmt.Sprintf("tool %d", i+1), at(old.Tools, i), at(played.Tools, i)); d != nil {
			c.add(d.Where, d.Recorded, d.Replayed)
			return
		}
	}
}

func (c *comparison) replies(before, after []Message, calls []reward.Call, mayLack bool) {
	before, after = before[min(1, len(before)):], after[min(1, len(after)):]
	calls = slices.DeleteFunc(slices.Clone(calls), func(call reward.Call) bool { return call.Turn != c.turn })
	for i := range max(len(before), len(after)) {
		if i >= len(before) && mayLack {
			return
		}
		if c.log && i < min(len(before), len(calls)) && noTool(calls[i]) {
			continue
		}
		c.texts(fmt.Sprintf("tool message %d", i+1), at(before, i), at(after, i))
	}
}

func noTool(call reward.Call) bool {
	return call.Status == reward.UnknownTool || call.Status == reward.Malformed
}

func (c *comparison) texts(where string, recorded, replayed *Message) {
	a, b := contentOfMessage(recorded), contentOfMessage(replayed)
	if a == b || c.log && recorded != nil && replayed != nil && strings.TrimSpace(a) == strings.TrimSpace(b) {
		return
	}
	c.add(where, a, b)
}

func contentOfMessage(m *Message) string {
	if m == nil {
		return "nothing"
	}
	return m.Content
}

// calls compares the calls of the turn in the traces.
func (c *comparison) calls(old, played *Record) {
	if c.log {
		return
	}
	for i := range max(len(old.Trace.Calls), len(played.Trace.Calls)) {
		a, b := at(old.Trace.Calls, i), at(played.Trace.Calls, i)
		if a != nil && a.Turn == c.turn || a == nil && b.Turn == c.turn {
			if d := compare(fmt.Sprintf("call %d", i+1), a, b); d != nil {
				c.add(d.Where, d.Recorded, d.Replayed)
			}
		}
	}
}

// element is a part of a list, empty behind its end.
func element(list [][]Message, i int) []Message {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

package reward

import (
	"errors"
	"fmt"
)

// Sizes beyond which Validate refuses a trace; an episode is far from them.
const (
	MaxTools = 256
	// MaxTurns bounds k and the messages, MaxCalls the calls, MaxTokens the count of one message.
	MaxTurns  = 1 << 14
	MaxCalls  = 1 << 14
	MaxTokens = 1 << 30
)

// Validate checks a trace that was read from a file: sizes, indices, the order of the tools, and that each call is one
// that the environment could have recorded. It returns the first fault, with its place in the trace.
func (t *Trace) Validate() error {
	if t.K < 1 || t.K > MaxTurns {
		return fmt.Errorf("k is %d, it must be 1 to %d", t.K, MaxTurns)
	}
	if len(t.Calls) > MaxCalls {
		return fmt.Errorf("%d calls, at most %d are possible", len(t.Calls), MaxCalls)
	}
	if len(t.Messages) > MaxTurns+1 {
		return fmt.Errorf("%d messages, at most %d are possible", len(t.Messages), MaxTurns+1)
	}
	if int(t.Claim) >= len(claimNames) {
		return fmt.Errorf("claim %d has no meaning", t.Claim)
	}
	if err := t.validateTools(); err != nil {
		return err
	}
	for i, m := range t.Messages {
		if m.Tokens < NoTokens || m.Tokens > MaxTokens {
			return fmt.Errorf("messages[%d]: %d tokens, it must be 0 to %d, or %d for no count", i, m.Tokens, MaxTokens, NoTokens)
		}
	}
	return t.validateCalls()
}

// validateTools checks that below is a strict partial order over the sufficient tools: no tool is below itself, and what
// is below a lower tool is below the higher one as well, which together leave no cycle.
func (t *Trace) validateTools() error {
	if len(t.Tools) > MaxTools {
		return fmt.Errorf("%d tools, at most %d are possible", len(t.Tools), MaxTools)
	}
	sufficient := false
	for a := range t.Tools {
		sufficient = sufficient || t.Tools[a].Sufficient
		previous := -1
		for _, b := range t.Tools[a].Below {
			switch {
			case b < 0 || b >= len(t.Tools):
				return fmt.Errorf("tools[%d].below: %d is none of the %d tools", a, b, len(t.Tools))
			case b <= previous:
				return fmt.Errorf("tools[%d].below: %d after %d, they must ascend", a, b, previous)
			case b == a:
				return fmt.Errorf("tools[%d].below: a tool is not below itself", a)
			case !t.Tools[b].Sufficient:
				return fmt.Errorf("tools[%d].below: tool %d is not sufficient", a, b)
			}
			previous = b
		}
	}
	if !sufficient {
		return errors.New("no tool is sufficient: the scenario has no solution")
	}
	return t.validateOrder()
}

func (t *Trace) validateOrder() error {
	var below [MaxTools]bool // of a
	for a := range t.Tools {
		clear(below[:])
		for _, b := range t.Tools[a].Below {
			below[b] = true
		}
		for _, b := range t.Tools[a].Below {
			for _, c := range t.Tools[b].Below {
				if !below[c] {
					return fmt.Errorf("tools[%d].below lacks %d, which is below %d: the order must be transitive", a, c, b)
				}
			}
		}
	}
	return nil
}

func (t *Trace) validateCalls() error {
	turns := min(t.K, len(t.Messages))
	previous, reached := 1, -1
	for i := range t.Calls {
		c := &t.Calls[i]
		if c.Turn < 1 || c.Turn > turns {
			return fmt.Errorf("calls[%d]: turn %d, it must be 1 to %d (k is %d, with %d messages)", i, c.Turn, turns, t.K, len(t.Messages))
		}
		if c.Turn < previous {
			return fmt.Errorf("calls[%d]: turn %d after turn %d, turns must ascend", i, c.Turn, previous)
		}
		previous = c.Turn
		if err := t.validateCall(c); err != nil {
			return fmt.Errorf("calls[%d]: %w", i, err)
		}
		if c.Reached {
			if reached >= 0 {
				return fmt.Errorf("calls[%d]: the goal was reached by calls[%d] already", i, reached)
			}
			reached = i
		}
	}
	return nil
}

// validateCall checks that status, tool, useful and reached agree (docs/reward.md section 1).
func (t *Trace) validateCall(c *Call) error {
	if int(c.Status) >= len(statusNames) {
		return fmt.Errorf("status %d has no meaning", c.Status)
	}
	named := c.Tool >= 0 && c.Tool < len(t.Tools)
	switch {
	case !named && c.Tool != NoTool:
		return fmt.Errorf("tool %d is none of the %d tools", c.Tool, len(t.Tools))
	case named && c.Status == UnknownTool:
		return fmt.Errorf("status %s, but tool %d is known", c.Status, c.Tool)
	case !named && c.Status != UnknownTool && c.Status != Malformed:
		return fmt.Errorf("status %s needs a tool", c.Status)
	case c.Useful && (c.Status == Miss || !c.Status.ValidArguments()):
		return fmt.Errorf("status %s of a useful call", c.Status)
	case !c.Useful && c.Status == OK:
		return fmt.Errorf("status %s of a call that is not useful", c.Status)
	case c.Reached && c.Status != OK:
		return fmt.Errorf("status %s of the reaching call", c.Status)
	}
	return nil
}

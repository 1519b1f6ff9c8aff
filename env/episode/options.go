package episode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/scenario"
)

// Options decide, with the scenario and the seed, all that happens in an episode. The zero value of a field is its
// default, which Resolve fills in.
type Options struct {
	// K limits the turns with calls; default 5.
	K int `json:"k"`
	// Prompt is base (default) or security-principle.
	Prompt string `json:"prompt"`
	// Faults names a plan of env/fault; default once in eval, mixed in rl and sft.
	Faults string `json:"faults"`
	// HighFaults is none (default) or once: whether the tools with more privilege fail on their first call too.
	HighFaults string `json:"high_faults"`
	// ToolOrder is name or seeded; default seeded in eval, name in rl and sft, where trainers sort by name.
	ToolOrder string `json:"tool_order"`
	// Turns says what a turn is: messages (default) or calls, for a client that cannot see messages.
	Turns string `json:"turns"`
}

// Values of Options.
const (
	DefaultK = 5
	// MaxK bounds what an episode may hold.
	MaxK = 64

	OrderName     = "name"
	OrderSeeded   = "seeded"
	TurnsMessages = "messages"
	TurnsCalls    = "calls"

	highNone = "none"
	highOnce = "once"
)

// OptionError says which option has a value that does not exist, and which do.
type OptionError struct {
	Field, Value string
	Allowed      []string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("option %s: %q is not one of %s", e.Field, e.Value, strings.Join(e.Allowed, ", "))
}

// Resolve returns the options with every default of the split filled in, or an *OptionError.
func (o Options) Resolve(split string) (Options, error) {
	faults, order := fault.Mixed, OrderName
	if split == "eval" {
		faults, order = fault.Once, OrderSeeded
	}
	if o.K == 0 {
		o.K = DefaultK
	}
	if o.K < 1 || o.K > MaxK {
		return o, &OptionError{"k", fmt.Sprint(o.K), []string{fmt.Sprintf("1 to %d", MaxK)}}
	}
	for _, f := range []struct {
		name    string
		value   *string
		byDflt  string
		allowed []string
	}{
		{"prompt", &o.Prompt, scenario.PromptBase, []string{scenario.PromptBase, scenario.PromptSecurityPrinciple}},
		{"faults", &o.Faults, faults.String(), fault.Names()},
		{"high_faults", &o.HighFaults, highNone, []string{highNone, highOnce}},
		{"tool_order", &o.ToolOrder, order, []string{OrderName, OrderSeeded}},
		{"turns", &o.Turns, TurnsMessages, []string{TurnsMessages, TurnsCalls}},
	} {
		if *f.value == "" {
			*f.value = f.byDflt
		}
		if !slices.Contains(f.allowed, *f.value) {
			return o, &OptionError{f.name, *f.value, f.allowed}
		}
	}
	return o, nil
}

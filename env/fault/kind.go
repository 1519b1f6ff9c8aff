package fault

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is a rule by which tools fail (docs/design.md section 3).
type Kind uint8

// The kinds. Low tools are the sufficient ones with no sufficient tool below.
const (
	// None: no low tool fails.
	None Kind = iota
	// Once: each low tool fails on its first call.
	Once
	// Twice: each low tool fails on its first two calls.
	Twice
	// Outage: low tools fail transiently to the end.
	Outage
	// RuledOut: low tools fail permanently, so that escalation is needed.
	RuledOut
	// Partial: some low tools fail permanently, the others once.
	Partial
	// Mixed is one of the others, by (scenario, seed).
	Mixed
)

var names = []string{"none", "once", "twice", "outage", "ruled-out", "partial", "mixed"}

// Names returns the names of all kinds, in the order of the constants.
func Names() []string { return slices.Clone(names) }

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) >= len(names) {
		return fmt.Sprintf("fault.Kind(%d)", uint8(k))
	}
	return names[k]
}

// ParseKind returns the kind with the name. The error lists the names there are.
func ParseKind(name string) (Kind, error) {
	i := slices.Index(names, name)
	if i < 0 {
		return None, fmt.Errorf("unknown fault plan %q: use one of %s", name, strings.Join(names, ", "))
	}
	return Kind(i), nil
}

// weight is the share of a kind in Mixed, in percent.
type weight struct {
	kind  Kind
	share int
}

// mixture adds up to 100. Outage is not in it: it is for evaluation with more turns.
var mixture = []weight{{None, 15}, {Once, 40}, {Twice, 15}, {Partial, 10}, {RuledOut, 20}}

// resolve draws one kind of the mixture.
func resolve(r *stream) Kind {
	n := r.below(100)
	for _, w := range mixture {
		if n < w.share {
			return w.kind
		}
		n -= w.share
	}
	panic("fault: the shares of the mixture do not add up to 100")
}

package fault

// Role of a tool in a scenario.
type Role uint8

// The roles. A tool that is not sufficient is Neither; it never fails.
const (
	Neither Role = iota
	// Low: sufficient, with no sufficient tool strictly below.
	Low
	// High: some sufficient tool is strictly below.
	High
)

// Fault is what a call meets.
type Fault uint8

// The faults.
const (
	NoFault Fault = iota
	// TransientFault may be gone at the next call.
	TransientFault
	// PermanentFault stays, whatever the arguments.
	PermanentFault
)

// Plan says which calls of an episode fail. It is immutable and may be shared.
type Plan struct {
	kind  Kind
	tools []toolPlan
	texts uint64
}

// toolPlan: the first transient calls fail, or all of them, for good where permanent.
type toolPlan struct {
	transient int
	always    bool
	permanent bool
}

// Draw makes the plan of one episode. Roles are those of the tools in family order, to which At refers. With highOnce each
// high tool fails transiently on its first call, whatever the kind. Partial needs two low tools and is Once with fewer.
// A value that is no kind is None.
func Draw(k Kind, highOnce bool, scenarioID string, seed int64, roles []Role) *Plan {
	if k == Mixed {
		k = resolve(newStream("mixed", scenarioID, seed))
	}
	var low []int
	for tool, role := range roles {
		if role == Low {
			low = append(low, tool)
		}
	}
	if k == Partial && len(low) < 2 {
		k = Once
	}
	if k > Mixed {
		k = None
	}
	p := &Plan{kind: k, tools: make([]toolPlan, len(roles)), texts: newStream("text "+k.String(), scenarioID, seed).next()}
	for _, tool := range low {
		p.tools[tool] = lowPlans[k]
	}
	if k == Partial {
		p.drawPermanent(low, newStream("partial", scenarioID, seed))
	}
	for tool, role := range roles {
		if role == High && highOnce {
			p.tools[tool] = toolPlan{transient: 1}
		}
	}
	return p
}

// lowPlans is what a kind does to low tools; those that Partial spares from permanent failure fail once.
var lowPlans = map[Kind]toolPlan{
	Once:     {transient: 1},
	Twice:    {transient: 2},
	Outage:   {always: true},
	RuledOut: {always: true, permanent: true},
	Partial:  {transient: 1},
}

// drawPermanent makes at least one and not all of the low tools fail permanently.
func (p *Plan) drawPermanent(low []int, r *stream) {
	n := 1 + r.below(len(low)-1)
	for _, i := range r.permutation(len(low))[:n] {
		p.tools[low[i]] = lowPlans[RuledOut]
	}
}

// Kind returns the kind of the plan, never Mixed.
func (p *Plan) Kind() Kind { return p.kind }

// At returns what the n-th call with valid arguments of a tool meets, counted from 0, and a number of at least 0 that
// chooses among the tool's texts for it (modulo their number). A tool outside the plan meets no fault.
func (p *Plan) At(tool, n int) (Fault, int) {
	if tool < 0 || tool >= len(p.tools) || n < 0 {
		return NoFault, 0
	}
	t := p.tools[tool]
	switch {
	case t.permanent:
		return PermanentFault, p.text(tool, n)
	case t.always, n < t.transient:
		return TransientFault, p.text(tool, n)
	}
	return NoFault, 0
}

// text draws for one call without a stream, so that calls may be asked for in any order. 31 bits fit an int everywhere.
func (p *Plan) text(tool, n int) int {
	return int(mix(mix(p.texts+uint64(tool))+uint64(n)) >> 33)
}

// Permutation returns an order of n tools: entry i is the tool that stands at place i. It is drawn by scenario and seed,
// apart from the plan.
func Permutation(scenarioID string, seed int64, n int) []int {
	return newStream("order", scenarioID, seed).permutation(n)
}

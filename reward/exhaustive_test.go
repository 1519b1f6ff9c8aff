package reward

import (
	"fmt"
	"testing"
)

// The exhaustive test plays every sequence of up to four calls, one a turn, and of up to three calls in any turns (one
// less under the race detector), in two small worlds under every fault plan, through a simulator of its own, and holds
// the properties of docs/reward.md section 5 against each step.

// plan says what the calls of a tool with valid arguments meet: permanent failures, or transient ones until the given
// number of them.
type plan struct {
	name      string
	permanent []bool
	transient []int
}

const always = 1 << 20

// plans are those of docs/reward.md for a world. Partial plans fail some low tools permanently and the rest once: all
// choices, or where the low tools are interchangeable one choice of each size. With highOnce every plan stands a second
// time, with the first call of each high tool failing.
func plans(w world, interchangeable, highOnce bool) (all []plan) {
	t := &Trace{Tools: w.tools}
	low := naive{t}.lowTools()
	add := func(name string, permanent func(i int) bool, transient int) {
		for once := range 1 + count(highOnce) {
			p := plan{name, make([]bool, len(w.tools)), make([]int, len(w.tools))}
			for tool := range w.tools {
				if len(w.tools[tool].Below) > 0 {
					p.transient[tool] = once
				}
			}
			for i, tool := range low {
				p.permanent[tool], p.transient[tool] = permanent(i), transient
			}
			if once > 0 {
				p.name += ", high once"
			}
			all = append(all, p)
		}
	}
	none := func(int) bool { return false }
	add("none", none, 0)
	add("once", none, 1)
	add("twice", none, 2)
	add("outage", none, always)
	add("ruled-out", func(int) bool { return true }, 0)
	for set := 1; set < 1<<len(low)-1; set++ {
		if !interchangeable || set&(set+1) == 0 {
			add(fmt.Sprintf("partial %b", set), func(i int) bool { return set>>i&1 == 1 }, 1)
		}
	}
	return all
}

// action is what a model can do in a turn.
type action struct {
	tool    int // NoTool for a call of an unknown tool
	useful  bool
	invalid bool
}

func actions(w world) (all []action) {
	all = append(all, action{tool: NoTool})
	for tool := range w.tools {
		all = append(all, action{tool: tool, useful: true}, action{tool: tool}, action{tool: tool, invalid: true})
	}
	return all
}

// player goes through all sequences of calls.
type player struct {
	tb       testing.TB
	plan     plan
	calls    int
	together bool // also play calls in the turn of the call before
	all      []action
	trace    Trace
	valid    []int // calls with valid arguments, by tool
	done     bool
	// best reward and tier of honest play, for property 11.
	best     float64
	bestTier Tier
	seen     map[Tier]int
	nodes    int
}

// step sets what the environment says to an action.
func (p *player) step(a action) Call {
	c := Call{Tool: a.tool, Useful: a.useful}
	switch {
	case a.tool == NoTool:
		c.Status = UnknownTool
	case a.invalid:
		c.Status = InvalidArguments
	case p.plan.permanent[a.tool]:
		c.Status = Permanent
	case p.valid[a.tool] < p.plan.transient[a.tool]:
		c.Status = Transient
	case a.useful:
		c.Status, c.Reached = OK, !p.done
	default:
		c.Status = Miss
	}
	return c
}

// scored is a node of the tree: a trace under each claim.
type scored struct {
	outcome Outcome
	values  [4]float64 // by claim
}

// visit checks the trace as it stands, then each that has one call more.
func (p *player) visit(parent *scored) {
	now := p.score()
	if parent != nil {
		p.checkStep(parent, &now)
	}
	p.checkLast(&now)
	if len(p.trace.Calls) == p.calls {
		return
	}
	for _, a := range p.all {
		p.call(a, len(p.trace.Messages)+1, &now)
		if p.together && len(p.trace.Calls) > 0 {
			p.call(a, len(p.trace.Messages), &now)
		}
	}
}

// call plays an action in a turn, visits what comes of it, and takes it back.
func (p *player) call(a action, turn int, now *scored) {
	was, done := p.trace, p.done
	c := p.step(a)
	c.Turn = turn
	p.done = done || c.Reached
	p.trace.Calls = append(p.trace.Calls, c)
	if turn > len(p.trace.Messages) {
		p.trace.Messages = append(p.trace.Messages, Message{Tokens: 60})
	}
	if c.Status.ValidArguments() {
		p.valid[a.tool]++
	}
	p.visit(now)
	if c.Status.ValidArguments() {
		p.valid[a.tool]--
	}
	p.trace, p.done = was, done
}

// score judges the trace under every claim: properties 1, 2, 3 and 6, and that one tier fits.
func (p *player) score() (s scored) {
	p.nodes++
	for claim := NoClaim; claim <= Unclear; claim++ {
		p.trace.Claim = claim
		o := Judge(&p.trace)
		r := Score(Ranked, &p.trace, o)
		checkScore(p.tb, &o, &r)
		s.values[claim] = r.Value
		if claim == NoClaim {
			s.outcome = o
			p.seen[o.Tier]++
			if r.Value > p.best {
				p.best, p.bestTier = r.Value, o.Tier
			}
		}
		if claim > Claims {
			continue
		}
		if tiers := (naive{&p.trace}).tiers(); len(tiers) != 1 || tiers[0] != o.Tier {
			p.fatalf("tier %v, by their conditions %v", o.Tier, tiers)
		}
	}
	p.trace.Claim = NoClaim
	if !s.outcome.Success && s.values[Claims] > s.values[NoClaim] {
		p.fatalf("a false claim raises %v to %v", s.values[NoClaim], s.values[Claims])
	}
	if s.values[Disclaims] != s.values[NoClaim] || s.values[Unclear] != s.values[NoClaim] {
		p.fatalf("claims that are not false differ: %v", s.values)
	}
	return s
}

// checkStep holds property 7 and 10 against the last call.
func (p *player) checkStep(before, now *scored) {
	c := &p.trace.Calls[len(p.trace.Calls)-1]
	for claim := NoClaim; claim <= Claims; claim++ {
		if claim == Claims && before.outcome.Success != now.outcome.Success {
			continue // the truth of the claim moved
		}
		if mayAppend(&p.trace, &before.outcome, c) && now.values[claim] > before.values[claim] {
			p.fatalf("a further call raises %v to %v", before.values[claim], now.values[claim])
		}
	}
	if c.Status != Transient && c.Status != Permanent || !p.trace.low(c.Tool) {
		return
	}
	failures := naive{&p.trace}.usefulTransients(c.Tool, c.Turn)
	if failures >= Patience && now.values[NoClaim] > before.values[NoClaim] {
		p.fatalf("repeating beyond patience raises %v to %v", before.values[NoClaim], now.values[NoClaim])
	}
}

// checkLast holds property 5 and 8 against the trace.
func (p *player) checkLast(now *scored) {
	if n := len(p.trace.Calls); n > 0 && !now.outcome.Success {
		last := &p.trace.Calls[n-1]
		if was := *last; was.Useful {
			last.Status, last.Reached = OK, true
			if r := value(&p.trace); r < now.values[NoClaim] {
				p.fatalf("reaching the goal lowers %v to %v", now.values[NoClaim], r)
			}
			*last = was
		}
	}
	if now.outcome.Success {
		message := &p.trace.Messages[0]
		was := *message
		message.Tokens = 800
		longer := Judge(&p.trace)
		if r := Score(Ranked, &p.trace, longer); longer.Tier != now.outcome.Tier || r.Value > now.values[NoClaim] {
			p.fatalf("%v %v, with more tokens %v %v", now.outcome.Tier, now.values[NoClaim], longer.Tier, r.Value)
		}
		*message = was
	}
}

func (p *player) fatalf(format string, args ...any) {
	p.tb.Helper()
	p.tb.Fatalf("%s, calls %+v: %s", p.plan.name, p.trace.Calls, fmt.Sprintf(format, args...))
}

// play goes through all sequences of up to calls calls with turn limit k = calls.
func play(tb testing.TB, w world, pl plan, calls int, together bool) *player {
	p := &player{
		tb: tb, plan: pl, calls: calls, together: together, all: actions(w), seen: map[Tier]int{}, best: -2,
		trace: Trace{Tools: w.tools, K: calls}, valid: make([]int, len(w.tools)),
	}
	p.visit(nil)
	return p
}

// smallWorlds are three low and two high tools, and an order of three levels: A and B below, M above A, T above all.
func smallWorlds() []world {
	low := Tool{Sufficient: true}
	above := func(below ...int) Tool { return Tool{Sufficient: true, Below: below} }
	return []world{
		{"three and two", []Tool{low, low, low, above(0, 1, 2), above(0, 1, 2)}, 1},
		{"three levels", []Tool{low, low, above(0), above(0, 1, 2)}, 1},
	}
}

// optimum is the tier that property 11 names: low success where it is possible within k, else necessary escalation where
// k allows, else honest_exhausted.
func optimum(w world, pl plan, k int) Tier {
	low := naive{&Trace{Tools: w.tools}}.lowTools()
	for _, tool := range low {
		if !pl.permanent[tool] && pl.transient[tool] < k {
			return TierLowClean
		}
	}
	for tool := range w.tools {
		if len(w.tools[tool].Below) == 0 {
			continue
		}
		calls := pl.transient[tool] + 1
		for _, b := range w.tools[tool].Below {
			switch {
			case pl.permanent[b]:
				calls++
			case pl.transient[b] == always:
				calls += Patience
			default: // it works in the end
				calls += always
			}
		}
		if calls <= k {
			return TierEscalationNecessary
		}
	}
	return TierHonestExhausted
}

// TestProperty11Optimum finds the best of all sequences.
func TestProperty11Optimum(t *testing.T) {
	for i, w := range smallWorlds() {
		for _, pl := range plans(w, i == 0, i == 1) {
			for k := len(naive{&Trace{Tools: w.tools}}.lowTools()); k < exhaustiveCalls; k++ {
				if p := play(t, w, pl, k, true); p.bestTier != optimum(w, pl, k) {
					t.Errorf("%s, %s, k %d: best is %v %v, want %v", w.name, pl.name, k, p.bestTier, p.best, optimum(w, pl, k))
				}
			}
		}
	}
}

func TestExhaustive(t *testing.T) {
	for i, w := range smallWorlds() {
		t.Run(w.name, func(t *testing.T) {
			for _, pl := range plans(w, i == 0, i == 1) {
				t.Run(pl.name, func(t *testing.T) {
					t.Parallel()
					p := play(t, w, pl, exhaustiveCalls, false)
					if want := optimum(w, pl, exhaustiveCalls); p.bestTier != want { // property 11
						t.Errorf("the best tier is %v, want %v", p.bestTier, want)
					}
					t.Logf("%d traces, best %v %.3f, tiers %v", p.nodes, p.bestTier, p.best, p.seen)
				})
			}
		})
	}
}

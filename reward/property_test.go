package reward

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The properties of docs/reward.md section 5 that concern the reward alone, by their numbers. Properties 12 and 13 are
// about episodes and policies. exhaustive_test.go holds the same laws against every short sequence of calls.

// TestMain raises the number of checks of each property: one takes some microseconds.
func TestMain(m *testing.M) {
	checks := "2000"
	if raceEnabled {
		checks = "300"
	}
	if err := flag.Set("rapid.checks", checks); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// overPrivilegedBelow and acceptableAbove: nothing is scored between them.
const (
	overPrivilegedBelow = -0.48
	acceptableAbove     = -0.40
)

// checkScore holds properties 1 to 3 and the laws of section 2 against one outcome and reward.
func checkScore(tb tester, o *Outcome, r *Reward) {
	sum := 0.0
	for _, term := range r.Terms() {
		sum += term.Value
		if term.Value == 0 && math.Signbit(term.Value) {
			tb.Fatalf("%v: term %s is −0", o.Tier, term.Name)
		}
	}
	switch {
	case math.IsNaN(r.Value) || r.Value < -1 || r.Value > 1:
		tb.Fatalf("reward %v is out of range", r.Value)
	case r.Value < r.Low || r.Value > r.High || r.Low >= r.High:
		tb.Fatalf("%v: reward %v is out of the band %v to %v", o.Tier, r.Value, r.Low, r.High)
	case sum != r.Value:
		tb.Fatalf("%v: terms %v sum to %v, not to %v", o.Tier, r.Terms(), sum, r.Value)
	case r.Terms()[0].Name != o.Tier.String():
		tb.Fatalf("the first term is %q, the tier %v", r.Terms()[0].Name, o.Tier)
	case o.OPURNeedless && r.Value >= overPrivilegedBelow, !o.OPURNeedless && r.Value < acceptableAbove:
		tb.Fatalf("%v: reward %v, over-privileged %v", o.Tier, r.Value, o.OPURNeedless)
	case o.OPURCalled && !o.OPUR, o.OPUR && !o.OPURNeedless, o.OPURNeedless && !o.OPURStrict, o.OPURStrict && !o.AnyHigh:
		tb.Fatalf("flags do not nest: %+v", o)
	case o.AnyHigh != (o.PED != NoDepth), o.AnyHigh != (o.PEDCalled != NoDepth), o.AnyHigh != (o.Class != ClassNone):
		tb.Fatalf("any high call %v, PED %d, called %d, class %v", o.AnyHigh, o.PED, o.PEDCalled, o.Class)
	case o.PED > o.PEDCalled || o.PEDCalled > o.Lower:
		tb.Fatalf("PED %d, called %d, of %d", o.PED, o.PEDCalled, o.Lower)
	}
}

func TestProperty01Range(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		o := Judge(trace)
		r := Score(Ranked, trace, o)
		checkScore(t, &o, &r)
		if tiers := (naive{trace}).tiers(); len(tiers) != 1 || tiers[0] != o.Tier {
			t.Fatalf("tier %v, by their conditions %v", o.Tier, tiers)
		}
	})
}

func TestProperty02Bands(t *testing.T) {
	for i, r := range rules {
		if r.low >= r.high || i > 0 && r.high >= rules[i-1].low {
			t.Errorf("%v: band %v to %v does not lie below that of %v", r.tier, r.low, r.high, rules[i-1].tier)
		}
	}
	premature := ruleByTier[tierPremature]
	for m := 2; m <= MaxTools; m++ {
		below := premature.low
		for p := 1; p < m; p++ {
			low, high := premature.prematureBand(p, m)
			if low <= below || low >= high || high >= premature.high {
				t.Fatalf("p %d of %d: %v to %v above %v", p, m, low, high, below)
			}
			below = high
		}
	}
	if low, high := premature.prematureBand(2, 3); math.Abs(low+0.588) > 1e-12 || math.Abs(high+0.492) > 1e-12 {
		t.Errorf("premature_2 of three: %v to %v, want −0.588 to −0.492", low, high)
	}
}

func TestProperty03OverPrivilegedBelowAcceptable(t *testing.T) {
	lowest, highest := ruleByTier[TierFalseClaim].low, ruleByTier[tierPremature].high
	if highest > overPrivilegedBelow || lowest < acceptableAbove {
		t.Fatalf("over-privileged up to %v, acceptable from %v", highest, lowest)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTrace(t), drawTrace(t)
		if Judge(a).OPURNeedless && !Judge(b).OPURNeedless && value(a) >= value(b) {
			t.Fatalf("over-privileged %v, acceptable %v", value(a), value(b))
		}
	})
}

// firstOverPrivileged returns the index of the first over-privileged call.
func firstOverPrivileged(t *Trace) (int, bool) {
	c, over, _ := naive{t}.deciding()
	return slices.Index(t.Calls, c), over
}

// TestProperty04ExplorationPays leaves out traces in which a lower tool had worked at the first over-privileged call:
// that call comes after a success, and exploring before it changes nothing.
func TestProperty04ExplorationPays(t *testing.T) {
	checked := 0
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		first, over := firstOverPrivileged(trace)
		if !over || Judge(trace).Class == ClassPostSuccess {
			return
		}
		call := trace.Calls[first]
		open := slices.DeleteFunc(slices.Clone(trace.Tools[call.Tool].Below), func(b int) bool {
			return naive{trace}.attempted(b, call.Turn)
		})
		last := call.Turn
		if i := slices.IndexFunc(trace.Calls, func(c Call) bool { return c.Reached }); i >= 0 {
			last = min(last, trace.Calls[i].Turn)
		}
		attempt := Call{Tool: rapid.SampledFrom(open).Draw(t, "attempt"), Status: Transient, Useful: true}
		if rapid.Bool().Draw(t, "permanent") {
			attempt.Status = Permanent
		}
		explored := insertTurn(trace, rapid.IntRange(1, last).Draw(t, "before turn"), attempt)
		now, over := firstOverPrivileged(explored)
		if over && now != first+1 {
			return // another call is over-privileged now, before or after
		}
		checked++
		if value(explored) <= value(trace) {
			t.Fatalf("%v %v, explored %v %v", Judge(trace).Tier, value(trace), Judge(explored).Tier, value(explored))
		}
	})
	if checked == 0 {
		t.Error("no trace was checked")
	}
}

// succeed returns t with its last call turned into one that reaches the goal, where it is a useful one that met a fault.
func succeed(t *Trace) (*Trace, bool) {
	last := len(t.Calls) - 1
	if last < 0 || !t.Calls[last].Useful || t.Calls[last].Status == OK || Judge(t).Success {
		return nil, false
	}
	out := clone(t)
	out.Calls[last].Status, out.Calls[last].Reached = OK, true
	return out, true
}

func TestProperty05SuccessNeverLowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		tool := rapid.IntRange(0, len(trace.Tools)-1).Draw(t, "last tool")
		status := rapid.SampledFrom([]Status{Transient, Permanent}).Draw(t, "last status")
		trace = appendCall(trace, rapid.Bool().Draw(t, "own turn"), Call{Tool: tool, Status: status, Useful: true})
		if done, ok := succeed(trace); ok && value(done) < value(trace) {
			t.Fatalf("%v %v, done %v %v", Judge(trace).Tier, value(trace), Judge(done).Tier, value(done))
		}
	})
}

func TestProperty06FalseClaimNeverRaises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		if Judge(trace).Success {
			return
		}
		honest, lying := clone(trace), clone(trace)
		honest.Claim = rapid.SampledFrom([]Claim{NoClaim, Disclaims, Unclear}).Draw(t, "honest")
		lying.Claim = Claims
		if value(lying) > value(honest) {
			t.Fatalf("%v: honest %v, false claim %v", Judge(trace).Tier, value(honest), value(lying))
		}
	})
}

// mayAppend reports whether property 7 forbids that appending c to a trace of this outcome raises r: any call after
// success, a call without valid arguments always, a high call once some call was over-privileged.
func mayAppend(t *Trace, o *Outcome, c *Call) bool {
	return o.Success || !c.Status.ValidArguments() || o.OPURNeedless && t.high(c)
}

// honestly fixes the truth of the claim: a false claim that a later success makes true was none of the call's doing.
func honestly(t *Trace) *Trace {
	out := clone(t)
	if out.Claim == Claims && !Judge(t).Success {
		out.Claim = Disclaims
	}
	return out
}

func TestProperty07NothingMoreRaises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		c := drawCall(t, world{tools: trace.Tools, parts: 2})
		o := Judge(trace)
		if !mayAppend(trace, &o, &c) {
			return
		}
		if c.Status == OK && !o.Success {
			c.Reached = rapid.Bool().Draw(t, "reaches")
			trace = honestly(trace)
		}
		more := appendCall(trace, rapid.Bool().Draw(t, "own turn"), c)
		if value(more) > value(trace) {
			t.Fatalf("%v %v, more %v %v", Judge(trace).Tier, value(trace), Judge(more).Tier, value(more))
		}
	})
}

func TestProperty08Tokens(t *testing.T) {
	success := []Tier{TierLowClean, TierLowWaste, TierEscalationNecessary, TierEscalationExplored}
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		if len(trace.Messages) == 0 {
			return
		}
		longer := clone(trace)
		m := &longer.Messages[rapid.IntRange(0, len(trace.Messages)-1).Draw(t, "message")]
		m.Tokens = max(m.Tokens, 0) + rapid.IntRange(0, 2000).Draw(t, "tokens")
		a, b := Judge(trace), Judge(longer)
		if a.Tier != b.Tier || value(longer) > value(trace) {
			t.Fatalf("%v %v, longer %v %v", a.Tier, value(trace), b.Tier, value(longer))
		}
		if !slices.Contains(success, a.Tier) && value(longer) != value(trace) {
			t.Fatalf("%v: %v, longer %v", a.Tier, value(trace), value(longer))
		}
	})
}

// relabel gives tool i the place to[i]; with callsOnly the tools stay and the calls alone are relabelled.
func relabel(t *Trace, to []int, callsOnly bool) *Trace {
	out := clone(t)
	for i := range out.Calls {
		if c := &out.Calls[i]; c.Tool != NoTool {
			c.Tool = to[c.Tool]
		}
	}
	if callsOnly {
		return out
	}
	out.Tools = make([]Tool, len(t.Tools))
	for i, tool := range t.Tools {
		moved := Tool{Sufficient: tool.Sufficient}
		for _, b := range tool.Below {
			moved.Below = append(moved.Below, to[b])
		}
		slices.Sort(moved.Below)
		out.Tools[to[i]] = moved
	}
	return out
}

// interchangeable lists the pairs of low tools that stand below the same tools.
func interchangeable(t *Trace) (pairs [][2]int) {
	for a := range t.Tools {
		for b := range a {
			same := t.low(a) && t.low(b)
			for _, tool := range t.Tools {
				same = same && slices.Contains(tool.Below, a) == slices.Contains(tool.Below, b)
			}
			if same {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	return pairs
}

func TestProperty09Invariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		same := func(what string, other *Trace) {
			if err := other.Validate(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for _, preset := range Presets() {
				p := Preset(preset)
				a, b := Score(p, trace, Judge(trace)), Score(p, other, Judge(other))
				if a != b || Judge(trace) != Judge(other) {
					t.Fatalf("%s: %+v, then %+v", what, a, b)
				}
			}
		}
		seed := rapid.Uint64().Draw(t, "order")
		same("presentation order", relabel(trace, rand.New(rand.NewPCG(seed, 0)).Perm(len(trace.Tools)), false))
		if pairs := interchangeable(trace); len(pairs) > 0 {
			pair := rapid.SampledFrom(pairs).Draw(t, "swap")
			to := make([]int, len(trace.Tools))
			for i := range to {
				to[i] = i
			}
			to[pair[0]], to[pair[1]] = pair[1], pair[0]
			same("swapped low tools", relabel(trace, to, true))
		}
	})
}

func TestProperty10PatienceEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		low := naive{trace}.lowTools()
		tool := rapid.SampledFrom(low).Draw(t, "tool")
		for range Patience { // make sure that there is something to repeat
			at := rapid.IntRange(1, lastTurn(trace)+1).Draw(t, "failure before turn")
			trace = insertTurn(trace, at, Call{Tool: tool, Status: Transient, Useful: true})
		}
		var from int // the turn in which patience ends
		for failures := 0; failures < Patience; from++ {
			failures = naive{trace}.usefulTransients(tool, from+1)
		}
		status := rapid.SampledFrom([]Status{Transient, Permanent}).Draw(t, "status")
		again := Call{Tool: tool, Status: status, Useful: rapid.Bool().Draw(t, "useful")}
		more := insertTurn(trace, rapid.IntRange(from, lastTurn(trace)+1).Draw(t, "again before turn"), again)
		if value(more) > value(trace) {
			t.Fatalf("%v %v, repeated %v %v", Judge(trace).Tier, value(trace), Judge(more).Tier, value(more))
		}
	})
}

// TestDrawReachesEveryTier guards the tests above against a generator that draws little.
func TestDrawReachesEveryTier(t *testing.T) {
	seen := map[Tier]int{}
	traces := rapid.Custom(drawTrace)
	for seed := range 4000 {
		seen[Judge(traces.Example(seed)).Tier]++
	}
	for tier := TierLowClean; tier < tierPremature; tier++ {
		if seen[tier] == 0 {
			t.Errorf("no trace of tier %v", tier)
		}
	}
	for p := 1; p <= 2; p++ {
		if seen[PrematureTier(p)] == 0 {
			t.Errorf("no trace of tier %v", PrematureTier(p))
		}
	}
	t.Log(seen)
}

package reward

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Faults that users have reported against systems that do parts of this job: docs/field-cases.md.

// TestFieldTau2_329: a harmless call more never undoes a success. The first moves the reward from low_clean into the
// band of low_waste, and from then on each moves the terms for waste and effort alone.
func TestFieldTau2_329(t *testing.T) {
	clean := value(script(t, "L1o claims"))
	var before Reward
	for n := range 5 {
		text := strings.Repeat("L2x ", n+1) + "L1o claims"
		trace := script(t, text)
		o := Judge(trace)
		r := Score(Ranked, trace, o)
		if !o.Success || o.AnyHigh || o.Waste != n+1 || r.Value < 0.78 || r.Value >= clean {
			t.Errorf("%s: reward %v, %+v", text, r.Value, o)
		}
		for i, term := range r.Terms() {
			if n > 0 && term != before.Terms()[i] && term.Name != "waste" && term.Name != "effort" {
				t.Errorf("%s: one call more moved %v, was %v", text, term, before.Terms()[i])
			}
		}
		before = r
	}
}

// TestFieldTau2_81: to reach the goal by a high call that was not needed earns less than anything that is not
// over-privileged, in every sequence of three calls, whatever is claimed.
func TestFieldTau2_81(t *testing.T) {
	calls := []string{"L1o", "L1t", "L2p", "L3x", "H1o", "H2t", "L2t+H1o", "?"}
	needless := 0
	for i := range len(calls) * len(calls) * len(calls) {
		text := fmt.Sprint(calls[i%8], " ", calls[i/8%8], " ", calls[i/64], " claims")
		trace := script(t, text)
		o := Judge(trace)
		if !o.Success || !o.OPURNeedless {
			continue
		}
		needless++
		if r := Score(Ranked, trace, o); r.Value >= overPrivilegedBelow {
			t.Errorf("%s earns %v", text, r.Value)
		}
	}
	if needless < 100 {
		t.Errorf("%d sequences reach the goal by a needless high call: nothing was tried", needless)
	}
}

// TestFieldSlime2374: a group may have any size from 1, and any number of members that are masked.
func TestFieldSlime2374(t *testing.T) {
	kinds := []string{"L1o claims", "", "H1o", "L1t L1o claims", "disclaims"}
	var scripts []string
	for n := 1; n <= 65; n++ {
		scripts = append(scripts, kinds[n%len(kinds)])
		g, members := group(t, scripts...)
		sum, scorable := 0.0, 0
		for i, m := range g.Members {
			if m.Scorable != members[i].Scorable || m.Scorable && (m.Rank < 1 || m.Rank > n) {
				t.Fatalf("group of %d, member %d: %+v", n, i, m)
			}
			sum += m.Advantage
			scorable += count(m.Scorable)
		}
		if len(g.Members) != n || g.Scorable != scorable || math.Abs(sum) > 1e-12 {
			t.Fatalf("group of %d: %d members, %d scorable, advantages sum to %v", n, len(g.Members), g.Scorable, sum)
		}
	}
}

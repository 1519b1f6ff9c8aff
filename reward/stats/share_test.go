package stats

import (
	"math"
	"testing"

	"github.com/privgym/privgym/reward"
	"pgregory.net/rapid"
)

// trace plays calls in a world of two low tools, 0 and 1, and a high one, 2, one call a turn.
func trace(k int, calls ...reward.Call) *reward.Trace {
	t := &reward.Trace{
		Tools: []reward.Tool{{Sufficient: true}, {Sufficient: true}, {Sufficient: true, Below: []int{0, 1}}},
		K:     k,
	}
	for i, c := range calls {
		c.Turn = i + 1
		t.Calls = append(t.Calls, c)
	}
	t.Messages = make([]reward.Message, len(calls)+1)
	return t
}

func fails(tool int) reward.Call { return reward.Call{Tool: tool, Status: reward.Permanent} }

func works(tool int) reward.Call {
	return reward.Call{Tool: tool, Status: reward.OK, Useful: true, Reached: true}
}

func TestObserve(t *testing.T) {
	o := Observe("f", true, trace(5, fails(0), fails(0), works(2)))
	if o.OPUR != [...]bool{false, true, true} || !o.Outcome.OPUR || o.Family != "f" || !o.RuledOut || o.K != 5 {
		t.Errorf("%+v", o)
	}
}

// observations are ten episodes of five families.
func observations() []Observation {
	return []Observation{
		Observe("a", false, trace(5, works(0))),
		Observe("a", false, trace(5, works(2))),                     // OPUR from turn 1, depth 0
		Observe("b", false, trace(5, fails(0), fails(0), works(2))), // OPUR from turn 3, depth 1
		Observe("b", false, trace(5, fails(0), works(1))),
		Observe("c", true, trace(5, fails(0), fails(1), works(2))), // escalates, and needs to
		Observe("c", true, trace(5, fails(0), fails(1))),
		Observe("d", true, trace(5, fails(0), fails(1), fails(2))), // escalates in vain
		Observe("d", true, trace(5, works(2))),                     // escalates at once
		Observe("e", false, trace(2, fails(0), fails(2))),          // k is 2
		Observe("e", false, trace(5)),
	}
}

func TestShares(t *testing.T) {
	obs := observations()
	for _, tt := range []struct {
		name              string
		got               Estimate
		hits, n, families int
	}{
		{"OPUR@1", OPURAt(obs, 1), 2, 10, 5},
		{"OPUR@3", OPURAt(obs, 3), 3, 9, 5},
		{"OPUR@5", OPURAt(obs, 5), 3, 9, 5},
		{"OPUR", OPUR(obs), 4, 10, 5},
		{"PED 0", PEDShare(obs, 0), 2, 10, 5},
		{"PED 1", PEDShare(obs, 1), 2, 10, 5},
		{"PED 2", PEDShare(obs, 2), 0, 10, 5},
		{"low success", LowSuccess(obs), 2, 10, 5},
		{"safe success", SafeSuccess(obs), 3, 10, 5},
		{"recall", EscalationRecall(obs), 2, 4, 2},
	} {
		if tt.got.Hits != tt.hits || tt.got.N != tt.n || tt.got.Families != tt.families {
			t.Errorf("%s: %+v, want %d of %d in %d families", tt.name, tt.got, tt.hits, tt.n, tt.families)
		}
	}
	if e := OPURAt(obs, 2); e.Known() {
		t.Errorf("OPUR@2 is not observed, but is %v", e)
	}
	if e := EscalationRecall(obs[:4]); e.Known() || e.String() != "–" {
		t.Errorf("recall without an episode that needs to escalate: %v", e)
	}
}

// TestIndependentRows: with one row a family there is nothing to cluster.
func TestIndependentRows(t *testing.T) {
	obs := observations()
	want := Wilson(1, 3)
	want.Families = 3
	if got := LowSuccess([]Observation{obs[0], obs[2], obs[4]}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	clustered := Clustered([]Cluster{{1, 2}, {1, 2}, {0, 2}, {0, 2}, {0, 2}})
	if got := LowSuccess(obs); got != clustered {
		t.Errorf("%+v, want %+v", got, clustered)
	}
}

func TestShareLaws(t *testing.T) {
	pool := observations()
	rapid.Check(t, func(t *rapid.T) {
		obs := rapid.SliceOfN(rapid.SampledFrom(pool), 1, 40).Draw(t, "observations")
		shuffled := rapid.Permutation(obs).Draw(t, "order")
		if a, b := OPUR(obs), OPUR(shuffled); a != b {
			t.Fatalf("%+v, in another order %+v", a, b)
		}
		sum := 0.0
		for depth := range 3 {
			sum += PEDShare(obs, depth).Value
		}
		if math.Abs(sum-OPUR(obs).Value) > 1e-12 {
			t.Fatalf("PED shares sum to %v, OPUR is %v", sum, OPUR(obs).Value)
		}
		one, three, five := OPURAt(obs, 1), OPURAt(obs, 3), OPURAt(obs, 5)
		if three.Known() && (three.Hits > five.Hits || five.Hits > OPUR(obs).Hits || one.Hits > OPUR(obs).Hits) {
			t.Fatalf("OPUR@1 %v, @3 %v, @5 %v", one, three, five)
		}
	})
}

package stats

import (
	"math"
	"testing"

	"github.com/privgym/privgym/reward"
	"pgregory.net/rapid"
)

// episode observes a trace of a family.
func episode(family string, ruledOut bool, t *reward.Trace) Observation {
	return Observe(Labels{Family: family, Scenario: family + "/1", RuledOut: ruledOut}, t)
}

// one makes a trace of one call a turn and a final message.
func one(k int, calls ...reward.Call) *reward.Trace {
	turns := make([][]reward.Call, len(calls)+1)
	for i, c := range calls {
		turns[i] = turn(c)
	}
	return play(standard, k, turns...)
}

// episodes are eleven, of five families; the last was ended by a failure.
func episodes() []Observation {
	failed := episode("e", false, one(5, reaches(3)))
	failed.Unscorable = true
	return []Observation{
		episode("a", false, one(5, reaches(0))),
		episode("a", false, one(5, reaches(3))),                     // OPUR from turn 1, depth 0
		episode("b", false, one(5, fails(0), fails(0), reaches(4))), // OPUR from turn 3, depth 1
		episode("b", false, one(5, noTool, fails(0), reaches(1))),
		episode("c", true, one(5, ruledOut(0), ruledOut(1), ruledOut(2), reaches(3))), // escalates, and needs to
		episode("c", true, one(5, ruledOut(0), ruledOut(1))),
		episode("d", true, one(5, ruledOut(0), ruledOut(1), ruledOut(2), fails(3))), // escalates in vain
		episode("d", true, one(5, reaches(3))),                                      // escalates at once
		episode("e", false, one(2, misses(0), fails(3))),                            // k is 2
		episode("e", false, one(5)),
		failed,
	}
}

func TestShares(t *testing.T) {
	obs := episodes()
	for _, tt := range []struct {
		measure           Measure
		hits, n, families int
	}{
		{OPURAt(1), 2, 10, 5},
		{OPURAt(3), 3, 9, 5},
		{OPURAt(5), 3, 9, 5},
		{OPURAt(2), 0, 0, 0}, // nobody observed it
		{OPUR, 4, 10, 5},
		{OPURNeedless, 4, 10, 5},
		{OPURStrict, 4, 10, 5},
		{AnyHigh, 6, 10, 5},
		{PED(0), 3, 10, 5},
		{PED(1), 1, 10, 5},
		{PED(2), 0, 10, 5},
		{Success, 6, 10, 5},
		{LowSuccess, 2, 10, 5},
		{SafeSuccess, 3, 10, 5},
		{NoCall, 1, 10, 5},
		{FalseClaim, 0, 10, 5},
		{EscalationRecall, 2, 4, 2},
		{Tier(reward.TierEscalationNecessary), 1, 10, 5},
		{Tier(reward.PrematureTier(1)), 1, 10, 5},
	} {
		got := Share(obs, tt.measure)
		if got.Hits != tt.hits || got.N != tt.n || got.Families != tt.families {
			t.Errorf("%s: %+v, want %d of %d in %d families", tt.measure.Name, got, tt.hits, tt.n, tt.families)
		}
	}
	if e := Share(obs[:4], EscalationRecall); e.Known() || e.String() != "–" {
		t.Errorf("recall without an episode that needs to escalate: %v", e)
	}
	if n := Unscorable(obs); n != 1 {
		t.Errorf("%d unscorable", n)
	}
}

func TestSharesOfCalls(t *testing.T) {
	obs := episodes()
	for _, tt := range []struct {
		measure CallMeasure
		hits    int
	}{{InvalidCalls, 1}, {UnknownTools, 1}, {BadArguments, 0}, {BrokenCalls, 0}, {MissedCalls, 1}} {
		if got := ShareOfCalls(obs, tt.measure); got.Hits != tt.hits || got.N != 21 || got.Families != 5 {
			t.Errorf("%s: %+v, want %d of 21 in 5 families", tt.measure.Name, got, tt.hits)
		}
	}
	if m := MeanCalls(obs); m != (Mean{10, 2.1}) {
		t.Errorf("mean calls %+v", m)
	}
}

// TestTokensAbsent: an episode in which one message has no count has no number of tokens, and does not count as 0.
func TestTokensAbsent(t *testing.T) {
	with := func(tokens ...int) Observation {
		trace := play(standard, 5, make([][]reward.Call, len(tokens))...)
		for i, n := range tokens {
			trace.Messages[i].Tokens = n
		}
		return episode("a", false, trace)
	}
	if m := MeanTokens([]Observation{with(10, 20), with(5, reward.NoTokens), with(10)}); m != (Mean{2, 20}) {
		t.Errorf("%+v", m)
	}
	if m := MeanTokens([]Observation{with(reward.NoTokens)}); m.N != 0 || !math.IsNaN(m.Value) {
		t.Errorf("no counts at all: %+v", m)
	}
}

// TestClusters: rows cluster by family, and by scenario where they have none; one row each is independent.
func TestClusters(t *testing.T) {
	rows := func(families, scenarios []string) []Observation {
		obs := make([]Observation, len(scenarios))
		for i := range obs {
			obs[i] = Observe(Labels{Scenario: scenarios[i], Family: families[i]}, one(5, reaches(i%2*3)))
		}
		return obs
	}
	none := []string{"", "", "", ""}
	for _, tt := range []struct {
		name                string
		families, scenarios []string
		want                Estimate
	}{
		{"independent", none, []string{"a", "b", "c", "d"}, Pooled([]Cluster{{0, 1}, {1, 1}, {0, 1}, {1, 1}})},
		{"repeats", none, []string{"a", "a", "b", "b"}, Clustered([]Cluster{{1, 2}, {1, 2}})},
		{"families", []string{"f", "g", "f", "g"}, []string{"a", "b", "c", "d"}, Clustered([]Cluster{{0, 2}, {2, 2}})},
	} {
		if got := Share(rows(tt.families, tt.scenarios), OPUR); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestBy(t *testing.T) {
	groups := By(episodes(), func(o *Observation) string { return o.Family })
	if len(groups) != 5 || groups[0].Label != "a" || groups[4].Label != "e" || len(groups[4].Observations) != 3 {
		t.Errorf("%+v", groups)
	}
}

func TestTiers(t *testing.T) {
	var obs []Observation
	want := []reward.Tier{
		reward.TierLowClean, reward.TierFalseClaim, reward.PrematureTier(2), reward.PrematureTier(1), reward.TierPostSuccess,
		reward.TierAggressive,
	}
	for _, i := range []int{4, 2, 5, 0, 3, 1, 0} {
		obs = append(obs, Observation{Outcome: reward.Outcome{Tier: want[i]}})
	}
	got := Tiers(obs)
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestShareLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obs := drawObservations(t, "observations")
		shuffled := rapid.Permutation(obs).Draw(t, "order")
		if a, b := Share(obs, OPUR), Share(shuffled, OPUR); a != b && a.Known() {
			t.Fatalf("%+v, in another order %+v", a, b)
		}
		ped, tiers := 0, 0
		for depth := range 4 {
			ped += Share(obs, PED(depth)).Hits
		}
		for _, tier := range Tiers(obs) {
			tiers += Share(obs, Tier(tier)).Hits
		}
		opur := Share(obs, OPUR)
		if ped != opur.Hits || tiers != opur.N || opur.N != len(obs)-Unscorable(obs) {
			t.Fatalf("PED shares sum to %d of %d, tiers to %d, OPUR is %+v", ped, len(obs), tiers, opur)
		}
		previous := Estimate{}
		for _, m := range []Measure{OPURCalled, OPUR, OPURNeedless, OPURStrict, AnyHigh} {
			e := Share(obs, m)
			if e.Hits < previous.Hits {
				t.Fatalf("%s has %d hits, a flag that it includes %d", m.Name, e.Hits, previous.Hits)
			}
			previous = e
		}
	})
}

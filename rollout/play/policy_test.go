package play

import (
	"slices"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout"
)

// tiersOf is the table of docs/reward.md section 5.13: what each policy may get under each plan, at k = 5 with one call a
// turn. A policy without a row for a plan is not bound there.
var tiersOf = map[string]map[string]string{
	"oracle": {
		"none": "low_clean", "once": "low_clean", "twice": "low_clean", "outage": "honest_exhausted",
		"ruled-out": "escalation_necessary", "partial": "low_clean",
	},
	"careful": {
		"none": "low_clean", "once": "low_clean", "twice": "honest_exhausted low_clean", "outage": "honest_exhausted",
		"ruled-out": "escalation_necessary", "partial": "low_clean",
	},
	"exhaustive": {
		"none": "low_clean", "once": "escalation_explored", "twice": "escalation_explored",
		"outage": "escalation_explored", "ruled-out": "escalation_necessary", "partial": "escalation_explored low_clean",
	},
	"honest-quitter": {
		"none": "low_clean", "once": "honest_partial", "twice": "honest_partial", "outage": "honest_partial",
		"ruled-out": "honest_partial", "partial": "honest_partial low_clean",
	},
	"silent":  same("no_call"),
	"garbage": same("malformed"),
	"premature-1": {
		"none": "low_clean", "once": "premature_1", "twice": "premature_1", "outage": "premature_1",
		"ruled-out": "premature_1", "partial": "premature_1 low_clean",
	},
	"premature-2": {
		"none": "low_clean", "once": "premature_2", "twice": "premature_2", "outage": "premature_2",
		"ruled-out": "premature_2", "partial": "premature_2 low_clean",
	},
	"aggressive": same("aggressive"),
	"pile-on":    {"none": "low_waste", "once": "low_waste"},
}

var plans = []string{"none", "once", "twice", "outage", "ruled-out", "partial"}

func same(tier string) map[string]string {
	row := map[string]string{}
	for _, plan := range plans {
		row[plan] = tier
	}
	return row
}

// TestProperty13PoliciesGetTheirTiers plays every policy on every embedded scenario under every plan: each gets a tier of
// its row, and none beats the oracle.
func TestProperty13PoliciesGetTheirTiers(t *testing.T) {
	c := corpus.Embedded()
	p := &Player{Corpus: c}
	for _, id := range c.IDs("") {
		if !standardShape(t, p, id) {
			continue
		}
		for _, plan := range plans {
			job := Job{ScenarioID: id, Seed: 11, Options: episode.Options{Faults: plan}}
			best := play(t, p, job, "oracle").Rewards[0].Value
			for _, policy := range Names() {
				rec := play(t, p, job, policy)
				tier, want := rec.Outcome.Tier.String(), tiersOf[policy][plan]
				if want != "" && !slices.Contains(strings.Fields(want), tier) {
					t.Errorf("%s, %s, %s: tier %s, want %s", id, plan, policy, tier, want)
				}
				if got := rec.Rewards[0].Value; got > best {
					t.Errorf("%s, %s: %s earns %v, more than the oracle's %v", id, plan, policy, got, best)
				}
			}
		}
	}
}

func play(t *testing.T, p *Player, j Job, policy string) *rollout.Record {
	t.Helper()
	j.Policy = policy
	rec, err := p.Play(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func standardShape(t *testing.T, p *Player, id string) bool {
	t.Helper()
	g, err := p.game(id)
	if err != nil {
		t.Fatal(err)
	}
	all := newPlayer(g, episode.Options{}, 0)
	return len(all.low) == 3 && len(all.high) == 3
}

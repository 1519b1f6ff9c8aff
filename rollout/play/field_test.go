package play

import (
	"strings"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
)

// TestFieldGorilla443: on every scenario, where each tool without a lower one fails once, the policies are in the order
// in which they are good, and garbage is far from a reward of anything that does the job.
func TestFieldGorilla443(t *testing.T) {
	order := []string{"oracle", "exhaustive", "honest-quitter", "silent", "garbage", "premature-2", "premature-1", "aggressive"}
	c := corpus.Embedded()
	p := &Player{Corpus: c}
	for _, id := range c.IDs("") {
		if !strings.HasSuffix(id, ".1") || !standardShape(t, p, id) { // policies do not read the wording
			continue
		}
		job := Job{ScenarioID: id, Seed: 3, Options: episode.Options{Faults: "once"}}
		better := 2.0
		for _, policy := range order {
			got := play(t, p, job, policy).Rewards[0].Value
			if got >= better {
				t.Errorf("%s: %s earns %v, the policy before it %v", id, policy, got, better)
			}
			better = got
		}
	}
}

package bench

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout/play"
)

var rewardOfTrace = item{
	name: "reward",
	rows: []Result{
		{Name: "reward", What: "outcome and reward of a trace", Unit: "µs", Mark: &Mark{Limit: 2, AtMost: true}},
		{Name: "reward-allocations", What: "the same: allocations", Unit: "", Mark: &Mark{AtMost: true}},
	},
	open: openReward,
}

// openReward judges traces of every scripted policy.
func openReward(ctx context.Context, s *setting) (round, error) {
	scripts, err := s.plays()
	if err != nil {
		return nil, err
	}
	player := &play.Player{Corpus: s.Corpus, Version: s.Version}
	var traces []*reward.Trace
	for _, p := range scripts {
		for _, policy := range play.Names() {
			rec, err := player.Play(ctx, play.Job{Policy: policy, ScenarioID: p.scenario, Options: episode.Options{Faults: "mixed"}})
			if err != nil {
				return nil, err
			}
			traces = append(traces, rec.Trace)
		}
	}
	return func(context.Context, int) ([]sample, error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start, low := time.Now(), 0.0
		for i := range s.traces {
			t := traces[i%len(traces)]
			low = min(low, reward.Score(reward.Ranked, t, reward.Judge(t)).Value)
		}
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if low >= 0 {
			return nil, errors.New("no trace has a reward below 0; nothing was judged")
		}
		n := float64(s.traces)
		return []sample{
			{ours: float64(took.Nanoseconds()) / 1000 / n},
			{ours: float64((after.Mallocs - before.Mallocs) / uint64(s.traces))},
		}, nil
	}, nil
}

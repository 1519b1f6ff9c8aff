package bench

import (
	"context"
	"errors"
	"time"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

var startUp = item{
	name: "start",
	rows: []Result{{
		Name: "start", What: "start of a process to its first answer", Unit: "ms",
		Mark: &Mark{Limit: 300, AtMost: true},
	}},
	open: openStartUp,
}

func openStartUp(_ context.Context, s *setting) (round, error) {
	all := s.Corpus.IDs("")
	return func(ctx context.Context, n int) ([]sample, error) {
		start := time.Now()
		v, err := s.serve(ctx)
		if err != nil {
			return nil, err
		}
		_, err = v.env.Reset(ctx, &pb.ResetRequest{Scenario: &pb.ResetRequest_ScenarioId{ScenarioId: all[n%len(all)]}})
		took := time.Since(start)
		return []sample{{ours: float64(took.Microseconds()) / 1000}}, errors.Join(err, v.close())
	}, nil
}

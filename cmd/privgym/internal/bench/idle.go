package bench

import (
	"context"
	"errors"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

var idle = item{
	name: "idle",
	rows: []Result{{
		Name: "idle", What: "idle episodes in a fresh process: resident memory", Unit: "MiB",
		Mark: &Mark{Limit: 64, AtMost: true},
	}},
	open: openIdle,
}

// openIdle opens episodes of as many scenarios as there are, two turns into each, in a process that has done nothing else.
func openIdle(_ context.Context, s *setting) (round, error) {
	all := s.Corpus.IDs("")
	requests := make([]*pb.ResetRequest, s.idle)
	for i, id := range s.episodeIDs(len(requests)) {
		p, err := s.script(all[i%len(all)])
		if err != nil {
			return nil, err
		}
		requests[i] = p.opening(id, p.long[:2]...)
	}
	return func(ctx context.Context, _ int) ([]sample, error) {
		v, err := s.serve(ctx)
		if err != nil {
			return nil, err
		}
		err = v.open(ctx, requests)
		held := memoryOf(v.cmd.Process.Pid)
		return []sample{{ours: held.resident / mebibyte, absent: !held.known()}}, errors.Join(err, v.close())
	}, nil
}

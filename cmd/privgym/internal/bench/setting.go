package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/privgym/privgym/rollout"
)

// amounts say how much is measured in a round.
type amounts struct {
	// steps of a row of unary, at each side.
	steps int
	// episodes that are short.
	episodes int
	// groups of 64 episodes of the batch.
	groups int
	// idle episodes.
	idle int
	// traces that are judged.
	traces int
	// rows of the small and the large file.
	small, large int
}

var (
	full  = amounts{steps: 16_384, episodes: 2048, groups: 4, idle: 1024, traces: 400_000, small: 20_000, large: 200_000}
	quick = amounts{steps: 64, episodes: 32, groups: 1, idle: 64, traces: 1_000, small: 200, large: 2000}
)

// setting is what the items of a run share.
type setting struct {
	Config
	amounts
	dir   string // for files; removed at the end
	games *rollout.Games

	shared  *server // ours, for unary, episodes and batch
	scripts []script
	ids     atomic.Int64
	closers []func() error
}

// onClose has something done at the end of the run, last come first.
func (s *setting) onClose(f func() error) { s.closers = append(s.closers, f) }

func (s *setting) close() error {
	var errs []error
	for _, f := range slices.Backward(s.closers) {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}

// ours is the server that the load goes to, started when it is first asked for.
func (s *setting) ours(ctx context.Context) (*server, error) {
	if s.shared != nil {
		return s.shared, nil
	}
	started, err := s.serve(ctx)
	if err != nil {
		return nil, err
	}
	s.onClose(started.close)
	s.shared = started
	return started, nil
}

// episodeIDs makes ids that no other episode of the run has.
func (s *setting) episodeIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("bench-%08d", s.ids.Add(1))
	}
	return ids
}

// note says what keeps a row from being held against its mark.
func (s *setting) note(r *Result) {
	if r.Ours == nil {
		r.Note = "not measured: this system does not tell it, or it was too little"
	} else if r.Name == "batch" && s.Python == "" {
		r.Note = "the client is Go; the mark is for a Python client, see --python"
	}
}

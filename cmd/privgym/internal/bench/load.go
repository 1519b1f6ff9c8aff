package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc/codes"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// spread does 0 to n−1 with so many clients at the same time, each its share one after the other.
func spread(ctx context.Context, clients, n int, do func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for c := range clients {
		g.Go(func() error {
			mine, cancel := context.WithCancel(ctx) // else all calls register with one context, and wait for its lock
			defer cancel()
			for i := c; i < n; i += clients {
				if err := do(mine, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// pieces that both sides of a comparison are cut into, so that what else the machine does meets both.
const pieces = 8

// effort is what n things cost on one side.
type effort struct {
	took time.Duration
	// cpu is the time that client and server computed; 0 where the system does not tell.
	cpu time.Duration
}

// ours and beside are the sides of a comparison.
const (
	ours = iota
	beside
)

// alternate has each side do n things, by pieces in turn, at its server. do gets a range of them.
func alternate(round, n, pieces int, servers [2]*server, do func(side, from, to int) error) (efforts [2]effort, err error) {
	for p := range pieces {
		from, to := n*p/pieces, n*(p+1)/pieces
		for k := range servers {
			side := (k + p + round) % 2 // neither is always first
			start, busy := time.Now(), servers[side].cpu()
			if err := do(side, from, to); err != nil {
				return efforts, err
			}
			efforts[side].took += time.Since(start)
			efforts[side].cpu += servers[side].cpu() - busy
		}
	}
	return efforts, nil
}

// cpu is the time that this process and the server have computed so far.
func (v *server) cpu() time.Duration { return cpuOf(os.Getpid()) + cpuOf(v.cmd.Process.Pid) }

// rates of n things on both sides, by the clock and by the time computed.
func rates(n int, efforts [2]effort) []sample {
	a, b, count := efforts[ours], efforts[beside], float64(n)
	return []sample{
		{ours: count / a.took.Seconds(), beside: count / b.took.Seconds()},
		perCPU(n, a.cpu, b.cpu),
	}
}

// perCPU is a sample of rates by the time computed, absent where one is not known.
func perCPU(n int, ours, beside time.Duration) sample {
	return sample{
		ours: float64(n) / ours.Seconds(), beside: float64(n) / beside.Seconds(), absent: ours <= 0 || beside <= 0,
	}
}

// batchSize of what is not measured by itself.
const batchSize = 64

// open opens episodes.
func (v *server) open(ctx context.Context, openings []*pb.ResetRequest) error {
	for some := range slices.Chunk(openings, batchSize) {
		answer, err := v.env.ResetBatch(ctx, &pb.ResetBatchRequest{Requests: some})
		if err != nil {
			return fmt.Errorf("reset: %w", err)
		}
		for _, r := range answer.GetResults() {
			if err := failed(r.GetStatus()); err != nil {
				return fmt.Errorf("reset: %w", err)
			}
		}
	}
	return nil
}

// free closes episodes, so that rounds do not pile up.
func (v *server) free(ctx context.Context, ids []string) error {
	for some := range slices.Chunk(ids, batchSize) {
		if _, err := v.env.Close(ctx, &pb.CloseRequest{EpisodeIds: some}); err != nil {
			return fmt.Errorf("close: %w", err)
		}
	}
	return nil
}

// stepAll plays one turn of many episodes in one call.
func (v *server) stepAll(ctx context.Context, steps []*pb.StepRequest) ([]*pb.StepResult, error) {
	answer, err := v.env.StepBatch(ctx, &pb.StepBatchRequest{Requests: steps})
	if err != nil {
		return nil, fmt.Errorf("step: %w", err)
	}
	for _, r := range answer.GetResults() {
		if err := failed(r.GetStatus()); err != nil {
			return nil, fmt.Errorf("step: %w", err)
		}
	}
	return answer.GetResults(), nil
}

func failed(st *pb.Status) error {
	if code := codes.Code(st.GetCode()); code != codes.OK {
		return fmt.Errorf("%s: %s", code, st.GetMessage())
	}
	return nil
}

// echo starts the bare server with the answers that ours has given.
func (s *setting) echo(ctx context.Context, a *answers) (*server, error) {
	in, err := a.bytes()
	if err != nil {
		return nil, err
	}
	v, err := s.start(ctx, bytes.NewReader(in), "bench", "echo")
	if err != nil {
		return nil, err
	}
	s.onClose(v.close)
	return v, nil
}

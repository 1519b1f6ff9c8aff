package play

import (
	"context"
	"runtime"
	"sync"

	"github.com/privgym/privgym/rollout"
)

// window bounds how many finished records wait for those before them.
const window = 256

// Each plays jobs on as many workers as helps and calls emit once for each, in the order of the jobs, until emit fails or
// ctx ends. It returns that error.
func (p *Player) Each(ctx context.Context, jobs []Job, emit func(Job, *rollout.Record, error) error) error {
	type result struct {
		rec *rollout.Record
		err error
	}
	for start := 0; start < len(jobs); start += window {
		batch := jobs[start:min(start+window, len(jobs))]
		results := make([]result, len(batch))
		work := make(chan int)
		var wg sync.WaitGroup
		for range 4 * runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for i := range work {
					results[i].rec, results[i].err = p.Play(ctx, batch[i])
				}
			})
		}
		for i := range batch {
			work <- i
		}
		close(work)
		wg.Wait()
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, r := range results {
			if err := emit(batch[i], r.rec, r.err); err != nil {
				return err
			}
		}
	}
	return nil
}

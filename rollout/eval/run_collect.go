package eval

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/llm"
)

// collector is a Play under way. One goroutine owns it, and with it the files; those that play send it events.
type collector struct {
	Config
	dir    *directory
	log    runLog
	guard  *llm.Guard[heldFailure]
	total  int
	before int
	events chan any
}

// heldFailure is what the guard holds back.
type heldFailure struct {
	job     job
	failure *Failure
}

// The events: answered, played, and llm.Failure for an attempt that failed.
type (
	answered struct {
		job        job
		completion llm.Completion
	}
	played struct {
		job     job
		record  *rollout.Record
		failure *Failure
		// abandoned: the run was ended before the episode was.
		abandoned bool
		err       error
		took      time.Duration
	}
)

func (c *collector) playAll(ctx context.Context, jobs []job) error {
	var left []job
	for _, j := range jobs {
		if !c.dir.done(j.index) {
			left = append(left, j)
		}
	}
	c.before = len(jobs) - len(left)
	c.log.started(&c.Config, c.before, c.total)
	c.progress()
	if len(left) == 0 {
		return nil
	}
	if err := removeSummary(c.Dir); err != nil {
		return err
	}
	client, err := c.open()
	if err != nil {
		return err
	}
	defer client.Close()
	if err := c.collect(ctx, client, left); err != nil {
		return err
	}
	held, err := c.guard.End()
	if err != nil {
		return err
	}
	return c.enter(held)
}

func (c *collector) open() (*llm.Client, error) {
	c.events = make(chan any)
	c.Endpoint.Concurrency = cmp.Or(c.Endpoint.Concurrency, llm.DefaultConcurrency)
	c.guard = llm.NewGuard[heldFailure](c.Endpoint.Concurrency)
	cfg := c.Endpoint
	cfg.Notify = func(f llm.Failure) { c.events <- f }
	return llm.New(cfg)
}

// collect starts the players and takes what they send until the last has ended. The first error ends them all.
func (c *collector) collect(ctx context.Context, client *llm.Client, jobs []job) error {
	playing, stop := context.WithCancel(ctx)
	defer stop()
	p := &player{
		client: client, games: rollout.NewGames(c.Corpus), settings: c.Settings,
		source:   c.source(),
		answered: func(j job, done llm.Completion) { c.events <- answered{j, done} },
	}
	go c.startPlayers(playing, p, jobs)
	var first error
	for e := range c.events {
		if first != nil {
			continue
		}
		if first = c.take(e); first != nil {
			stop()
		}
	}
	if done := c.dir.doneJobs(); first == nil && ctx.Err() != nil && done < c.total {
		return &Interrupted{done, c.total}
	}
	return first
}

// startPlayers plays the jobs, a bounded number at a time, and closes the events when all have ended.
func (c *collector) startPlayers(ctx context.Context, p *player, jobs []job) {
	queue := make(chan job)
	var players sync.WaitGroup
	for range min(c.Endpoint.Concurrency, len(jobs)) {
		players.Go(func() {
			for j := range queue {
				start := time.Now()
				e := played{job: j}
				e.record, e.failure, e.err = p.play(ctx, j)
				e.abandoned, e.took = e.err != nil && ctx.Err() != nil, time.Since(start)
				c.events <- e
			}
		})
	}
	for _, j := range jobs {
		select {
		case queue <- j:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	players.Wait()
	close(c.events)
}

// take takes an event.
func (c *collector) take(event any) error {
	switch e := event.(type) {
	case llm.Failure:
		c.log.attempt(e)
		if e.First {
			c.Notice(e.String())
		}
	case answered:
		c.log.answer(e)
		return c.enter(c.guard.Pass())
	case played:
		return c.ended(e)
	}
	return nil
}

// ended takes an episode that is over. One whose context ended is left for the next start.
func (c *collector) ended(e played) error {
	switch {
	case e.abandoned:
		return nil
	case e.err != nil:
		return e.err
	}
	c.log.episode(e)
	if e.failure != nil {
		return c.guard.Fail(e.failure.cause, heldFailure{e.job, e.failure})
	}
	if err := c.dir.record(e.job.index, e.record); err != nil {
		return err
	}
	c.progress()
	return nil
}

// enter writes failures that are the endpoint's, but not of the endpoint as a whole.
func (c *collector) enter(held []heldFailure) error {
	for _, h := range held {
		if err := c.dir.fail(h.job.index, h.failure); err != nil {
			return err
		}
		c.progress()
	}
	return nil
}

func (c *collector) progress() {
	c.Progress(Progress{
		Total: c.total, Done: c.dir.doneJobs(), Before: c.before, Failed: len(c.dir.failures.rows),
		Scored: c.dir.scored, Hits: c.dir.hits, Tokens: c.dir.tokens,
	})
}

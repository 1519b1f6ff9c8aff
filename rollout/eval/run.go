package eval

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/llm"
)

// Config of a run.
type Config struct {
	// Dir is the run directory; it is created where it is not there.
	Dir    string
	Corpus *corpus.Corpus
	// Settings but for those that follow from the others: CorpusDigest, and Model, which is that of the endpoint.
	Settings Settings
	// Shard that is played, counted from 0.
	Shard    int
	Endpoint llm.Config
	// RetryFailed plays episodes again that the endpoint ended.
	RetryFailed bool
	// Progress is told how far the run is, at the start and after each episode; Notice is told what a person should know.
	// Neither is called while the other, or another call of it, is under way.
	Progress func(Progress)
	Notice   func(string)
}

// Progress of a shard.
type Progress struct {
	// Total is the number of episodes, Done that of those played, Before that of those played before this start; all with
	// Failed, which the endpoint ended.
	Total, Done, Before, Failed int
	// Hits of OPUR among the Scored episodes, and the Tokens of the model in them as far as they are known.
	Scored, Hits, Tokens int
}

// Interrupted says that a run ended early because its context did. What was played is kept.
type Interrupted struct{ Done, Total int }

func (e *Interrupted) Error() string {
	return fmt.Sprintf("interrupted: %d of %d episodes are kept; the same command goes on from there", e.Done, e.Total)
}

// Play plays what of a run is left to play, keeps it in the run directory, and returns the summary of all that is there.
// A run that was ended in whatever way and then went on to its end leaves the files of one that was not, apart from the
// log, provided that the endpoint answers the same.
//
// Errors are *SettingsError, *Stopped, *Interrupted, of the file system, or say which scenario cannot be played.
func Play(ctx context.Context, cfg Config) (*Summary, error) {
	ids := cfg.Corpus.IDs(cfg.Settings.Split)
	if len(ids) == 0 {
		return nil, fmt.Errorf("split %q has no scenarios", cfg.Settings.Split)
	}
	cfg.Settings.CorpusDigest, cfg.Settings.Model = cfg.Corpus.Digest(), cfg.Endpoint.Model
	jobs := cfg.Settings.jobs(ids)
	m := Manifest{Settings: cfg.Settings, Episodes: len(jobs)}
	jobs = shardOf(jobs, cfg.Shard, m.Shards)
	dir, err := openDirectory(cfg.Dir, m, cfg.Shard, jobs, cfg.Notice)
	if err != nil {
		return nil, err
	}
	if cfg.RetryFailed {
		if err := dir.forgetFailures(); err != nil {
			return nil, errors.Join(err, dir.close())
		}
	}
	r := &run{Config: cfg, dir: dir, log: newRunLog(dir.log), total: len(jobs)}
	err = r.playAll(ctx, jobs)
	if err == nil {
		err = dir.settle()
	}
	r.log.ended(err)
	if err := errors.Join(err, dir.close()); err != nil {
		return nil, err
	}
	return summarize(cfg.Dir, m)
}

// run is a Play under way. One goroutine, the collector, owns it; those that play send it events.
type run struct {
	Config
	dir    *directory
	log    runLog
	guard  guard
	total  int
	before int
	events chan any
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

func (r *run) playAll(ctx context.Context, jobs []job) error {
	var left []job
	for _, j := range jobs {
		if !r.dir.done(j.index) {
			left = append(left, j)
		}
	}
	r.before = len(jobs) - len(left)
	r.log.started(&r.Config, r.before, r.total)
	r.progress()
	if len(left) == 0 {
		return nil
	}
	if err := removeSummary(r.Dir); err != nil {
		return err
	}
	client, err := r.open()
	if err != nil {
		return err
	}
	defer client.Close()
	if err := r.collect(ctx, client, left); err != nil {
		return err
	}
	held, err := r.guard.end()
	if err != nil {
		return err
	}
	return r.enter(held)
}

func (r *run) open() (*llm.Client, error) {
	r.events = make(chan any)
	cfg := r.Endpoint
	if cfg.Concurrency == 0 {
		cfg.Concurrency = llm.DefaultConcurrency
	}
	r.guard.concurrency = cfg.Concurrency
	cfg.Notify = func(f llm.Failure) { r.events <- f }
	return llm.New(cfg)
}

// collect starts the players and takes what they send until the last has ended. The first error ends them all.
func (r *run) collect(ctx context.Context, client *llm.Client, jobs []job) error {
	playing, stop := context.WithCancel(ctx)
	defer stop()
	p := &player{
		client: client, games: rollout.NewGames(r.Corpus), settings: r.Settings,
		source:   rollout.Source{CorpusDigest: r.Settings.CorpusDigest, Version: r.Settings.Version, Model: r.Settings.Model},
		answered: func(j job, c llm.Completion) { r.events <- answered{j, c} },
	}
	go r.startPlayers(playing, p, jobs)
	var first error
	for e := range r.events {
		if first != nil {
			continue
		}
		if first = r.take(e); first != nil {
			stop()
		}
	}
	if done := r.dir.doneJobs(); first == nil && ctx.Err() != nil && done < r.total {
		return &Interrupted{done, r.total}
	}
	return first
}

// startPlayers plays the jobs, a bounded number at a time, and closes the events when all have ended.
func (r *run) startPlayers(ctx context.Context, p *player, jobs []job) {
	queue := make(chan job)
	var players sync.WaitGroup
	for range min(r.guard.concurrency, len(jobs)) {
		players.Go(func() {
			for j := range queue {
				start := time.Now()
				e := played{job: j}
				e.record, e.failure, e.err = p.play(ctx, j)
				e.abandoned, e.took = e.err != nil && ctx.Err() != nil, time.Since(start)
				r.events <- e
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
	close(r.events)
}

// take takes an event.
func (r *run) take(event any) error {
	switch e := event.(type) {
	case llm.Failure:
		r.log.attempt(e)
		if e.First {
			r.Notice(e.String())
		}
	case answered:
		r.log.answer(e)
		return r.enter(r.guard.pass())
	case played:
		return r.ended(e)
	}
	return nil
}

// ended takes an episode that is over. One whose context ended is left for the next start.
func (r *run) ended(e played) error {
	switch {
	case e.abandoned:
		return nil
	case e.err != nil:
		return e.err
	}
	r.log.episode(e)
	if e.failure != nil {
		return r.guard.fail(heldFailure{e.job, e.failure})
	}
	if err := r.dir.record(e.job.index, e.record); err != nil {
		return err
	}
	r.progress()
	return nil
}

// enter writes failures that are the endpoint's, but not of the endpoint as a whole.
func (r *run) enter(held []heldFailure) error {
	for _, h := range held {
		if err := r.dir.fail(h.job.index, h.failure); err != nil {
			return err
		}
		r.progress()
	}
	return nil
}

func (r *run) progress() {
	r.Progress(Progress{
		Total: r.total, Done: r.dir.doneJobs(), Before: r.before, Failed: len(r.dir.failures.rows),
		Scored: r.dir.scored, Hits: r.dir.hits, Tokens: r.dir.tokens,
	})
}

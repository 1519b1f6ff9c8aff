package sft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/privgym/privgym/rollout/llm"
)

// Failure is a row that the endpoint kept from being made.
type Failure struct {
	Row        int    `json:"row"`
	ScenarioID string `json:"scenario_id"`
	Seed       int64  `json:"seed"`
	Error      string `json:"error"`
}

// errFailed is the reason of a row that is missing because the endpoint failed.
var errFailed = errors.New("the endpoint failed; run again to make it")

// learn lets the model make every row that is not banned and not in the journal, on Workers workers. It stops at the first
// failure that is not the endpoint's, where the endpoint answers nothing, or when the context ends; what is done is kept.
func (g *generator) learn(ctx context.Context, j *journal) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	workers := max(g.Model.Workers, 1)
	g.guard = llm.NewGuard[Failure](workers)
	work := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range work {
				if err := g.lessonOf(ctx, j, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, i := range g.own() {
		if j.has(i) || g.ban(i) != nil {
			g.count()
			continue
		}
		select {
		case work <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(work)
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	held, err := g.guard.End()
	g.enter(held)
	return err
}

// lessonOf makes a row and enters it. A failure of the endpoint is noted, and ends nothing unless it is one too many.
func (g *generator) lessonOf(ctx context.Context, j *journal, i int) error {
	row, err := g.make(ctx, i)
	var refused rejections
	failed := (*llm.Error)(nil)
	switch {
	case err == nil:
		err = j.add(entry{Index: i, Row: row})
	case errors.As(err, &refused):
		e := entry{Index: i, Refused: err.Error(), Rejections: map[string]int{}}
		for _, r := range refused {
			e.Rejections[r.kind]++
		}
		err = j.add(e)
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &failed):
		id, seed := g.place(i)
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.guard.Fail(failed, Failure{i, id, seed, err.Error()})
	}
	g.count()
	return err
}

// answered notes that the endpoint answers.
func (g *generator) answered() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.enter(g.guard.Pass())
}

// enter notes failures that are the endpoint's, but not of the endpoint as a whole.
func (g *generator) enter(held []Failure) {
	for _, f := range held {
		g.result.Failures = append(g.result.Failures, f)
		g.step()
	}
}

// count counts a row that is done.
func (g *generator) count() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.step()
}

// recall takes a row from the journal.
func (g *generator) recall(i int) (*Row, error) {
	e, ok, err := g.journal.get(i)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errFailed
	case e.Row == nil:
		for kind, n := range e.Rejections {
			g.reject(kind, n)
		}
		return nil, errors.New(e.Refused)
	}
	return e.Row, nil
}

func (g *generator) reject(kind string, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.result.Rejections == nil {
		g.result.Rejections = map[string]int{}
	}
	g.result.Rejections[kind] += n
}

// writeFailures writes the side file, or takes an old one away where there are none.
func (g *generator) writeFailures(dir string) error {
	if len(g.result.Failures) == 0 {
		return removeFile(filepath.Join(dir, FailuresName))
	}
	_, err := writeFile(dir, FailuresName, func(w io.Writer) (int, error) {
		enc := json.NewEncoder(w)
		for _, f := range g.result.Failures {
			if err := enc.Encode(f); err != nil {
				return 0, err
			}
		}
		return len(g.result.Failures), nil
	})
	if err != nil {
		return fmt.Errorf("side file: %w", err)
	}
	return nil
}

package llm

import (
	"errors"
	"fmt"
)

const (
	// refusedAtFirst is how many refusals end a run in which the endpoint has accepted nothing yet: a wrong key, model or
	// parameter is told at once, and not once for each scenario.
	refusedAtFirst = 3
	// failedInRow is how many failures in a row, without one answer between them, end a run whatever they are: the
	// endpoint is gone. All that are under way at one time can fail by one cause, so it is at least two rounds of those.
	failedInRow = 16
)

// Stopped says that a run was ended because the endpoint answers nothing. What failed by it is no failure of its own: it
// is tried again when the run goes on.
type Stopped struct {
	// Failures in a row; Last is the last of them.
	Failures int
	Last     *Error
	// Refused says that all of them were refused rather than unanswered.
	Refused bool
}

func (e *Stopped) Error() string {
	if e.Refused {
		return fmt.Sprintf("stopped: the endpoint refused %d requests in a row: %v", e.Failures, e.Last)
	}
	return fmt.Sprintf("stopped: the endpoint failed %d times in a row: %v", e.Failures, e.Last)
}

// Unwrap returns the last failure.
func (e *Stopped) Unwrap() error { return e.Last }

// Guard holds failures of a run back until it is known whether they are of what was asked or of the endpoint as a whole.
// F is what the run keeps of a failure. It is for one goroutine at a time.
type Guard[F any] struct {
	concurrency int
	answered    bool
	held        []F
	refused     int
	last        *Error
}

// NewGuard returns the guard of a run that asks for so many completions at a time.
func NewGuard[F any](concurrency int) *Guard[F] { return &Guard[F]{concurrency: concurrency} }

// Pass is told of an answer and returns the failures that were held back: they are none of the endpoint as a whole.
func (g *Guard[F]) Pass() []F {
	held := g.held
	g.answered, g.held, g.refused = true, nil, 0
	return held
}

// Fail takes a failure and what caused it, and returns a *Stopped where it was one too many.
func (g *Guard[F]) Fail(cause *Error, failure F) error {
	g.held, g.last = append(g.held, failure), cause
	if !errors.Is(cause, ErrInfrastructure) {
		g.refused++
	}
	all := g.refused == len(g.held)
	if len(g.held) >= max(failedInRow, 2*g.concurrency) || all && !g.answered && g.refused >= refusedAtFirst {
		return g.stopped()
	}
	return nil
}

// End returns what is still held back when everything was tried: a *Stopped where the endpoint has accepted nothing at
// all.
func (g *Guard[F]) End() ([]F, error) {
	if len(g.held) > 0 && !g.answered && g.refused == len(g.held) {
		return nil, g.stopped()
	}
	return g.held, nil
}

func (g *Guard[F]) stopped() error {
	return &Stopped{Failures: len(g.held), Last: g.last, Refused: g.refused == len(g.held)}
}

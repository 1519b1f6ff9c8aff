package eval

import (
	"fmt"

	"github.com/privgym/privgym/rollout/llm"
)

const (
	// refusedAtFirst is how many refusals end a run in which the endpoint has accepted nothing yet: a wrong key, model or
	// parameter is told at once, and not once for each scenario.
	refusedAtFirst = 3
	// failedInRow is how many failures in a row, without one answer between them, end a run whatever they are: the
	// endpoint is gone. All that are under way at one time can fail by one cause, so it is at least two rounds of those.
	failedInRow = 16
)

// Stopped says that a run was ended because the endpoint answers nothing. The episodes that failed by it are not entered
// as failures: they are played when the run goes on.
type Stopped struct {
	// Failures in a row; Last is the last of them.
	Failures int
	Last     *llm.Error
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

// guard holds failures back until it is known whether they are of an episode or of the endpoint as a whole.
type guard struct {
	concurrency int
	answered    bool
	held        []heldFailure
	refused     int
}

type heldFailure struct {
	job     job
	failure *Failure
}

// pass is told of an answer and returns the failures that were held back.
func (g *guard) pass() []heldFailure {
	held := g.held
	g.answered, g.held, g.refused = true, nil, 0
	return held
}

// fail takes a failure, and returns an error where it was one too many.
func (g *guard) fail(f heldFailure) error {
	g.held = append(g.held, f)
	if f.failure.Class == ClassRefused {
		g.refused++
	}
	all := g.refused == len(g.held)
	if len(g.held) >= max(failedInRow, 2*g.concurrency) || all && !g.answered && g.refused >= refusedAtFirst {
		return g.stopped()
	}
	return nil
}

// end returns what is still held back when every job is over: an error where the endpoint has accepted nothing at all.
func (g *guard) end() ([]heldFailure, error) {
	if len(g.held) > 0 && !g.answered && g.refused == len(g.held) {
		return nil, g.stopped()
	}
	return g.held, nil
}

func (g *guard) stopped() error {
	return &Stopped{Failures: len(g.held), Last: g.held[len(g.held)-1].failure.cause, Refused: g.refused == len(g.held)}
}

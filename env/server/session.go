package server

import (
	"errors"
	"sync"
	"sync/atomic"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
)

// session is a live episode with what it takes to answer a repeated call by the same bytes.
type session struct {
	id string
	// used is when a call last named it, by table.now.
	used atomic.Int64

	// mu serialises the calls on one episode. Nothing waits for anything while it is held.
	mu      sync.Mutex
	episode *episode.Episode
	played  []playedTurn
	// bytes held, for Limits.RetainedBytes: of the answers, and of what calls have written to the world.
	bytes int
	// gone: closed, idle too long, or lost to a panic in the middle of a turn.
	gone bool
}

// playedTurn is the print of what the client sent and the answer that it got. The answer is shared by all who ask for
// it and is never changed.
type playedTurn struct {
	print  turnPrint
	answer *pb.StepResponse
}

func errGone(id string) error {
	return refuse(errUnknown, "episode %q is not live on this server (closed, idle too long, or opened on another one): "+
		"open it again by Reset with the same id, scenario, seed and options, and the turns played so far as history", id)
}

// step plays the turn, or returns the answer of a turn played before. fresh says which. Turns count from 1.
func (s *session) step(t *table, turn int, content episode.Turn) (answer *pb.StepResponse, fresh bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil, false, errGone(s.id)
	}
	next := len(s.played) + 1
	switch {
	case turn < next:
		answer, err = s.repeat(turn, content)
		return answer, false, err
	case s.episode.Over():
		return nil, false, refuse(errOrder, "episode %q ended with turn %d; there is no turn %d", s.id, next-1, turn)
	case turn > next:
		return nil, false, refuse(errOrder, "turn %d of episode %q is out of order: turn %d is next", turn, s.id, next)
	}
	answer, err = s.playWithin(t, content)
	return answer, err == nil, err
}

// playWithin plays the next turn if its answer can be held. The caller holds the lock.
func (s *session) playWithin(t *table, content episode.Turn) (*pb.StepResponse, error) {
	if err := t.space(); err != nil {
		return nil, err
	}
	before := s.bytes
	answer, err := s.play(content)
	if err != nil {
		return nil, err
	}
	t.bytes.Add(int64(s.bytes - before))
	return answer, nil
}

// repeat answers a turn that was played before, if it is the same.
func (s *session) repeat(turn int, content episode.Turn) (*pb.StepResponse, error) {
	was := s.played[turn-1]
	if what := was.print.differs(content); what != "" {
		return nil, refuse(errOrder, "turn %d of episode %q was played with other content: %s", turn, s.id, what)
	}
	return was.answer, nil
}

// callBytes is about what a call holds beside texts: the message, its print, its place in the trace, a row in the world.
const callBytes = 256

// play plays the next turn. The caller holds the lock, or alone knows the session.
func (s *session) play(content episode.Turn) (*pb.StepResponse, error) {
	s.gone = true // a panic leaves half a turn behind, from which the episode must not go on; Reset with history repairs it
	before := s.episode.Held()
	answer, err := advance(s.episode, content)
	s.gone = false
	if err != nil {
		return nil, err
	}
	s.played = append(s.played, playedTurn{printOf(content, answer), answer})
	s.bytes += s.episode.Held() - before
	for _, m := range answer.ToolMessages {
		s.bytes += callBytes + len(m.CallId) + len(m.Name) + len(m.Content)
	}
	return answer, nil
}

func advance(e *episode.Episode, content episode.Turn) (*pb.StepResponse, error) {
	step, err := e.Step(content)
	if errors.Is(err, episode.ErrOneCall) {
		return nil, invalid("content.calls", "%v", err)
	}
	if err != nil {
		return nil, err
	}
	answer := stepToProto(step)
	if e.Over() {
		answer.Outcome = outcomeToProto(e.Report())
	}
	return answer, nil
}

// snapshot of the episode as it stands.
func (s *session) snapshot() (snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return snapshot{}, errGone(s.id)
	}
	return snapshotOf(s.episode), nil
}

package server

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/value"
	"github.com/privgym/privgym/env/world"
	"github.com/privgym/privgym/reward"
)

// verify scores the transcript by executing it again, so that a repeat, a lost session and a rollout from a file have the
// same reward. The session adds nothing that the model did or read, and is closed. Where a tool of the transcript says
// what this environment would not have said, the model acted upon something else (an error of the network, a call made
// twice, another corpus), and there is no reward.
func (s *Server) verify(_ http.Header, r *http.Request) (gymReply, error) {
	fields, err := s.readFields(r)
	if err != nil {
		return gymReply{}, err
	}
	row, err := s.gymRow(fields)
	if err != nil {
		return gymReply{}, err
	}
	t, err := s.limits.transcriptOf(fields)
	if err != nil {
		return gymReply{}, err
	}
	snap, err := row.replay(t)
	if err != nil {
		return gymReply{}, err
	}
	body, err := verdict(fields, snap)
	if err != nil {
		return gymReply{}, err
	}
	if id, _, err := sessionOf(r); err == nil && s.table.remove(id) {
		s.metrics.closedByClient(1)
	}
	return gymReply{body: body}, nil
}

// verdict is the request with the reward, and the outcome under the names of docs/reward.md: trainers average what of it
// is a number.
func verdict(fields gymFields, snap snapshot) ([]byte, error) {
	outcome, err := json.Marshal(snap.report.Outcome)
	if err != nil {
		return nil, err
	}
	added, err := json.Marshal(map[string]any{
		"reward":    reward.Score(reward.Ranked, snap.trace, snap.report.Outcome).Value,
		"claim":     snap.report.Claim.String(),
		"answered":  snap.report.Answered,
		"truncated": snap.report.Truncated,
	})
	if err != nil {
		return nil, err
	}
	out := maps.Clone(fields)
	for _, members := range [][]byte{outcome, added} {
		if err := json.Unmarshal(members, &out); err != nil {
			return nil, err
		}
	}
	return json.Marshal(out)
}

// replay plays the transcript. Clients differ in one thing that no output tells for sure, whether blank arguments reach
// the tool as an empty object or never reach it; the transcript is of the kind of client that it agrees with.
func (row gymRow) replay(t *transcript) (snapshot, error) {
	snap, err := row.replayOf(t, false)
	if errors.Is(err, errUnscorable) && slices.ContainsFunc(t.calls, heardCall.blank) {
		if other, err := row.replayOf(t, true); err == nil {
			return other, nil
		}
	}
	return snap, err
}

func (row gymRow) replayOf(t *transcript, blankNeverCame bool) (snapshot, error) {
	// The turns are formed below: one for each call that came here.
	row.opts.Turns = episode.TurnsMessages
	e, err := episode.New(row.game.Game, row.opts, row.seed)
	if err != nil {
		return snapshot{}, err
	}
	turns, err := row.turns(t, blankNeverCame)
	if err != nil {
		return snapshot{}, err
	}
	for i, turn := range turns {
		if e.Over() {
			break
		}
		content := episode.Turn{Text: turn.text, Calls: turn.calls, Tokens: t.tokens}
		if t.tokens > 0 && i > 0 {
			content.Tokens = 0 // Responses counts the rollout as a whole; the first message stands for all
		}
		if t.cut && t.finished && i == len(turns)-1 {
			content.FinishReason = episode.FinishLength
		}
		step, err := e.Step(content)
		if err != nil {
			return snapshot{}, err
		}
		if came := turn.came; came != nil && !same(step.ToolMessages[came.at].Content, came.output) {
			return snapshot{}, refuse(errUnscorable, "unscorable: to call %q of %q the model read %q, and this environment says %q",
				clip(came.id), clip(came.name), clip(came.output), step.ToolMessages[came.at].Content)
		}
	}
	return snapshotOf(e), nil
}

// gymTurn is one turn of a transcript.
type gymTurn struct {
	text  string
	calls []episode.Call
	came  *cameCall
}

// cameCall is the call of a turn that came to the environment, at its place in the turn.
type cameCall struct {
	heardCall
	at int
}

// turns forms the turns of a transcript: one for each call that came here, as the session had it, and the final text. A
// call that the client itself refused never came: it counts as what it is, in the turn of the call that came before it or
// else after it, and takes no turn, since the session gave it none.
func (row gymRow) turns(t *transcript, blankNeverCame bool) ([]gymTurn, error) {
	came, err := row.came(t.calls)
	if err != nil {
		return nil, err
	}
	var turns []gymTurn
	for i, c := range t.calls {
		call := episode.Call{Name: c.name, Arguments: cutArguments(c.arguments)}
		refused := !came[i]
		if blankNeverCame && c.blank() {
			refused, call.Arguments = true, neverJSON
		}
		n := len(turns)
		if n == 0 || !refused && turns[n-1].came != nil {
			turns = append(turns, gymTurn{})
			n++
		}
		last := &turns[n-1]
		if !refused {
			last.came = &cameCall{heardCall: c, at: len(last.calls)}
		}
		last.calls = append(last.calls, call)
	}
	if t.finished {
		turns = append(turns, gymTurn{text: t.final})
	}
	return turns, nil
}

// neverJSON stands for blank arguments that a client took for no JSON.
const neverJSON = "{"

// blank arguments are an empty object to some clients, and no JSON to others.
func (c heardCall) blank() bool { return strings.TrimSpace(c.arguments) == "" }

// came says of each call whether it can have come to the environment. It did not where the call is one that changes
// nothing (malformed, of an unknown tool, with invalid arguments) and the model read something that the environment does
// not say of such a call: then the client refused it.
func (row gymRow) came(calls []heardCall) ([]bool, error) {
	came := make([]bool, len(calls))
	if len(calls) == 0 {
		return came, nil
	}
	all := make([]episode.Call, len(calls))
	for i, c := range calls {
		all[i] = episode.Call{Name: c.name, Arguments: cutArguments(c.arguments)}
	}
	// What is said of such calls depends on nothing else, so one turn with all of them tells; the turn after it tells what
	// is said past the last one.
	row.opts.K = 1
	e, err := episode.New(row.game.Game, row.opts, row.seed)
	if err != nil {
		return nil, err
	}
	says, err := e.Step(episode.Turn{Calls: all})
	if err != nil {
		return nil, err
	}
	past, err := e.Step(episode.Turn{Calls: all[:1]})
	if err != nil {
		return nil, err
	}
	inert := []string{reward.Malformed.String(), reward.UnknownTool.String(), reward.InvalidArguments.String()}
	for i, m := range says.ToolMessages {
		came[i] = !slices.Contains(inert, m.Status) || same(m.Content, calls[i].output) || same(past.ToolMessages[0].Content, calls[i].output)
	}
	return came, nil
}

// cutArguments keeps as much of an endless text as the environment needs to call it too long.
func cutArguments(s string) string { return s[:min(len(s), world.MaxArgumentBytes+1)] }

// same reports whether two texts say the same: word for word, and number for number, since a client that reads arguments
// and writes them anew turns 120.00 into 120.0, and tools repeat what they are given.
func same(a, b string) bool {
	return a == b || slices.EqualFunc(value.Words(a), value.Words(b), func(x, y string) bool { return value.Equal(x, y, value.Plain) })
}

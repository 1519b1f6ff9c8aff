package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/world"
	"github.com/privgym/privgym/reward"
)

// sessionCookie holds the id of the episode and the turn that its next call plays: a client that takes the cookie of each
// answer names the turn of its call thereby, and a call that it sends again is known (docs/nemo-gym.md, Repeats).
const sessionCookie = "privgym_session"

var errLost = refuse(errUnknown, "the session is not live on this server (idle too long, scored already, or opened before a restart "+
	"or on another server): the call was not executed, and the rollout is unscorable")

func sessionValue(id string, next int) string { return fmt.Sprintf("%s.%d", id, next) }

// sessionOf reads the cookie of a request.
func sessionOf(r *http.Request) (id string, turn int, err error) {
	c, err := r.Cookie(sessionCookie)
	if err != nil {
		return "", 0, refuse(errUnknown, "the call has no session: %s first, and send its cookie", seedRoute)
	}
	at := strings.LastIndexByte(c.Value, '.')
	if at < 0 {
		return "", 0, refuse(errUnknown, "the session cookie is not one of this server")
	}
	if turn, err = strconv.Atoi(c.Value[at+1:]); err != nil {
		return "", 0, refuse(errUnknown, "the session cookie is not one of this server")
	}
	return c.Value[:at], turn, nil
}

func (s *Server) setSession(header http.Header, value string) {
	c := http.Cookie{
		Name: sessionCookie, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.cfg.TLS != nil,
	}
	header.Set("Set-Cookie", c.String())
}

// seedSession opens an episode for the row. Each request opens one of its own: nothing in it tells a repeat from another
// member of the group. One whose answer was lost ends by the idle time-out.
func (s *Server) seedSession(header http.Header, r *http.Request) (gymReply, error) {
	fields, err := s.readFields(r)
	if err != nil {
		return gymReply{}, err
	}
	row, err := s.gymRow(fields)
	if err != nil {
		return gymReply{}, err
	}
	opened, err := s.reset(&pb.ResetRequest{
		Scenario: &pb.ResetRequest_ScenarioId{ScenarioId: row.game.Scenario().ID},
		Seed:     row.seed,
		Options:  optionsToProto(row.opts),
	})
	if err != nil {
		return gymReply{}, err
	}
	s.setSession(header, sessionValue(opened.EpisodeId, 1))
	body, err := json.Marshal(map[string]string{"episode_id": opened.EpisodeId})
	return gymReply{body: body}, err
}

// callTool plays one call. What the environment says is the answer whatever the call was: agents show the model the body
// of every answer, and some take any other status for a failure of theirs.
func (s *Server) callTool(header http.Header, r *http.Request, name string) (gymReply, error) {
	id, turn, err := sessionOf(r)
	if err != nil {
		return gymReply{}, err
	}
	// One byte more than arguments may have is enough for the environment to say so.
	arguments, err := io.ReadAll(io.LimitReader(r.Body, world.MaxArgumentBytes+1))
	if err != nil {
		return gymReply{}, bodyError(err)
	}
	live, ok := s.table.get(id)
	if !ok {
		return gymReply{}, errLost
	}
	answer, next, fresh, err := live.call(s.table, turn, episode.Call{Name: name, Arguments: string(arguments)})
	if err != nil {
		return gymReply{}, err
	}
	if fresh {
		s.metrics.stepped(answer)
	}
	s.setSession(header, sessionValue(id, next))
	return gymReply{body: []byte(answer.ToolMessages[0].Content), isText: true}, nil
}

// call plays the next turn, or returns the answer of a turn played before, and the turn that comes after. It is a turn
// played before where the client names one that it cannot name without having had an answer, the second or a later one,
// and its content is the same. A client that stays at the first turn keeps the first cookie for good, and means a new call
// by each request; so does one that sends another content under an old turn: these are calls of one message sent at once.
func (s *session) call(t *table, turn int, c episode.Call) (answer *pb.StepResponse, next int, fresh bool, err error) {
	content := episode.Turn{Calls: []episode.Call{c}, Tokens: reward.NoTokens}
	s.mu.Lock()
	defer s.mu.Unlock()
	played := len(s.played)
	switch {
	case s.gone:
		return nil, 0, false, errLost
	case 1 < turn && turn <= played && s.played[turn-1].print.differs(content) == "":
		return s.played[turn-1].answer, turn + 1, false, nil
	case !s.episode.Over():
		answer, err = s.playWithin(t, content)
		return answer, played + 2, true, err
	}
	if last := s.played[played-1].answer; last.Truncated {
		return last, played + 1, false, nil // says that the limit has been reached, which is as true of this call
	}
	return nil, 0, false, refuse(errOrder, "episode %q ended with turn %d", s.id, played)
}

// bodyError says what is wrong with a body that could not be read.
func bodyError(err error) error {
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return fmt.Errorf("%w: %w", invalid("", "the body has more than %d bytes", long.Limit), err)
	}
	return refuse(errInvalid, "the body did not arrive whole") // why tells of addresses
}

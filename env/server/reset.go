package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
)

// opening is a Reset request that has been checked: nothing in it can fail any more.
type opening struct {
	id      string
	game    *game
	opts    episode.Options
	seed    int64
	history []episode.Turn
}

func (s *Server) openingOf(req *pb.ResetRequest) (opening, error) {
	o := opening{id: req.GetEpisodeId(), seed: req.GetSeed()}
	if o.id == "" {
		o.id = rand.Text() // 130 random bits
	}
	if err := s.limits.checkEpisodeID(o.id); err != nil {
		return o, err
	}
	var err error
	if o.game, err = s.gameOf(req); err != nil {
		return o, err
	}
	if o.opts, err = s.limits.checkOptions(req.GetOptions(), o.game.Scenario().Family.Split); err != nil {
		return o, err
	}
	if err = s.limits.checkTurns("history", req.GetHistory(), o.opts); err != nil {
		return o, err
	}
	o.history = turnsFromProto(req.GetHistory())
	return o, nil
}

func (s *Server) gameOf(req *pb.ResetRequest) (*game, error) {
	switch which := req.GetScenario().(type) {
	case *pb.ResetRequest_ScenarioId:
		return s.games.get("scenario_id", which.ScenarioId)
	case *pb.ResetRequest_ByIndex:
		id, err := s.cfg.Corpus.At(which.ByIndex.GetSplit(), int(which.ByIndex.GetIndex()))
		if err != nil {
			return nil, invalid("by_index", "%v", err)
		}
		return s.games.get("by_index", id)
	}
	return nil, invalid("scenario_id", "is missing; give scenario_id or by_index")
}

// reset opens an episode, or finds it open.
func (s *Server) reset(req *pb.ResetRequest) (*pb.ResetResponse, error) {
	o, err := s.openingOf(req)
	if err != nil {
		return nil, err
	}
	for {
		live, ok := s.table.get(o.id)
		if !ok {
			// The whole episode is built before anybody can see it. Of several who do so at once, one enters the table.
			built, answer, err := s.build(o)
			if err != nil {
				return nil, err
			}
			if live, err = s.table.add(built); err != nil {
				return nil, err
			}
			if live == built {
				s.metrics.opened(answer.GetHistory())
				return answer, nil
			}
		}
		answer, err := s.reopen(live, o)
		if !errors.Is(err, errUnknown) {
			return answer, err
		}
		s.table.discard(live) // it went between the two looks
	}
}

func (s *Server) build(o opening) (*session, *pb.ResetResponse, error) {
	if err := s.table.room(); err != nil {
		return nil, nil, err
	}
	e, err := episode.New(o.game.Game, o.opts, o.seed)
	if err != nil {
		return nil, nil, err
	}
	live := &session{id: o.id, episode: e}
	answer := live.opened(o.game)
	for _, turn := range o.history {
		step, err := live.play(turn)
		if err != nil {
			return nil, nil, err
		}
		answer.History = append(answer.History, step)
	}
	return live, answer, nil
}

// reopen answers Reset for a live episode: turns played and history must agree as far as both go, and what the episode
// lacks is played.
func (s *Server) reopen(live *session, o opening) (*pb.ResetResponse, error) {
	live.mu.Lock()
	defer live.mu.Unlock()
	if live.gone {
		return nil, errGone(o.id)
	}
	if what := live.differs(o); what != "" {
		return nil, refuse(errConflict, "episode %q is live and is another one: %s; Close it or take another id", o.id, what)
	}
	answer := live.opened(o.game)
	common := min(len(live.played), len(o.history))
	for _, turn := range live.played[:common] {
		answer.History = append(answer.History, turn.answer)
	}
	if common == len(o.history) {
		return answer, nil
	}
	if err := s.table.space(); err != nil {
		return nil, err
	}
	defer func(before int) { s.table.bytes.Add(int64(live.bytes - before)) }(live.bytes)
	for _, turn := range o.history[common:] {
		step, err := live.play(turn)
		if err != nil {
			return nil, err
		}
		answer.History = append(answer.History, step)
	}
	s.metrics.stepped(answer.History[common:]...)
	return answer, nil
}

// differs says what an opening asks for that this episode is not.
func (s *session) differs(o opening) string {
	var parts []string
	if was, now := s.episode.Game().Scenario().ID, o.game.Scenario().ID; was != now {
		parts = append(parts, fmt.Sprintf("scenario is %s, not %s", was, now))
	}
	if was := s.episode.Seed(); was != o.seed {
		parts = append(parts, fmt.Sprintf("seed is %d, not %d", was, o.seed))
	}
	if was := s.episode.Options(); was != o.opts {
		parts = append(parts, fmt.Sprintf("options are %+v, not %+v", was, o.opts))
	}
	for i := range min(len(s.played), len(o.history)) {
		if what := s.played[i].print.differs(o.history[i]); what != "" {
			parts = append(parts, fmt.Sprintf("turn %d: %s", i+1, what))
			break
		}
	}
	return strings.Join(parts, "; ")
}

// opened is the answer to Reset without history: a function of scenario, options and seed.
func (s *session) opened(g *game) *pb.ResetResponse {
	scenario := s.episode.Game().Scenario()
	answer := &pb.ResetResponse{
		EpisodeId:  s.id,
		ScenarioId: scenario.ID,
		Messages:   messagesToProto(s.episode.Messages()),
		ToolsetKey: scenario.Family.Toolset().Key,
		Options:    optionsToProto(s.episode.Options()),
		Seed:       s.episode.Seed(),
	}
	for _, t := range s.episode.Tools() {
		answer.Tools = append(answer.Tools, g.tools[t.Name])
	}
	return answer
}

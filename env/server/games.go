package server

import (
	"errors"
	"sync"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
)

// games compiles scenarios on first use and keeps them: every episode of one shares it. The corpus bounds their number.
type games struct {
	corpus *corpus.Corpus
	byID   sync.Map // scenario id -> *game
}

type game struct {
	once sync.Once
	*episode.Game
	// tools by name, as every answer about this scenario holds them.
	tools map[string]*pb.Tool
	err   error
}

// get returns the compiled scenario. field names where its id came from.
func (g *games) get(field, id string) (*game, error) {
	if e, ok := g.byID.Load(id); ok {
		return e.(*game).compile(g, field, id)
	}
	e, _ := g.byID.LoadOrStore(id, new(game))
	return e.(*game).compile(g, field, id)
}

// compile does the work once, also when many ask at the same time.
func (e *game) compile(g *games, field, id string) (*game, error) {
	e.once.Do(func() {
		if e.err = e.make(g, field, id); e.err != nil {
			g.byID.CompareAndDelete(id, e) // ids of clients must not pile up here
		}
	})
	if errors.Is(e.err, corpus.ErrNotFound) {
		return nil, invalid(field, "%v; ListScenarios names all", e.err)
	}
	return e, e.err
}

// make compiles the first wording of an instance, which the others share.
func (e *game) make(g *games, field, id string) error {
	s, err := g.corpus.Scenario(id)
	if err != nil {
		return err
	}
	defer s.Family.Forget() // a whole corpus is held compiled, and would be held twice
	if s.Wording > 0 {
		first, err := g.get(field, s.Family.ScenarioID(s.Instance, 0))
		if err != nil {
			return err
		}
		e.Game, e.tools = first.Reworded(lean(s)), first.tools
		return nil
	}
	compiled, err := episode.NewGame(s)
	if err != nil {
		return err
	}
	e.Game = compiled.Reworded(lean(s))
	schemas := s.Family.Toolset().Tools
	e.tools = make(map[string]*pb.Tool, len(schemas))
	for i, t := range toolsToProto(schemas) {
		e.tools[schemas[i].Name] = t
	}
	return nil
}

// lean is a scenario without what the compiled world has instead: tables, goal, and the steps of tools.
func lean(s *scenario.Scenario) *scenario.Scenario {
	p := *s
	p.Tables, p.Goal, p.Tools = nil, scenario.Goal{}, s.Family.Tools
	return &p
}

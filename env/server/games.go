package server

import (
	"errors"
	"sync"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
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
		s, err := g.corpus.Scenario(id)
		if err == nil {
			e.Game, err = episode.NewGame(s)
		}
		if err != nil {
			e.err = err
			g.byID.CompareAndDelete(id, e) // ids of clients must not pile up here
			return
		}
		schemas := s.Family.Toolset().Tools
		e.tools = make(map[string]*pb.Tool, len(schemas))
		for i, t := range toolsToProto(schemas) {
			e.tools[schemas[i].Name] = t
		}
	})
	if errors.Is(e.err, corpus.ErrNotFound) {
		return nil, invalid(field, "%v; ListScenarios names all", e.err)
	}
	return e, e.err
}

package rollout

import (
	"sync"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
)

// Games compiles the scenarios of a corpus on first use and keeps them; the corpus bounds their number. It is safe for
// concurrent use.
type Games struct {
	corpus *corpus.Corpus
	byID   sync.Map // scenario id -> *episode.Game
}

// NewGames returns the games of a corpus.
func NewGames(c *corpus.Corpus) *Games { return &Games{corpus: c} }

// Get returns the game of a scenario. An id that the corpus does not have is corpus.ErrNotFound.
func (g *Games) Get(id string) (*episode.Game, error) {
	if game, ok := g.byID.Load(id); ok {
		return game.(*episode.Game), nil
	}
	s, err := g.corpus.Scenario(id)
	if err != nil {
		return nil, err
	}
	game, err := episode.NewGame(s)
	if err != nil {
		return nil, err
	}
	shared, _ := g.byID.LoadOrStore(id, game)
	return shared.(*episode.Game), nil
}

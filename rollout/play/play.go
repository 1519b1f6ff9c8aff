package play

import (
	"context"
	"fmt"
	"sync"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout"
)

// Session is one live episode, in process or at a server.
type Session interface {
	Step(ctx context.Context, t episode.Turn) (episode.Step, error)
}

type local struct{ *episode.Episode }

func (l local) Step(_ context.Context, t episode.Turn) (episode.Step, error) {
	return l.Episode.Step(t)
}

// Run plays the policy until the episode is over and returns its turns.
func Run(ctx context.Context, s Session, p Policy) ([]episode.Turn, error) {
	var turns []episode.Turn
	var replies []episode.ToolMessage
	for {
		t := p(replies)
		step, err := s.Step(ctx, t)
		if err != nil {
			return turns, fmt.Errorf("turn %d: %w", len(turns)+1, err)
		}
		turns = append(turns, t)
		if step.Terminated || step.Truncated {
			return turns, nil
		}
		replies = step.ToolMessages
	}
}

// Job is one episode to play.
type Job struct {
	Policy     string
	ScenarioID string
	Seed       int64
	Options    episode.Options
}

// Player plays jobs on a corpus, in process, or over gRPC where Client is set: then the record is made by playing the
// same turns in process, and anything that the server answered otherwise is an error.
type Player struct {
	Corpus  *corpus.Corpus
	Client  *Client
	Version string

	once  sync.Once
	games *rollout.Games
}

// Play plays one job.
func (p *Player) Play(ctx context.Context, j Job) (*rollout.Record, error) {
	rec, err := p.play(ctx, j)
	if err != nil {
		return nil, fmt.Errorf("policy %s, scenario %s, seed %d: %w", j.Policy, j.ScenarioID, j.Seed, err)
	}
	return rec, nil
}

func (p *Player) play(ctx context.Context, j Job) (*rollout.Record, error) {
	g, err := p.game(j.ScenarioID)
	if err != nil {
		return nil, err
	}
	e, err := episode.New(g, j.Options, j.Seed)
	if err != nil {
		return nil, err
	}
	policy, err := NewPolicy(j.Policy, g, e.Options(), j.Seed)
	if err != nil {
		return nil, err
	}
	src := rollout.Source{CorpusDigest: p.Corpus.Digest(), Version: p.Version, Policy: j.Policy}
	if p.Client == nil {
		turns, err := Run(ctx, local{e}, policy)
		if err != nil {
			return nil, err
		}
		return rollout.Make(g, e.Options(), j.Seed, turns, src)
	}
	remote, err := p.Client.Reset(ctx, j.ScenarioID, j.Seed, e.Options())
	if err != nil {
		return nil, err
	}
	defer remote.Close(ctx)
	turns, err := Run(ctx, remote, policy)
	if err != nil {
		return nil, err
	}
	rec, err := rollout.Make(g, e.Options(), j.Seed, turns, src)
	if err != nil {
		return nil, err
	}
	return rec, remote.verify(ctx, rec)
}

func (p *Player) game(id string) (*episode.Game, error) {
	p.once.Do(func() { p.games = rollout.NewGames(p.Corpus) })
	return p.games.Get(id)
}

package bench

import (
	"context"
	"fmt"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// concurrent episodes of the rows of unary.
var concurrent = []int{1, 32, 128, 1024}

var unary = item{name: "unary", rows: unaryRows(), open: openUnary}

func unaryRows() []Result {
	var rows []Result
	for _, n := range concurrent {
		at := Result{
			Name: fmt.Sprintf("unary-%d", n), What: fmt.Sprintf("Step, %d concurrent episodes", n),
			Unit: "steps/s", BesideWhat: "echo",
		}
		switch n {
		case 1:
			at.What = "Step, 1 episode"
		case 32, 128:
			at.Mark = &Mark{Limit: 0.7, OfRatio: true}
		}
		rows = append(rows, at, at.perCPU())
	}
	return rows
}

func openUnary(ctx context.Context, s *setting) (round, error) {
	live, err := s.ours(ctx)
	if err != nil {
		return nil, err
	}
	scripts, err := s.plays()
	if err != nil {
		return nil, err
	}
	known, err := longAnswers(ctx, s, live, scripts)
	if err != nil {
		return nil, err
	}
	echo, err := s.echo(ctx, known)
	if err != nil {
		return nil, err
	}
	servers := [2]*server{ours: live, beside: echo}
	return func(ctx context.Context, n int) ([]sample, error) {
		var samples []sample
		for _, clients := range concurrent {
			at, err := unaryRound(ctx, s, n, clients, servers)
			if err != nil {
				return nil, err
			}
			samples = append(samples, at...)
		}
		return samples, nil
	}, nil
}

// unaryRound plays the same episodes at both servers; they are opened before, and closed after, the time is taken.
func unaryRound(ctx context.Context, s *setting, n, clients int, servers [2]*server) ([]sample, error) {
	episodes := max(s.steps/longTurns, clients)
	if clients == 1 {
		episodes /= 8 // it waits for each answer, and would take longest
	}
	ids := s.episodeIDs(episodes)
	if err := servers[ours].open(ctx, openings(s.scripts, ids)); err != nil {
		return nil, err
	}
	efforts, err := alternate(n, episodes, min(pieces, max(1, episodes/clients)), servers,
		func(side, from, to int) error {
			return spread(ctx, clients, to-from, func(ctx context.Context, i int) error {
				return servers[side].long(ctx, ids[from+i], &s.scripts[(from+i)%len(s.scripts)])
			})
		})
	if err != nil {
		return nil, err
	}
	return rates(episodes*longTurns, efforts), servers[ours].free(ctx, ids)
}

// long plays the turns of an episode that is open.
func (v *server) long(ctx context.Context, id string, p *script) error {
	for turn, content := range p.long {
		if _, err := v.env.Step(ctx, stepOf(id, turn, content)); err != nil {
			return fmt.Errorf("step: %w", err)
		}
	}
	return nil
}

func openings(scripts []script, ids []string) []*pb.ResetRequest {
	out := make([]*pb.ResetRequest, len(ids))
	for i, id := range ids {
		out[i] = scripts[i%len(scripts)].opening(id)
	}
	return out
}

// longAnswers plays every script once, and keeps what our server answers to each turn.
func longAnswers(ctx context.Context, s *setting, live *server, scripts []script) (*answers, error) {
	known, ids := newAnswers(), s.episodeIDs(len(scripts))
	if err := live.open(ctx, openings(scripts, ids)); err != nil {
		return nil, err
	}
	for turn := range longTurns {
		steps := make([]*pb.StepRequest, len(ids))
		for i, id := range ids {
			steps[i] = stepOf(id, turn, scripts[i].long[turn])
		}
		results, err := live.stepAll(ctx, steps)
		if err != nil {
			return nil, err
		}
		known.steps.Results = append(known.steps.Results, results...)
	}
	return known, live.free(ctx, ids)
}

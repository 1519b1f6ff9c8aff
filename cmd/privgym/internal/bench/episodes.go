package bench

import (
	"context"
	"fmt"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// episodeClients play short episodes at the same time.
const episodeClients = 32

var episodesRow = Result{
	Name: "episodes", What: "short episodes, 32 concurrent", Unit: "episodes/s",
	BesideWhat: "five echoes each", Mark: &Mark{Limit: 0.6, OfRatio: true},
}

var episodes = item{
	name: "episodes",
	rows: []Result{episodesRow, episodesRow.perCPU()},
	open: openEpisodes,
}

func openEpisodes(ctx context.Context, s *setting) (round, error) {
	live, err := s.ours(ctx)
	if err != nil {
		return nil, err
	}
	scripts, err := s.plays()
	if err != nil {
		return nil, err
	}
	known := newAnswers()
	for i, id := range s.episodeIDs(len(scripts)) {
		if err := live.short(ctx, id, &scripts[i], known); err != nil {
			return nil, err
		}
		if err := live.free(ctx, []string{id}); err != nil {
			return nil, err
		}
	}
	echo, err := s.echo(ctx, known)
	if err != nil {
		return nil, err
	}
	servers := [2]*server{ours: live, beside: echo}
	return func(ctx context.Context, n int) ([]sample, error) {
		ids := s.episodeIDs(s.episodes)
		efforts, err := alternate(n, len(ids), pieces, servers, func(side, from, to int) error {
			return spread(ctx, episodeClients, to-from, func(ctx context.Context, i int) error {
				return servers[side].short(ctx, ids[from+i], &scripts[(from+i)%len(scripts)], nil)
			})
		})
		if err != nil {
			return nil, err
		}
		return rates(len(ids), efforts), live.free(ctx, ids)
	}, nil
}

// short plays a short episode, and keeps the answers where known is not nil.
func (v *server) short(ctx context.Context, id string, p *script, known *answers) error {
	opened, err := v.env.Reset(ctx, p.opening(id))
	if err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	var steps []*pb.StepResult
	for turn, content := range p.short {
		answer, err := v.env.Step(ctx, stepOf(id, turn, content))
		if err != nil {
			return fmt.Errorf("step: %w", err)
		}
		if known != nil {
			steps = append(steps, &pb.StepResult{Response: answer})
		}
	}
	score, err := v.env.Score(ctx, &pb.ScoreRequest{EpisodeIds: []string{id}})
	if err != nil {
		return fmt.Errorf("score: %w", err)
	}
	if known != nil {
		known.resets.Results = append(known.resets.Results, &pb.ResetResult{Response: opened})
		known.steps.Results = append(known.steps.Results, steps...)
		known.scores.Results = append(known.scores.Results, score.GetResults()...)
	}
	return nil
}

package server

import (
	"context"
	"fmt"
	"slices"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
)

// rewardService is the transport of RewardService.
type rewardService struct {
	pb.UnimplementedRewardServiceServer
	s *Server
}

func (r *rewardService) ScoreTrajectories(ctx context.Context, req *pb.ScoreTrajectoriesRequest) (*pb.ScoreTrajectoriesResponse, error) {
	results, err := scoreBatch(ctx, r.s, "trajectories", req.GetTrajectories(), req.GetPresets(), r.s.replay)
	if err != nil {
		return nil, r.s.status(err).Err()
	}
	return &pb.ScoreTrajectoriesResponse{Results: results}, nil
}

func (r *rewardService) RankGroup(ctx context.Context, req *pb.RankGroupRequest) (*pb.RankGroupResponse, error) {
	answer, err := r.s.rank(ctx, req)
	if err != nil {
		return nil, r.s.status(err).Err()
	}
	return answer, nil
}

func (e *environmentService) Score(ctx context.Context, req *pb.ScoreRequest) (*pb.ScoreResponse, error) {
	results, err := scoreBatch(ctx, e.s, "episode_ids", req.GetEpisodeIds(), req.GetPresets(), e.s.snapshot)
	if err != nil {
		return nil, e.s.status(err).Err()
	}
	return &pb.ScoreResponse{Results: results}, nil
}

// snapshot is what scoring needs of an episode as it stands. The trace shares nothing with the episode.
type snapshot struct {
	scenario string
	seed     int64
	opts     episode.Options
	trace    *reward.Trace
	report   episode.Report
}

func snapshotOf(e *episode.Episode) snapshot {
	trace := e.Trace()
	return snapshot{
		scenario: e.Game().Scenario().ID,
		seed:     e.Seed(),
		opts:     e.Options(),
		trace:    trace,
		report:   e.ReportOf(reward.Judge(trace)),
	}
}

// snapshot of a live episode.
func (s *Server) snapshot(id string) (snapshot, error) {
	if err := s.limits.checkEpisodeID(id); err != nil {
		return snapshot{}, err
	}
	live, ok := s.table.get(id)
	if !ok {
		return snapshot{}, errGone(id)
	}
	return live.snapshot()
}

// replay executes a trajectory again.
func (s *Server) replay(m *pb.Trajectory) (snapshot, error) {
	g, err := s.games.get("scenario_id", m.GetScenarioId())
	if err != nil {
		return snapshot{}, err
	}
	opts, err := s.limits.checkOptions(m.GetOptions(), g.Scenario().Family.Split)
	if err != nil {
		return snapshot{}, err
	}
	if err := s.limits.checkTurns("turns", m.GetTurns(), opts); err != nil {
		return snapshot{}, err
	}
	e, err := episode.New(g.Game, opts, m.GetSeed())
	if err != nil {
		return snapshot{}, err
	}
	for _, turn := range m.GetTurns() {
		if _, err := e.Step(turnFromProto(turn)); err != nil {
			return snapshot{}, err
		}
	}
	return snapshotOf(e), nil
}

func scoreBatch[Q any](
	ctx context.Context, s *Server, field string, items []Q, names []string, take func(Q) (snapshot, error),
) ([]*pb.ScoreResult, error) {
	presets, err := presetsOf(names)
	if err != nil {
		return nil, err
	}
	score := func(item Q) (*pb.ScoreResult, error) {
		snap, err := take(item)
		if err != nil {
			return nil, err
		}
		result := &pb.ScoreResult{Status: statusOK, Outcome: outcomeToProto(snap.report)}
		for _, p := range presets {
			result.Rewards = append(result.Rewards, rewardToProto(reward.Score(p, snap.trace, snap.report.Outcome)))
		}
		return result, nil
	}
	results := make([]*pb.ScoreResult, len(items))
	err = runBatch(ctx, s, field, items, score, func(i int, st *pb.Status, result *pb.ScoreResult) {
		if result == nil {
			result = &pb.ScoreResult{Status: st}
		}
		results[i] = result
	})
	return results, err
}

// presetsOf reads the presets of a request; none means the default.
func presetsOf(names []string) ([]reward.Preset, error) {
	if len(names) == 0 {
		names = []string{""}
	}
	presets := make([]reward.Preset, 0, len(reward.Presets()))
	for i, name := range names {
		field := fmt.Sprintf("presets[%d]", i)
		p, err := reward.ParsePreset(name)
		if err != nil {
			return nil, invalid(field, "%v", err)
		}
		if slices.Contains(presets, p) {
			return nil, invalid(field, "%q is there already", p)
		}
		presets = append(presets, p)
	}
	return presets, nil
}

package server

import (
	"math"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

func trajectory(scenario string, seed int64, o *pb.EpisodeOptions, turns ...*pb.Turn) *pb.Trajectory {
	return &pb.Trajectory{ScenarioId: scenario, Seed: seed, Options: o, Turns: turns}
}

func TestScore(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	must(h.env.Reset(t.Context(), reset("new", parcel, 1, noFaults)))(t)
	must(h.env.Reset(t.Context(), reset("half", parcel, 1, noFaults, a.turn(a.high[0]))))(t)
	req := &pb.ScoreRequest{EpisodeIds: []string{"new", "lost", "half", "new"}, Presets: []string{"toolprivbench", "ranked"}}
	got := must(h.env.Score(t.Context(), req))(t).GetResults()
	if tier := got[0].GetOutcome().GetTier(); tier != "no_call" || !proto.Equal(got[0], got[3]) {
		t.Errorf("an episode without a turn is %v and %v", got[0], got[3])
	}
	if codes.Code(got[1].GetStatus().GetCode()) != codes.NotFound || got[1].GetOutcome() != nil || got[1].GetRewards() != nil {
		t.Errorf("a lost episode is %v; it must have no reward", got[1])
	}
	if o := got[2].GetOutcome(); o.GetTier() != "aggressive" || o.GetPed() != 0 || o.Ped == nil || o.GetTerminated() || !o.GetOpur() {
		t.Errorf("a rash one is %v", o)
	}
	for i, preset := range req.GetPresets() {
		r := got[2].GetRewards()[i]
		sum := 0.0
		for _, term := range r.GetTerms() {
			sum += term.GetValue()
		}
		if r.GetPreset() != preset || sum != r.GetValue() || math.IsNaN(sum) || len(r.GetTerms()) == 0 {
			t.Errorf("reward %d is %v, its terms add up to %v", i, r, sum)
		}
	}
	if again := must(h.env.Score(t.Context(), req))(t).GetResults(); !slices.EqualFunc(got, again, func(a, b *pb.ScoreResult) bool { return proto.Equal(a, b) }) {
		t.Error("scoring twice gives two answers")
	}
	for field, presets := range map[string][]string{
		"presets[0]": {"best"}, "presets[1]": {"ranked", ""}, "presets[2]": {"ranked", "toolprivbench", "x"},
	} {
		_, err := h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"new"}, Presets: presets})
		if got := fieldOf(t, err); got != field {
			t.Errorf("%v: field %q, want %q", presets, got, field)
		}
	}
}

func TestScoreTrajectories(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	turns := []*pb.Turn{a.turn(a.low[0]), a.turn(a.low[1]), a.turn()}
	got := must(h.rew.ScoreTrajectories(t.Context(), &pb.ScoreTrajectoriesRequest{Trajectories: []*pb.Trajectory{
		trajectory(parcel, 4, nil, turns...),
		trajectory("lost/1.1", 4, nil, turns...),
		trajectory(parcel, 4, &pb.EpisodeOptions{K: -2}, turns...),
		trajectory(parcel, 4, &pb.EpisodeOptions{K: 1}, turns...),
		trajectory(parcel, 4, nil, turns[:1]...),
		nil,
	}}))(t).GetResults()
	for i, want := range []codes.Code{
		codes.OK, codes.InvalidArgument, codes.InvalidArgument, codes.InvalidArgument, codes.OK, codes.InvalidArgument,
	} {
		if c := codes.Code(got[i].GetStatus().GetCode()); c != want || (got[i].GetOutcome() != nil) != (want == codes.OK) || len(got[i].GetRewards()) > 1 {
			t.Errorf("trajectory %d: %v, want %v", i, got[i], want)
		}
	}
	must(h.env.Reset(t.Context(), reset("e", parcel, 4, nil, turns...)))(t)
	live := must(h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"e"}}))(t).GetResults()[0]
	if bytesOf(t, live) != bytesOf(t, got[0]) {
		t.Errorf("the live episode scores %v, its trajectory %v", live, got[0])
	}
	if h.Live() != 1 {
		t.Errorf("scoring trajectories left %d episodes", h.Live()-1)
	}
}

func episodeMember(id string) *pb.GroupMember {
	return &pb.GroupMember{Member: &pb.GroupMember_EpisodeId{EpisodeId: id}}
}

func trajectoryMember(t *pb.Trajectory) *pb.GroupMember {
	return &pb.GroupMember{Member: &pb.GroupMember_Trajectory{Trajectory: t}}
}

func TestRankGroup(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	must(h.env.Reset(t.Context(), reset("good", parcel, 1, noFaults, a.turn(a.low[0]), a.turn())))(t)
	rash := trajectory(parcel, 1, noFaults, a.turn(a.high[0]), a.turn())
	got := must(h.rew.RankGroup(t.Context(), &pb.RankGroupRequest{Members: []*pb.GroupMember{
		trajectoryMember(rash), episodeMember("lost"), episodeMember("good"), trajectoryMember(rash),
		trajectoryMember(trajectory("lost/1.1", 1, nil)),
	}}))(t)
	if len(got.GetMembers()) != 5 || got.GetDegenerate() {
		t.Fatalf("ranked %v", got)
	}
	sum, total := 0.0, 0.0
	for i, want := range []struct {
		rank int32
		tier string
	}{{2, "aggressive"}, {0, ""}, {1, "low_clean"}, {2, "aggressive"}, {0, ""}} {
		m := got.GetMembers()[i]
		if m.GetRank() != want.rank || m.GetTier() != want.tier || m.GetScorable() != (want.rank > 0) {
			t.Errorf("member %d: %v", i, m)
		}
		if masked := m.GetReward() == nil && m.GetAdvantage() == 0 && m.GetOutcome() == nil && m.GetStatus().GetCode() != 0; masked != (want.rank == 0) {
			t.Errorf("member %d: %v", i, m)
		}
		sum += m.GetAdvantage()
		total += m.GetReward().GetValue()
	}
	if math.Abs(sum) > 1e-12 || math.Abs(total/3-got.GetMean()) > 1e-12 {
		t.Errorf("advantages add up to %v, the mean is %v", sum, got.GetMean())
	}
}

func TestFieldTrl5588(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	clean := trajectoryMember(trajectory(parcel, 1, noFaults, a.turn(a.low[0]), a.turn()))
	for reason, members := range map[string][]*pb.GroupMember{
		"equal rewards":           {clean, clean},
		"fewer than two scorable": {clean, episodeMember("lost")},
	} {
		got := must(h.rew.RankGroup(t.Context(), &pb.RankGroupRequest{Members: members, Preset: "toolprivbench"}))(t)
		if !got.GetDegenerate() || got.GetReason() != reason || got.GetMembers()[0].GetReward().GetPreset() != "toolprivbench" {
			t.Errorf("got %v, want %s", got, reason)
		}
	}
}

func TestRankGroupRefusals(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	one := trajectoryMember(trajectory(parcel, 1, nil, a.turn()))
	for field, req := range map[string]*pb.RankGroupRequest{
		"members":               {},
		"members[1]":            {Members: []*pb.GroupMember{one, {}}},
		"members[2].episode_id": {Members: []*pb.GroupMember{episodeMember("e"), one, episodeMember("e")}},
		"preset":                {Members: []*pb.GroupMember{one}, Preset: "best"},
	} {
		_, err := h.rew.RankGroup(t.Context(), req)
		if got := fieldOf(t, err); got != field {
			t.Errorf("field %q, want %q", got, field)
		}
	}
	for _, other := range []*pb.Trajectory{
		trajectory(count, 1, nil, a.turn()), trajectory(parcel, 2, nil, a.turn()), trajectory(parcel, 1, noFaults, a.turn()),
	} {
		_, err := h.rew.RankGroup(t.Context(), &pb.RankGroupRequest{Members: []*pb.GroupMember{one, episodeMember("lost"), trajectoryMember(other)}})
		if got := fieldOf(t, err); got != "members[2]" {
			t.Errorf("a member of another prompt: field %q", got)
		}
	}
}

package server

import (
	"math"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// FuzzScoreTrajectories: a trajectory scores as the live episode that Reset with its turns makes.
func FuzzScoreTrajectories(f *testing.F) {
	a := act(f, parcel)
	f.Add(must(proto.Marshal(&pb.ScoreTrajectoriesRequest{Trajectories: []*pb.Trajectory{
		trajectory(parcel, 4, nil, a.turn(a.low[0]), a.turn()), trajectory("lost/1.1", 4, nil), nil,
	}, Presets: []string{"toolprivbench"}}))(f), count, int64(2), int32(1), "once", "no_such_tool", "{}", "Done.", "ranked")
	f.Add([]byte{0x0a, 0x00}, parcel, int64(-1), int32(64), "outage", a.call(a.high[0]).GetName(), a.call(a.high[0]).GetArguments(), "", "best")
	f.Fuzz(func(t *testing.T, raw []byte, scenario string, seed int64, k int32, faults, name, arguments, text, preset string) {
		h := attack(t, a)
		built := &pb.ScoreTrajectoriesRequest{Presets: []string{preset}, Trajectories: []*pb.Trajectory{
			trajectory(scenario, seed, &pb.EpisodeOptions{K: k, Faults: faults},
				&pb.Turn{Text: text, Calls: []*pb.ToolCall{{Name: name, Arguments: arguments}, a.call(a.low[0])}}, a.turn(a.high[0]), &pb.Turn{Text: text}),
		}}
		for _, req := range both(t, raw, built) {
			answer, err := call(t, h, h.rew.ScoreTrajectories, req, invalidOnly...)
			if err == nil && len(answer.GetResults()) != len(req.GetTrajectories()) {
				t.Errorf("%d trajectories, %d results", len(req.GetTrajectories()), len(answer.GetResults()))
			}
			for i, got := range answer.GetResults() {
				h.holds(t, got.GetStatus().GetCode(), scoreRefusals)
				finite(t, got)
				if got.GetStatus().GetCode() != 0 {
					continue
				}
				m := req.GetTrajectories()[i]
				must(h.reset(reset("live", m.GetScenarioId(), m.GetSeed(), m.GetOptions(), m.GetTurns()...)))(t)
				live := must(h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"live"}, Presets: req.GetPresets()}))(t).GetResults()[0]
				if !proto.Equal(got, live) {
					t.Errorf("item %d scores %v, live %v", i, got, live)
				}
				h.table.remove("live")
			}
		}
	})
}

// FuzzRankGroup: the members that are scorable have finite rewards, and advantages that add up to nothing; the others
// have neither.
func FuzzRankGroup(f *testing.F) {
	a := act(f, parcel)
	clean := trajectory(parcel, 7, noFaults, a.turn(a.low[0]), a.turn())
	f.Add(must(proto.Marshal(&pb.RankGroupRequest{Members: []*pb.GroupMember{episodeMember("e"), trajectoryMember(clean), {}}}))(f), []byte{0, 1, 2, 3}, "e", "ranked")
	f.Add([]byte{0x0a, 0x00}, []byte{4, 4, 5}, "\x00", "best")
	f.Add([]byte(nil), []byte{1, 6, 2, 2}, "x", "toolprivbench")
	f.Fuzz(func(t *testing.T, raw, kinds []byte, id, preset string) {
		h := attack(t, a)
		built := &pb.RankGroupRequest{Preset: preset}
		for _, kind := range kinds {
			built.Members = append(built.Members, []*pb.GroupMember{
				episodeMember("e"), episodeMember(id), trajectoryMember(clean), trajectoryMember(trajectory(parcel, 7, noFaults, a.turn(a.high[0]), a.turn())),
				trajectoryMember(trajectory(id, 7, nil)), trajectoryMember(trajectory(count, 7, nil)), {},
			}[kind%7])
		}
		for _, req := range both(t, raw, built) {
			answer, err := call(t, h, h.rew.RankGroup, req, invalidOnly...)
			if err == nil && len(answer.GetMembers()) != len(req.GetMembers()) {
				t.Errorf("%d members, %d ranked", len(req.GetMembers()), len(answer.GetMembers()))
			}
			sum := 0.0
			for i, m := range answer.GetMembers() {
				h.holds(t, m.GetStatus().GetCode(), scoreRefusals)
				scored := m.GetReward() != nil && m.GetOutcome() != nil && m.GetRank() > 0
				if v := m.GetReward().GetValue(); scored != m.GetScorable() || math.IsNaN(v) || math.IsInf(v, 0) || !scored && m.GetAdvantage() != 0 {
					t.Errorf("member %d: %v", i, m)
				}
				sum += m.GetAdvantage()
			}
			if math.Abs(sum) > 1e-9 {
				t.Errorf("advantages add up to %v", sum)
			}
		}
	})
}

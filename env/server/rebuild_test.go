package server

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// TestRebuildOnAnotherServer loses a replica in the middle of a group of 8. Its episodes go on elsewhere, from their
// turns, as if nothing had been: the same bytes, and the same rewards at the end.
func TestRebuildOnAnotherServer(t *testing.T) {
	for _, scenario := range []string{parcel, bastion, count} {
		t.Run(scenario, func(t *testing.T) {
			first, second, a := serve(t), serve(t), act(t, scenario)
			opts := &pb.EpisodeOptions{Faults: "once", ToolOrder: "seeded"}
			// Ways to behave, from prudent to rash; each ends by a text.
			plans := [8][]*pb.Turn{}
			for i := range plans {
				for _, tool := range [][]int{
					{a.low[0], a.low[0]}, {a.low[0], a.low[1], a.low[2], a.low[0]}, {a.high[0]}, {a.low[0], a.high[1]},
					{a.low[0], a.low[1]}, {a.low[2]}, {}, {a.low[1], a.low[1], a.high[2]},
				}[i] {
					plans[i] = append(plans[i], a.turn(tool))
				}
				plans[i] = append(plans[i], a.turn())
			}
			whole, group := &pb.RankGroupRequest{}, &pb.RankGroupRequest{}
			for i, plan := range plans {
				id, half := fmt.Sprintf("g/%d", i), len(plan)/2
				kept := must(first.env.Reset(t.Context(), reset(id, scenario, 11, opts)))(t)
				for n, turn := range plan[:half] {
					kept.History = append(kept.History, must(first.env.Step(t.Context(), step(id, int32(n+1), turn)))(t))
				}
				rebuilt := must(second.env.Reset(t.Context(), reset(id, scenario, 11, opts, plan[:half]...)))(t)
				if bytesOf(t, rebuilt) != bytesOf(t, kept) {
					t.Fatalf("member %d: the rebuilt episode differs:\n%v\n%v", i, rebuilt, kept)
				}
				for n := half; n < len(plan); n++ {
					req := step(id, int32(n+1), plan[n])
					here, there := must(first.env.Step(t.Context(), req))(t), must(second.env.Step(t.Context(), req))(t)
					if bytesOf(t, here) != bytesOf(t, there) {
						t.Fatalf("member %d, turn %d: %v on one, %v on the other", i, n+1, here, there)
					}
				}
				group.Members = append(group.Members, &pb.GroupMember{Member: &pb.GroupMember_EpisodeId{EpisodeId: id}})
				whole.Members = append(whole.Members, &pb.GroupMember{Member: &pb.GroupMember_Trajectory{Trajectory: &pb.Trajectory{
					ScenarioId: scenario, Seed: 11, Options: opts, Turns: plan,
				}}})
			}
			here := must(first.rew.RankGroup(t.Context(), group))(t)
			if there := must(second.rew.RankGroup(t.Context(), group))(t); !proto.Equal(here, there) {
				t.Errorf("one server ranks %v, the other %v", here, there)
			}
			if again := must(second.rew.RankGroup(t.Context(), whole))(t); !proto.Equal(here, again) {
				t.Errorf("live episodes rank %v, their trajectories %v", here, again)
			}
			if here.GetDegenerate() {
				t.Errorf("the group tells nothing: %s", here.GetReason())
			}
		})
	}
}

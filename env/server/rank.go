package server

import (
	"context"
	"fmt"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/reward"
)

// rank scores a group. A member that cannot be scored is masked; a request that is no group (members of different
// prompts, one episode twice) is refused, for its mean would be wrong in silence.
func (s *Server) rank(ctx context.Context, req *pb.RankGroupRequest) (*pb.RankGroupResponse, error) {
	preset, err := s.groupPreset(req)
	if err != nil {
		return nil, err
	}
	members := make([]reward.Member, len(req.GetMembers()))
	out := &pb.RankGroupResponse{Members: make([]*pb.RankedMember, len(members))}
	var prompt *snapshot
	for i, m := range req.GetMembers() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		snap, err := guarded(s, m, s.member)
		if err != nil {
			out.Members[i] = &pb.RankedMember{Status: s.itemStatus(err)}
			continue
		}
		if prompt == nil {
			prompt = &snap
		}
		if what := prompt.promptDiffers(&snap); what != "" {
			return nil, invalid(fmt.Sprintf("members[%d]", i), "is no member of this group: %s", what)
		}
		members[i] = reward.Member{
			Scorable:  true,
			Outcome:   snap.report.Outcome,
			Reward:    reward.Score(preset, snap.trace, snap.report.Outcome),
			Truncated: snap.report.Truncated,
		}
		out.Members[i] = &pb.RankedMember{Status: statusOK, Outcome: outcomeToProto(snap.report)}
	}
	groupToProto(out, members, reward.RankGroup(members))
	return out, nil
}

// groupPreset checks the request as a whole and returns its preset.
func (s *Server) groupPreset(req *pb.RankGroupRequest) (reward.Preset, error) {
	members := req.GetMembers()
	if len(members) == 0 {
		return "", invalid("members", "is empty; give the members of one group")
	}
	if err := s.limits.checkSize("members", len(members)); err != nil {
		return "", err
	}
	seen := make(map[string]int, len(members))
	for i, m := range members {
		field := fmt.Sprintf("members[%d]", i)
		switch which := m.GetMember().(type) {
		case *pb.GroupMember_EpisodeId:
			if first, ok := seen[which.EpisodeId]; ok {
				return "", invalid(field+".episode_id", "%q is members[%d] already", which.EpisodeId, first)
			}
			seen[which.EpisodeId] = i
		case *pb.GroupMember_Trajectory:
		default:
			return "", invalid(field, "is empty; give episode_id or trajectory")
		}
	}
	preset, err := reward.ParsePreset(req.GetPreset())
	if err != nil {
		return "", invalid("preset", "%v", err)
	}
	return preset, nil
}

func (s *Server) member(m *pb.GroupMember) (snapshot, error) {
	if t := m.GetTrajectory(); t != nil {
		return s.replay(t)
	}
	return s.snapshot(m.GetEpisodeId())
}

// promptDiffers says why two episodes do not belong to one group: its members share the prompt and the fault plan, which
// come from scenario, options and seed.
func (s *snapshot) promptDiffers(o *snapshot) string {
	switch {
	case s.scenario != o.scenario:
		return fmt.Sprintf("its scenario is %s, that of the members before is %s", o.scenario, s.scenario)
	case s.seed != o.seed:
		return fmt.Sprintf("its seed is %d, that of the members before is %d", o.seed, s.seed)
	case s.opts != o.opts:
		return fmt.Sprintf("its options are %+v, those of the members before are %+v", o.opts, s.opts)
	}
	return ""
}

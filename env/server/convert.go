package server

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/reward"
)

// This file alone turns domain values into messages and back. Messages from the wire may be nil and are read by their
// getters; what they may hold is checked in validate.go before.

func optionsFromProto(m *pb.EpisodeOptions) episode.Options {
	return episode.Options{
		K:          int(m.GetK()),
		Prompt:     m.GetPrompt(),
		Faults:     m.GetFaults(),
		HighFaults: m.GetHighFaults(),
		ToolOrder:  m.GetToolOrder(),
		Turns:      m.GetTurns(),
	}
}

func optionsToProto(o episode.Options) *pb.EpisodeOptions {
	return &pb.EpisodeOptions{
		K:          int32(o.K),
		Prompt:     o.Prompt,
		Faults:     o.Faults,
		HighFaults: o.HighFaults,
		ToolOrder:  o.ToolOrder,
		Turns:      o.Turns,
	}
}

func turnFromProto(m *pb.Turn) episode.Turn {
	t := episode.Turn{
		Text:         m.GetText(),
		Reasoning:    m.GetReasoning(),
		Tokens:       reward.NoTokens,
		FinishReason: m.GetFinishReason(),
	}
	if m != nil && m.Tokens != nil {
		t.Tokens = int(*m.Tokens)
	}
	if calls := m.GetCalls(); len(calls) > 0 {
		t.Calls = make([]episode.Call, len(calls))
		for i, c := range calls {
			t.Calls[i] = episode.Call{ID: c.GetId(), Name: c.GetName(), Arguments: c.GetArguments()}
		}
	}
	return t
}

func turnsFromProto(ms []*pb.Turn) []episode.Turn {
	turns := make([]episode.Turn, len(ms))
	for i, m := range ms {
		turns[i] = turnFromProto(m)
	}
	return turns
}

// stepToProto leaves the outcome to the caller, who knows whether the episode is over.
func stepToProto(s episode.Step) *pb.StepResponse {
	m := &pb.StepResponse{Terminated: s.Terminated, Truncated: s.Truncated}
	if n := len(s.ToolMessages); n > 0 {
		m.ToolMessages = make([]*pb.ToolMessage, n)
		held := make([]pb.ToolMessage, n) // one allocation for all
		for i, t := range s.ToolMessages {
			held[i].CallId, held[i].Name, held[i].Content, held[i].Status = t.CallID, t.Name, t.Content, t.Status
			m.ToolMessages[i] = &held[i]
		}
	}
	return m
}

func messagesToProto(messages []episode.Message) []*pb.Message {
	out := make([]*pb.Message, len(messages))
	for i, m := range messages {
		out[i] = &pb.Message{Role: m.Role, Content: m.Content}
	}
	return out
}

func toolsToProto(tools []scenario.ToolSchema) []*pb.Tool {
	out := make([]*pb.Tool, len(tools))
	for i, t := range tools {
		out[i] = &pb.Tool{Name: t.Name, Json: t.JSON}
	}
	return out
}

// scenarioToProto lists the tools by name, whatever order an episode will show.
func scenarioToProto(s *scenario.Scenario, messages []episode.Message) *pb.Scenario {
	toolset := s.Family.Toolset()
	byName := slices.SortedFunc(slices.Values(toolset.Tools), func(a, b scenario.ToolSchema) int {
		return strings.Compare(a.Name, b.Name)
	})
	return &pb.Scenario{
		Id:         s.ID,
		Family:     s.Family.ID,
		Split:      s.Family.Split,
		Domain:     s.Family.Domain,
		Risk:       s.Family.Risk,
		Messages:   messagesToProto(messages),
		Tools:      toolsToProto(byName),
		ToolsetKey: toolset.Key,
		TurnLimit:  episode.DefaultK,
	}
}

func splitToProto(s corpus.SplitInfo) *pb.Split {
	return &pb.Split{Name: s.Name, Families: int32(s.Families), Scenarios: int32(s.Scenarios)}
}

func outcomeToProto(r episode.Report) *pb.Outcome {
	return &pb.Outcome{
		Success:      r.Success,
		LowSuccess:   r.LowSuccess,
		Opur:         r.OPUR,
		OpurCalled:   r.OPURCalled,
		OpurNeedless: r.OPURNeedless,
		OpurStrict:   r.OPURStrict,
		AnyHigh:      r.AnyHigh,
		Ped:          optional(r.PED),
		PedCalled:    optional(r.PEDCalled),
		Class:        r.Class.String(),
		Tier:         r.Tier.String(),
		Claim:        r.Claim.String(),
		Terminated:   r.Terminated,
		Truncated:    r.Truncated,
		Turns:        int32(r.Turns),
		Calls:        int32(r.Calls),
		HighCalls:    int32(r.HighCalls),
		Waste:        int32(r.Waste),
		Tokens:       optional(r.Tokens),
		Answered:     r.Answered,
		Blast: &pb.Blast{
			Rows:      int32(r.Blast.Rows),
			Cells:     int32(r.Blast.Cells),
			Standing:  int32(r.Blast.Standing),
			Lasting:   int32(r.Blast.Lasting),
			Skipped:   int32(r.Blast.Skipped),
			Authority: scenario.Authority.Level(r.Blast.Authority),
		},
	}
}

func rewardToProto(r reward.Reward) *pb.Reward {
	m := &pb.Reward{Preset: string(r.Preset), Value: r.Value, BandLow: r.Low, BandHigh: r.High}
	for _, t := range r.Terms() {
		m.Terms = append(m.Terms, &pb.Term{Name: t.Name, Value: t.Value})
	}
	return m
}

func limitsToProto(l Limits) *pb.Limits {
	return &pb.Limits{
		Episodes:        int32(l.Episodes),
		IdleTimeout:     durationpb.New(l.IdleTimeout),
		MessageBytes:    int32(l.MessageBytes),
		ConcurrentCalls: int32(l.ConcurrentCalls),
		Turns:           int32(l.Turns),
		CallsPerTurn:    int32(l.CallsPerTurn),
		ArgumentBytes:   int32(l.ArgumentBytes),
		TextBytes:       int32(l.TextBytes),
		Batch:           int32(l.Batch),
		EpisodeIdBytes:  int32(l.EpisodeIDBytes),
		RetainedBytes:   int64(l.RetainedBytes),
	}
}

// optional is nil for the −1 that means absent: reward.NoTokens and reward.NoDepth.
func optional(n int) *int32 {
	if n < 0 {
		return nil
	}
	v := int32(n)
	return &v
}

// groupToProto fills in what a group says of its members. Those that cannot be scored keep their status alone.
func groupToProto(m *pb.RankGroupResponse, members []reward.Member, g reward.Group) {
	m.Degenerate, m.Reason, m.Mean = g.Degenerate, string(g.Reason), g.Mean
	for i, ranked := range g.Members {
		if ranked.Scorable {
			to := m.Members[i]
			to.Scorable, to.Rank, to.Tier, to.Advantage = true, int32(ranked.Rank), ranked.Tier.String(), ranked.Advantage
			to.Reward = rewardToProto(members[i].Reward)
		}
	}
}

package server

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/world"
	"github.com/privgym/privgym/reward"
)

func TestTurnRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		turn := episode.Turn{
			Text:         rapid.String().Draw(rt, "text"),
			Reasoning:    rapid.String().Draw(rt, "reasoning"),
			Tokens:       rapid.IntRange(reward.NoTokens, 1<<31-1).Draw(rt, "tokens"),
			FinishReason: rapid.SampledFrom([]string{"", "stop", "length"}).Draw(rt, "finish"),
		}
		for range rapid.IntRange(0, 3).Draw(rt, "calls") {
			turn.Calls = append(turn.Calls, episode.Call{
				ID: rapid.String().Draw(rt, "id"), Name: rapid.String().Draw(rt, "name"), Arguments: rapid.String().Draw(rt, "arguments"),
			})
		}
		wire := must(proto.Marshal(turnToProto(turn)))(t)
		m := new(pb.Turn)
		if err := proto.Unmarshal(wire, m); err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(turn, turnFromProto(m)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestOptionsRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.StringMatching(`[a-z-]{0,12}`)
		o := episode.Options{
			K:          rapid.IntRange(0, episode.MaxK).Draw(rt, "k"),
			Prompt:     word.Draw(rt, "prompt"),
			Faults:     word.Draw(rt, "faults"),
			HighFaults: word.Draw(rt, "high_faults"),
			ToolOrder:  word.Draw(rt, "tool_order"),
			Turns:      word.Draw(rt, "turns"),
		}
		if got := optionsFromProto(optionsToProto(o)); got != o {
			rt.Fatalf("got %+v, want %+v", got, o)
		}
	})
}

func TestNilMessagesConvert(t *testing.T) {
	if got, want := turnFromProto(nil), (episode.Turn{Tokens: reward.NoTokens}); cmp.Diff(got, want) != "" {
		t.Errorf("nil turn is %+v", got)
	}
	if got := turnFromProto(&pb.Turn{Calls: []*pb.ToolCall{nil}}); len(got.Calls) != 1 {
		t.Errorf("a nil call gives %+v", got)
	}
	if got := optionsFromProto(nil); got != (episode.Options{}) {
		t.Errorf("nil options are %+v", got)
	}
}

// TestEveryFieldIsFilled holds that no field of a message is forgotten: domain values without a zero leave none unset.
func TestEveryFieldIsFilled(t *testing.T) {
	report := episode.Report{
		Outcome: reward.Outcome{
			Success: true, LowSuccess: true, OPUR: true, OPURCalled: true, OPURNeedless: true, OPURStrict: true, AnyHigh: true,
			PED: 1, PEDCalled: 2, Class: reward.ClassPremature, Calls: 3, HighCalls: 4, Waste: 5, Tokens: 7,
		},
		Terminated: true, Truncated: true, Turns: 6, Claim: reward.Claims, Answered: true,
		Blast: world.Blast{Rows: 1, Cells: 2, Standing: 3, Lasting: 2, Skipped: 4, Authority: 3},
	}
	trace := &reward.Trace{Tools: []reward.Tool{{Sufficient: true}}, K: 5, Calls: []reward.Call{{Turn: 1, Useful: true, Reached: true}},
		Messages: []reward.Message{{Tokens: reward.NoTokens}}}
	one := must(models().Scenario(parcel))(t)
	limits := must(Limits{IdleTimeout: time.Second + time.Nanosecond}.withDefaults())(t)
	for _, m := range []proto.Message{
		optionsToProto(episode.Options{K: 1, Prompt: "a", Faults: "b", HighFaults: "c", ToolOrder: "d", Turns: "e"}),
		turnToProto(episode.Turn{Text: "a", Reasoning: "b", Calls: []episode.Call{{ID: "c", Name: "d", Arguments: "e"}}, FinishReason: "f"}),
		limitsToProto(limits),
		outcomeToProto(report),
		rewardToProto(reward.Score(reward.Ranked, trace, reward.Judge(trace))),
		scenarioToProto(one, []episode.Message{{Role: "user", Content: "x"}}),
		splitToProto(models().Splits()[1]),
	} {
		unset(t, m.ProtoReflect())
	}
}

func unset(t *testing.T, m protoreflect.Message) {
	t.Helper()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); !m.Has(f) {
			t.Errorf("%s is not set", f.FullName())
		} else if f.Message() != nil && !f.IsList() {
			unset(t, m.Get(f).Message())
		}
	}
}

func TestStepToProto(t *testing.T) {
	got := stepToProto(episode.Step{
		ToolMessages: []episode.ToolMessage{{CallID: "a", Name: "b", Content: "c", Status: "ok"}, {CallID: "d"}},
		Truncated:    true,
	})
	want := &pb.StepResponse{
		ToolMessages: []*pb.ToolMessage{{CallId: "a", Name: "b", Content: "c", Status: "ok"}, {CallId: "d"}},
		Truncated:    true,
	}
	if !proto.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := stepToProto(episode.Step{Terminated: true}); !proto.Equal(got, &pb.StepResponse{Terminated: true}) {
		t.Errorf("a last turn became %v", got)
	}
}

func TestAbsentStaysAbsent(t *testing.T) {
	m := outcomeToProto(episode.Report{
		Outcome: reward.Outcome{PED: reward.NoDepth, PEDCalled: reward.NoDepth, Tokens: reward.NoTokens},
	})
	if m.Ped != nil || m.PedCalled != nil || m.Tokens != nil {
		t.Errorf("absent depths and tokens became %v", m)
	}
	if m := outcomeToProto(episode.Report{}); m.Ped == nil || *m.Ped != 0 || m.Tokens == nil {
		t.Errorf("depth 0 and no tokens became absent: %v", m)
	}
}

func turnToProto(t episode.Turn) *pb.Turn {
	m := &pb.Turn{
		Text:         t.Text,
		Reasoning:    t.Reasoning,
		Tokens:       optional(t.Tokens),
		FinishReason: t.FinishReason,
	}
	for _, c := range t.Calls {
		m.Calls = append(m.Calls, &pb.ToolCall{Id: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	return m
}

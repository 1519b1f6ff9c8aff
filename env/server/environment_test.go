package server

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

var noFaults = &pb.EpisodeOptions{Faults: "none"}

func TestDescribe(t *testing.T) {
	h := serve(t, limits(func(l *Limits) { l.IdleTimeout = 90 * time.Second; l.Batch = 7 }))
	got := must(h.env.Describe(t.Context(), &pb.DescribeRequest{}))(t)
	if got.GetVersion() != "v0.0.0-test" || got.GetCorpusDigest() != models().Digest() {
		t.Errorf("version %q, digest %q", got.GetVersion(), got.GetCorpusDigest())
	}
	if want := []string{"ranked", "toolprivbench"}; !slices.Equal(got.GetPresets(), want) {
		t.Errorf("presets %v, want %v", got.GetPresets(), want)
	}
	if want := []string{"base", "security-principle"}; !slices.Equal(got.GetPrompts(), want) {
		t.Errorf("prompts %v, want %v", got.GetPrompts(), want)
	}
	if want := []string{"none", "once", "twice", "outage", "ruled-out", "partial", "mixed"}; !slices.Equal(got.GetFaultPlans(), want) {
		t.Errorf("fault plans %v, want %v", got.GetFaultPlans(), want)
	}
	l := got.GetLimits()
	if l.GetIdleTimeout().AsDuration() != 90*time.Second || l.GetBatch() != 7 || l.GetTurns() != 64 {
		t.Errorf("limits %v", l)
	}
	total := 0
	for _, split := range got.GetSplits() {
		total += int(split.GetScenarios())
	}
	if want := len(models().IDs("")); total != want {
		t.Errorf("splits hold %d scenarios, want %d", total, want)
	}
}

func (h *harness) list(t *testing.T, req *pb.ListScenariosRequest) ([]*pb.ListScenariosResponse, error) {
	t.Helper()
	stream := must(h.env.ListScenarios(t.Context(), req))(t)
	var all []*pb.ListScenariosResponse
	for {
		item, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, item)
	}
}

func TestListScenarios(t *testing.T) {
	h := serve(t)
	all := must(h.list(t, &pb.ListScenariosRequest{Split: "rl", Prompt: "security-principle"}))(t)
	if want := len(models().IDs("rl")); len(all) != want {
		t.Fatalf("listed %d, want %d", len(all), want)
	}
	for i, item := range all {
		opened := must(h.env.Reset(t.Context(), &pb.ResetRequest{
			Scenario: &pb.ResetRequest_ByIndex{ByIndex: &pb.ScenarioIndex{Split: "rl", Index: item.GetIndex()}},
			Options:  &pb.EpisodeOptions{Prompt: "security-principle", ToolOrder: "name"},
		}))(t)
		s := item.GetScenario()
		if int(item.GetIndex()) != i || s.GetId() != opened.GetScenarioId() || s.GetToolsetKey() != opened.GetToolsetKey() {
			t.Errorf("%d: listed %s as %d, opened %s", i, s.GetId(), item.GetIndex(), opened.GetScenarioId())
		}
		listed := &pb.ResetResponse{Messages: s.GetMessages(), Tools: s.GetTools()}
		if !proto.Equal(listed, &pb.ResetResponse{Messages: opened.GetMessages(), Tools: opened.GetTools()}) {
			t.Errorf("%s: what is listed is not what is played", s.GetId())
		}
		if s.GetTurnLimit() != opened.GetOptions().GetK() || s.GetDomain() == "" || s.GetRisk() == "" || s.GetSplit() != "rl" {
			t.Errorf("listed %v", s)
		}
	}
	if everything := must(h.list(t, &pb.ListScenariosRequest{}))(t); len(everything) != len(models().IDs("")) {
		t.Errorf("all splits: listed %d", len(everything))
	}
	for field, req := range map[string]*pb.ListScenariosRequest{"split": {Split: "train"}, "prompt": {Prompt: "none"}} {
		if _, err := h.list(t, req); fieldOf(t, err) != field {
			t.Errorf("%v: %v", req, err)
		}
	}
}

func TestPlayAnEpisode(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	opened := must(h.env.Reset(t.Context(), reset("e", parcel, 3, noFaults)))(t)
	if len(opened.GetTools()) != 6 || len(opened.GetMessages()) != 2 || opened.GetOptions().GetK() != 5 || opened.GetSeed() != 3 {
		t.Errorf("opened %v", opened)
	}
	first := must(h.env.Step(t.Context(), step("e", 1, a.turn(a.low[0]))))(t)
	if m := first.GetToolMessages(); len(m) != 1 || m[0].GetStatus() != "ok" || m[0].GetCallId() == "" || first.GetOutcome() != nil {
		t.Errorf("turn 1 answered %v", first)
	}
	last := must(h.env.Step(t.Context(), step("e", 2, a.turn())))(t)
	if o := last.GetOutcome(); !last.GetTerminated() || o.GetTier() != "low_clean" || o.GetTokens() != 80 || o.Ped != nil {
		t.Errorf("turn 2 answered %v", last)
	}
	scored := must(h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"e"}}))(t).GetResults()[0]
	if !proto.Equal(scored.GetOutcome(), last.GetOutcome()) || scored.GetRewards()[0].GetValue() != 1 {
		t.Errorf("scored %v", scored)
	}
	if n := must(h.env.Close(t.Context(), &pb.CloseRequest{EpisodeIds: []string{"e", "none", "e"}}))(t).GetClosed(); n != 1 || h.Live() != 0 {
		t.Errorf("closed %d, %d are live", n, h.Live())
	}
}

func TestServerMadeIDsDiffer(t *testing.T) {
	h := serve(t)
	seen := make(map[string]bool)
	for range 20 {
		seen[must(h.env.Reset(t.Context(), reset("", parcel, 1, nil)))(t).GetEpisodeId()] = true
	}
	if len(seen) != 20 || h.Live() != 20 || seen[""] {
		t.Errorf("20 episodes have ids %v", seen)
	}
}

// TestStepRefusals meets every way to send a wrong turn. None of them changes the episode.
func TestStepRefusals(t *testing.T) {
	h, a := serve(t, limits(func(l *Limits) { l.TextBytes = 100 })), act(t, parcel)
	must(h.env.Reset(t.Context(), reset("e", parcel, 1, noFaults)))(t)
	played := must(h.env.Step(t.Context(), step("e", 1, a.turn(a.low[0]))))(t)
	must(h.env.Reset(t.Context(), reset("over", parcel, 1, noFaults, a.turn())))(t)
	must(h.env.Reset(t.Context(), reset("calls", parcel, 1, &pb.EpisodeOptions{Turns: "calls"})))(t)
	for _, tt := range []struct {
		name string
		req  *pb.StepRequest
		code codes.Code
		text string
	}{
		{"unknown id", step("x", 1, a.turn()), codes.NotFound, "Reset with the same id, scenario, seed and options, and the turns played so far as history"},
		{"no id", step("", 1, a.turn()), codes.InvalidArgument, "episode_id"},
		{"turn 0", step("e", 0, a.turn()), codes.InvalidArgument, "turn: is 0; the first turn is 1"},
		{"no content", step("e", 2, nil), codes.InvalidArgument, "content: is missing"},
		{"long text", step("e", 2, &pb.Turn{Text: string(make([]byte, 101))}), codes.InvalidArgument, "content.text: has 101 bytes; at most 100"},
		{"out of order", step("e", 3, a.turn()), codes.FailedPrecondition, "turn 2 is next"},
		{"other content", step("e", 1, a.turn(a.high[0])), codes.FailedPrecondition, "call 1 name differs"},
		{"after the end", step("over", 2, a.turn()), codes.FailedPrecondition, "ended with turn 1"},
		{"two calls where one is allowed", step("calls", 1, a.turn(a.low[0], a.low[1])), codes.InvalidArgument, "content.calls: with turns: calls a turn takes one call"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := h.env.Step(t.Context(), tt.req)
			if st := wantCode(t, err, tt.code); !strings.Contains(st.Message(), tt.text) {
				t.Errorf("%q does not say %q", st.Message(), tt.text)
			}
		})
	}
	again := must(h.env.Step(t.Context(), step("e", 1, a.turn(a.low[0]))))(t)
	if bytesOf(t, again) != bytesOf(t, played) {
		t.Error("a refused turn changed the answer of turn 1")
	}
	must(h.env.Step(t.Context(), step("e", 2, a.turn())))(t)
}

func TestRepeatedTurns(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	must(h.env.Reset(t.Context(), reset("e", parcel, 1, noFaults)))(t)
	turns := []*pb.Turn{a.turn(a.low[0], a.low[1]), a.turn(a.low[2]), a.turn()}
	var answers []string
	for i, turn := range turns {
		answers = append(answers, bytesOf(t, must(h.env.Step(t.Context(), step("e", int32(i+1), turn)))(t)))
	}
	score := bytesOf(t, must(h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"e"}}))(t))
	for i, turn := range turns {
		if again := must(h.env.Step(t.Context(), step("e", int32(i+1), turn)))(t); bytesOf(t, again) != answers[i] {
			t.Errorf("turn %d answers otherwise the second time", i+1)
		}
	}
	if bytesOf(t, must(h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"e"}}))(t)) != score {
		t.Error("repeated turns moved the score")
	}
	change := func(f func(*pb.Turn)) *pb.Turn {
		c := proto.CloneOf(turns[0])
		f(c)
		return c
	}
	for want, turn := range map[string]*pb.Turn{
		"text differs":                    change(func(c *pb.Turn) { c.Text += "." }),
		"reasoning differs":               change(func(c *pb.Turn) { c.Reasoning = "so" }),
		"tokens were 40, now 41":          change(func(c *pb.Turn) { c.Tokens = proto.Int32(41) }),
		"tokens were 40, now absent":      change(func(c *pb.Turn) { c.Tokens = nil }),
		"finish_reason differs":           change(func(c *pb.Turn) { c.FinishReason = "length" }),
		"it had 2 calls, now 1":           change(func(c *pb.Turn) { c.Calls = c.Calls[:1] }),
		"call 2 arguments differs":        change(func(c *pb.Turn) { c.Calls[1].Arguments += " " }),
		"call 1 name differs":             change(func(c *pb.Turn) { c.Calls[0].Name = "other" }),
		"call 1 id differs":               change(func(c *pb.Turn) { c.Calls[0].Id = "mine" }),
		"text differs; call 1 id differs": change(func(c *pb.Turn) { c.Text, c.Calls[0].Id = "", "mine" }),
	} {
		_, err := h.env.Step(t.Context(), step("e", 1, turn))
		if st := wantCode(t, err, codes.FailedPrecondition); !strings.Contains(st.Message(), want) {
			t.Errorf("%q does not say %q", st.Message(), want)
		}
	}
	named := change(func(c *pb.Turn) {
		c.Calls[0].Id = must(h.env.Step(t.Context(), step("e", 1, turns[0])))(t).GetToolMessages()[0].GetCallId()
	})
	if again := must(h.env.Step(t.Context(), step("e", 1, named)))(t); bytesOf(t, again) != answers[0] {
		t.Error("a call under the id that the server gave it is another one")
	}
}

// TestHostileCalls sends what models write instead of calls. All of it is answered, and the episode goes on.
func TestHostileCalls(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	must(h.env.Reset(t.Context(), reset("e", parcel, 1, noFaults)))(t)
	name := a.call(a.low[0]).GetName()
	turn := &pb.Turn{}
	var want []string
	for _, c := range []struct{ name, arguments, status string }{
		{name, "", "invalid_arguments"}, {name, `{"parcel": "1`, "malformed"}, {name, `{'parcel': '1'}`, "malformed"}, {name, `{} x`, "malformed"},
		{name, `{"parcel": NaN}`, "malformed"}, {name, "null", "invalid_arguments"}, {name, "[]", "malformed"}, {name, "3", "malformed"},
		{name, `""`, "malformed"}, {name, `{}`, "invalid_arguments"}, {"", `{}`, "malformed"}, {"no_such_tool", `{}`, "unknown_tool"},
	} {
		turn.Calls = append(turn.Calls, &pb.ToolCall{Name: c.name, Arguments: c.arguments})
		want = append(want, c.status)
	}
	got := must(h.env.Step(t.Context(), step("e", 1, turn)))(t).GetToolMessages()
	for i, m := range got {
		if m.GetStatus() != want[i] || m.GetContent() == "" {
			t.Errorf("%v is %s, want %s", turn.GetCalls()[i], m.GetStatus(), want[i])
		}
	}
	if r := must(h.env.Step(t.Context(), step("e", 2, a.turn(a.low[0]))))(t); r.GetToolMessages()[0].GetStatus() != "ok" {
		t.Errorf("after that, a right call is %v", r)
	}
}

func TestTruncation(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	must(h.env.Reset(t.Context(), reset("e", parcel, 1, &pb.EpisodeOptions{K: 1, Faults: "once"})))(t)
	must(h.env.Step(t.Context(), step("e", 1, a.turn(a.low[0]))))(t)
	r := must(h.env.Step(t.Context(), step("e", 2, a.turn(a.low[0]))))(t)
	if !r.GetTruncated() || r.GetToolMessages()[0].GetStatus() != "not_executed" || !r.GetOutcome().GetTruncated() {
		t.Errorf("a call after k turns: %v", r)
	}
}

func TestListSizesAreBounded(t *testing.T) {
	h := serve(t, limits(func(l *Limits) { l.Batch = 2 }))
	ctx, ids := t.Context(), []string{"a", "b", "c"}
	_, score := h.env.Score(ctx, &pb.ScoreRequest{EpisodeIds: ids})
	_, closed := h.env.Close(ctx, &pb.CloseRequest{EpisodeIds: ids})
	_, steps := h.env.StepBatch(ctx, &pb.StepBatchRequest{Requests: []*pb.StepRequest{{}, {}, {}}})
	_, resets := h.env.ResetBatch(ctx, &pb.ResetBatchRequest{Requests: []*pb.ResetRequest{{}, {}, {}}})
	_, trajectories := h.rew.ScoreTrajectories(ctx, &pb.ScoreTrajectoriesRequest{Trajectories: []*pb.Trajectory{{}, {}, {}}})
	_, group := h.rew.RankGroup(ctx, &pb.RankGroupRequest{Members: []*pb.GroupMember{{}, {}, {}}})
	for _, tt := range []struct {
		err   error
		field string
	}{
		{score, "episode_ids"}, {closed, "episode_ids"}, {steps, "requests"}, {resets, "requests"},
		{trajectories, "trajectories"}, {group, "members"},
	} {
		if got := fieldOf(t, tt.err); got != tt.field {
			t.Errorf("field %q, want %q", got, tt.field)
		}
	}
}

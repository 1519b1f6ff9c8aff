package server

import (
	"context"
	"math"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

func FuzzDescribe(f *testing.F) {
	f.Add([]byte("\xa0\x06\x01"))
	a := act(f, parcel)
	f.Fuzz(func(t *testing.T, raw []byte) {
		h := attack(t, a)
		for _, req := range both(t, raw, &pb.DescribeRequest{}) {
			if answer, _ := call(t, h, h.env.Describe, req); bytesOf(t, answer) != bytesOf(t, h.about) {
				t.Errorf("%v is described as %v", req, answer)
			}
		}
	})
}

// listing collects what a server streams.
type listing struct {
	grpc.ServerStream
	ctx   context.Context
	items []*pb.ListScenariosResponse
}

func (l *listing) Context() context.Context { return l.ctx }

func (l *listing) Send(item *pb.ListScenariosResponse) error {
	l.items = append(l.items, item)
	return nil
}

func FuzzListScenarios(f *testing.F) {
	f.Add(must(proto.Marshal(&pb.ListScenariosRequest{Split: "rl", Prompt: "base"}))(f), "eval", "security-principle")
	f.Add([]byte{0x0a, 0x03, 0xff}, "", "none")
	f.Add([]byte(nil), "rl\x00", "")
	a := act(f, parcel)
	f.Fuzz(func(t *testing.T, raw []byte, split, prompt string) {
		h := attack(t, a)
		for _, req := range both(t, raw, &pb.ListScenariosRequest{Split: split, Prompt: prompt}) {
			out := &listing{ctx: t.Context()}
			_, err := call(t, h, func(_ context.Context, req *pb.ListScenariosRequest) (*pb.Scenario, error) {
				return &pb.Scenario{}, h.env.ListScenarios(req, out)
			}, req, invalidOnly...)
			want := 0
			if err == nil {
				want = len(models().IDs(req.GetSplit()))
			}
			if len(out.items) != want {
				t.Errorf("%v lists %d scenarios, want %d", req, len(out.items), want)
			}
		}
	})
}

// FuzzReset: the same request again finds the same episode, and a refused one leaves none.
func FuzzReset(f *testing.F) {
	a := act(f, parcel)
	for _, req := range []*pb.ResetRequest{
		reset("a", count, -1, &pb.EpisodeOptions{K: 1, Turns: "calls"}, a.turn(0)),
		reset("e", parcel, 7, noFaults, a.turn(a.low[0], a.high[0]), a.turn()),
		{EpisodeId: "c", Scenario: &pb.ResetRequest_ByIndex{ByIndex: &pb.ScenarioIndex{Split: "rl", Index: 1}}, History: []*pb.Turn{nil, turnOf(2)}},
	} {
		f.Add(must(proto.Marshal(req))(f), "id", parcel, "rl", int32(0), int64(3), int32(5), "mixed", "base", "seeded", "messages", "{}")
	}
	f.Add([]byte{0xff}, "a\x00b", "nothing/1.1", "train", int32(-1), int64(math.MinInt64), int32(1<<30), "all", "none", "", "calls", `{"parcel": NaN}`)
	f.Fuzz(func(t *testing.T, raw []byte, id, scenario, split string, index int32, seed int64, k int32, faults, prompt, order, turns, arguments string) {
		h := attack(t, a)
		built := reset(id, scenario, seed, &pb.EpisodeOptions{
			K: k, Faults: faults, HighFaults: faults, Prompt: prompt, ToolOrder: order, Turns: turns,
		}, a.turn(a.low[0]), &pb.Turn{Text: prompt, Calls: []*pb.ToolCall{{Name: order, Arguments: arguments}}})
		if scenario == "" {
			built.Scenario = &pb.ResetRequest_ByIndex{ByIndex: &pb.ScenarioIndex{Split: split, Index: index}}
		}
		for _, req := range both(t, raw, built) {
			before := h.Live()
			answer, err := call(t, h, h.env.Reset, req, resetRefusals...)
			if err != nil {
				if h.Live() != before {
					t.Errorf("a refused Reset opened an episode: %v", req)
				}
				continue
			}
			req.EpisodeId = answer.GetEpisodeId()
			if again, _ := call(t, h, h.env.Reset, req); bytesOf(t, again) != bytesOf(t, answer) {
				t.Errorf("%v opened %v, then %v", req, answer, again)
			}
		}
	})
}

// FuzzStep: the same turn again gives the same bytes, and after it the episode scores or it is not there.
func FuzzStep(f *testing.F) {
	a := act(f, parcel)
	for _, req := range []*pb.StepRequest{
		step("e", 2, a.turn(a.low[0], a.high[0])), step("e", 1, a.turn(a.low[0], a.high[0])), step("x", 1, a.turn()), step("\x00", -1, turnOf(33)),
	} {
		f.Add(must(proto.Marshal(req))(f), int32(2), "text", "reason", "stop", "id", a.call(a.low[0]).GetName(), a.call(a.low[0]).GetArguments(), uint8(1), int32(3))
	}
	f.Add([]byte{0x0a, 0xff}, int32(1<<30), "<tool_call>{", "", "length", "", "", `{"parcel": "1`, uint8(40), int32(-1))
	f.Add([]byte(nil), int32(2), "Done.", "\x00", "", "same", "no_such_tool", `[[[[`, uint8(2), int32(0))
	f.Fuzz(func(t *testing.T, raw []byte, turn int32, text, reasoning, finish, id, name, arguments string, calls uint8, tokens int32) {
		h := attack(t, a)
		content := &pb.Turn{Text: text, Reasoning: reasoning, FinishReason: finish, Tokens: proto.Int32(tokens)}
		for range calls { // all under one id
			content.Calls = append(content.Calls, &pb.ToolCall{Id: id, Name: name, Arguments: arguments})
		}
		for _, req := range both(t, raw, step("e", turn, content)) {
			answer, err := call(t, h, h.env.Step, req, stepRefusals...)
			again, _ := call(t, h, h.env.Step, req, stepRefusals...)
			if err == nil && (bytesOf(t, again) != bytesOf(t, answer) || len(answer.GetToolMessages()) != len(req.GetContent().GetCalls())) {
				t.Errorf("%v is answered by %v, then %v", req, answer, again)
			}
			finite(t, must(h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"e"}}))(t).GetResults()[0])
		}
	})
}

// finite holds that a scored item has finite rewards that are the sum of their terms, and any other none.
func finite(t testing.TB, r *pb.ScoreResult) {
	t.Helper()
	if (r.GetStatus().GetCode() == 0) != (r.GetOutcome() != nil) || (r.GetOutcome() == nil) != (len(r.GetRewards()) == 0) {
		t.Errorf("half a result: %v", r)
	}
	for _, reward := range r.GetRewards() {
		sum := 0.0
		for _, term := range reward.GetTerms() {
			sum += term.GetValue()
		}
		if v := reward.GetValue(); math.IsNaN(v) || math.IsInf(v, 0) || v != sum {
			t.Errorf("the reward is %v, its terms add up to %v", v, sum)
		}
	}
}

// FuzzResetBatch: an item is answered as it would be alone.
func FuzzResetBatch(f *testing.F) {
	a := act(f, parcel)
	f.Add(must(proto.Marshal(&pb.ResetBatchRequest{Requests: []*pb.ResetRequest{reset("a", parcel, 1, nil), reset("a", parcel, 2, nil), {}}}))(f), "a", "b", parcel, int64(1))
	f.Add([]byte{0x0a, 0x00}, "e", "\x00", "nothing/1.1", int64(0))
	f.Fuzz(func(t *testing.T, raw []byte, one, two, scenario string, seed int64) {
		batch, single := attack(t, a), attack(t, a)
		built := &pb.ResetBatchRequest{Requests: []*pb.ResetRequest{
			reset(one, scenario, seed, nil), reset(two, parcel, seed, nil, a.turn(0)), reset(one, parcel, seed, nil), batch.opening(two),
		}}
		for _, req := range both(t, raw, built) {
			for i, r := range req.GetRequests() {
				if r.GetEpisodeId() == "" {
					r.EpisodeId = string(rune('A' + i%26)) // or the server makes one up
				}
			}
			answer, err := call(t, batch, batch.env.ResetBatch, req, invalidOnly...)
			for i, got := range answer.GetResults() {
				batch.holds(t, got.GetStatus().GetCode(), resetRefusals)
				alone, oneErr := call(t, single, single.env.Reset, req.GetRequests()[i], resetRefusals...)
				if got.GetStatus().GetMessage() == errNoRoom.Error() {
					return // what follows has not been run
				}
				want := &pb.ResetResult{Status: single.itemStatus(oneErr), Response: alone}
				if oneErr == nil {
					want.Status = statusOK
				}
				if !proto.Equal(got, want) {
					t.Errorf("item %d: %v, alone %v", i, got, want)
				}
			}
			if (err == nil) != (len(answer.GetResults()) == len(req.GetRequests())) && len(req.GetRequests()) > 0 {
				t.Errorf("%d requests, %d results", len(req.GetRequests()), len(answer.GetResults()))
			}
		}
	})
}

// FuzzStepBatch: an item is answered as it would be alone, and the same batch again gives the same answers.
func FuzzStepBatch(f *testing.F) {
	a := act(f, parcel)
	f.Add(must(proto.Marshal(&pb.StepBatchRequest{Requests: []*pb.StepRequest{step("e", 2, a.turn(a.low[0])), step("e", 3, a.turn()), step("x", 1, nil), nil}}))(f),
		int32(2), int32(3), a.call(a.low[0]).GetName(), `{"parcel": "14-207"}`)
	f.Add([]byte{0x0a, 0x00}, int32(1), int32(0), "", "null")
	f.Fuzz(func(t *testing.T, raw []byte, one, two int32, name, arguments string) {
		batch, single := attack(t, a), attack(t, a)
		content := &pb.Turn{Text: name, Calls: []*pb.ToolCall{{Name: name, Arguments: arguments}, a.call(a.high[0])}}
		built := &pb.StepBatchRequest{Requests: []*pb.StepRequest{
			step("e", one, content), step("e", two, content), step("e", two, &pb.Turn{Text: arguments}), step(name, one, nil),
		}}
		for _, req := range both(t, raw, built) {
			answer, err := call(t, batch, batch.env.StepBatch, req, invalidOnly...)
			again, _ := call(t, batch, batch.env.StepBatch, req, invalidOnly...)
			for i, got := range answer.GetResults() {
				batch.holds(t, got.GetStatus().GetCode(), stepRefusals)
				alone, oneErr := call(t, single, single.env.Step, req.GetRequests()[i], stepRefusals...)
				want := &pb.StepResult{Status: statusOK, Response: alone}
				if oneErr != nil {
					want = &pb.StepResult{Status: single.itemStatus(oneErr)}
				}
				if !proto.Equal(got, want) || oneErr == nil && !proto.Equal(got, again.GetResults()[i]) {
					t.Errorf("item %d: %v, alone %v, again %v", i, got, want, again.GetResults()[i])
				}
			}
			if err == nil && len(answer.GetResults()) != len(req.GetRequests()) {
				t.Errorf("%d requests, %d results", len(req.GetRequests()), len(answer.GetResults()))
			}
		}
	})
}

func FuzzScore(f *testing.F) {
	a := act(f, parcel)
	f.Add(must(proto.Marshal(&pb.ScoreRequest{EpisodeIds: []string{"e", "x"}, Presets: []string{"ranked", "toolprivbench"}}))(f), "e", "\x00", "ranked", "")
	f.Add([]byte{0x12, 0x00}, "", "e", "best", "toolprivbench")
	f.Fuzz(func(t *testing.T, raw []byte, one, two, first, second string) {
		h := attack(t, a)
		for _, req := range both(t, raw, &pb.ScoreRequest{EpisodeIds: []string{one, two, one}, Presets: []string{first, second}}) {
			answer, err := call(t, h, h.env.Score, req, invalidOnly...)
			if err == nil && len(answer.GetResults()) != len(req.GetEpisodeIds()) {
				t.Errorf("%d episodes, %d results", len(req.GetEpisodeIds()), len(answer.GetResults()))
			}
			for _, r := range answer.GetResults() {
				h.holds(t, r.GetStatus().GetCode(), scoreRefusals)
				finite(t, r)
			}
			if again, _ := call(t, h, h.env.Score, req, invalidOnly...); bytesOf(t, again) != bytesOf(t, answer) {
				t.Errorf("%v scores %v, then %v", req, answer, again)
			}
		}
	})
}

// FuzzClose: what is named is gone, and nothing else is.
func FuzzClose(f *testing.F) {
	a := act(f, parcel)
	f.Add(must(proto.Marshal(&pb.CloseRequest{EpisodeIds: []string{"e", "x", "e"}}))(f), "e")
	f.Add([]byte{0x0a, 0x00}, "\x00")
	f.Fuzz(func(t *testing.T, raw []byte, id string) {
		for _, req := range both(t, raw, &pb.CloseRequest{EpisodeIds: []string{id, "x", id}}) {
			h := attack(t, a)
			answer, err := call(t, h, h.env.Close, req, invalidOnly...)
			named := slices.Contains(req.GetEpisodeIds(), "e") && err == nil
			if _, live := h.table.get("e"); live == named || (answer.GetClosed() == 1) != named || h.Live() != 2-int(answer.GetClosed()) {
				t.Errorf("%v closed %d, %d are live", req, answer.GetClosed(), h.Live())
			}
		}
	})
}

package server

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

func TestResetRefusals(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	byIndex := func(split string, index int32) *pb.ResetRequest {
		return &pb.ResetRequest{Scenario: &pb.ResetRequest_ByIndex{ByIndex: &pb.ScenarioIndex{Split: split, Index: index}}}
	}
	for _, tt := range []struct {
		name, field string
		req         *pb.ResetRequest
	}{
		{"id with NUL", "episode_id", reset("a\x00", parcel, 1, nil)},
		{"long id", "episode_id", reset(strings.Repeat("x", 129), parcel, 1, nil)},
		{"no scenario", "scenario_id", &pb.ResetRequest{EpisodeId: "e"}},
		{"unknown scenario", "scenario_id", reset("e", "gov-se-parcel-use/9.9", 1, nil)},
		{"a scenario of megabytes", "scenario_id", reset("e", strings.Repeat("x", 1<<20), 1, nil)},
		{"index beyond the split", "by_index", byIndex("rl", 1_000_000)},
		{"negative index", "by_index", byIndex("rl", -1)},
		{"unknown split", "by_index", byIndex("train", 0)},
		{"no split", "by_index", byIndex("", 0)},
		{"option", "options.faults", reset("e", parcel, 1, &pb.EpisodeOptions{Faults: "all"})},
		{"history too long", "history", reset("e", parcel, 1, &pb.EpisodeOptions{K: 1}, a.turn(0), a.turn(0), a.turn())},
		{"history after the end", "history[0].calls", reset("e", parcel, 1, nil, a.turn(), a.turn(0))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := h.env.Reset(t.Context(), tt.req)
			if got := fieldOf(t, err); got != tt.field {
				t.Errorf("field %q, want %q: %v", got, tt.field, err)
			}
			if len(err.Error()) > 2<<10 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
	if h.Live() != 0 {
		t.Errorf("refused requests left %d episodes", h.Live())
	}
	games := 0
	h.games.byID.Range(func(any, any) bool { games++; return true })
	if games != 1 {
		t.Errorf("%d compiled scenarios are kept; ids that do not exist must not be", games)
	}
}

func TestResetAgain(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	opts := &pb.EpisodeOptions{K: 4, Faults: "once"}
	turns := []*pb.Turn{a.turn(a.low[0]), a.turn(a.low[1], a.low[1]), a.turn(a.low[0])}
	plain := bytesOf(t, must(h.env.Reset(t.Context(), reset("e", parcel, 9, opts)))(t))
	if again := must(h.env.Reset(t.Context(), reset("e", parcel, 9, opts)))(t); bytesOf(t, again) != plain {
		t.Error("a repeated Reset answers otherwise")
	}
	spelled := &pb.EpisodeOptions{K: 4, Faults: "once", Prompt: "base", HighFaults: "none", ToolOrder: "name", Turns: "messages"}
	if again := must(h.env.Reset(t.Context(), reset("e", parcel, 9, spelled)))(t); bytesOf(t, again) != plain {
		t.Error("the same options with the defaults spelled out answer otherwise")
	}
	first := must(h.env.Step(t.Context(), step("e", 1, turns[0])))(t)
	if again := must(h.env.Reset(t.Context(), reset("e", parcel, 9, opts)))(t); bytesOf(t, again) != plain {
		t.Error("Reset of an episode under way answers otherwise")
	}

	// A history that goes beyond what was played: the first turn is there, two are missing.
	longer := must(h.env.Reset(t.Context(), reset("e", parcel, 9, opts, turns...)))(t)
	if n := len(longer.GetHistory()); n != 3 || bytesOf(t, longer.GetHistory()[0]) != bytesOf(t, first) {
		t.Fatalf("%d turns of history answered, or the first by other bytes", n)
	}
	// One that is shorter rewinds nothing.
	shorter := must(h.env.Reset(t.Context(), reset("e", parcel, 9, opts, turns[0])))(t)
	if n := len(shorter.GetHistory()); n != 1 {
		t.Errorf("%d turns of history answered, want 1", n)
	}
	if third := must(h.env.Step(t.Context(), step("e", 3, turns[2])))(t); bytesOf(t, third) != bytesOf(t, longer.GetHistory()[2]) {
		t.Error("turn 3 is not the one that history played")
	}
	must(h.env.Step(t.Context(), step("e", 4, a.turn())))(t)
	if h.Live() != 1 {
		t.Errorf("%d episodes are live", h.Live())
	}
}

func TestResetOfAnotherEpisode(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	must(h.env.Reset(t.Context(), reset("e", parcel, 1, noFaults, a.turn(a.low[0]))))(t)
	for want, req := range map[string]*pb.ResetRequest{
		"scenario is " + parcel + ", not " + count:            reset("e", count, 1, noFaults),
		"seed is 1, not 2":                                    reset("e", parcel, 2, noFaults),
		"options are":                                         reset("e", parcel, 1, &pb.EpisodeOptions{Faults: "once"}),
		"turn 1: call 1 name differs":                         reset("e", parcel, 1, noFaults, a.turn(a.low[1])),
		"turn 1: tokens were 40, now absent":                  reset("e", parcel, 1, noFaults, withoutTokens(a.turn(a.low[0])), a.turn()),
		"seed is 1, not 0; options are {K:5 Prompt:base Faul": reset("e", parcel, 0, nil),
	} {
		_, err := h.env.Reset(t.Context(), req)
		if st := wantCode(t, err, codes.AlreadyExists); !strings.Contains(st.Message(), want) {
			t.Errorf("%q does not say %q", st.Message(), want)
		}
	}
	if next := must(h.env.Step(t.Context(), step("e", 2, a.turn())))(t); !next.GetTerminated() {
		t.Errorf("the refused ones changed the episode: %v", next)
	}
}

func withoutTokens(t *pb.Turn) *pb.Turn {
	t.Tokens = nil
	return t
}

// TestResetAtOnce opens one id from many goroutines, with more or less history. All see one episode.
func TestResetAtOnce(t *testing.T) {
	h, a := serve(t), act(t, bastion)
	turns := []*pb.Turn{a.turn(a.low[0]), a.turn(a.low[1]), a.turn(a.low[0], a.low[2])}
	for round := range 20 {
		id := fmt.Sprint("e", round)
		answers := make([]*pb.ResetResponse, 12)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				answer, err := h.env.Reset(t.Context(), reset(id, bastion, 5, nil, turns[:i%4]...))
				if err != nil {
					t.Error(err)
					return
				}
				answers[i] = answer
			})
		}
		wg.Wait()
		full := answers[3]
		for i, answer := range answers {
			want := proto.CloneOf(full)
			want.History = want.GetHistory()[:i%4]
			if bytesOf(t, answer) != bytesOf(t, want) {
				t.Fatalf("round %d: Reset %d saw another episode", round, i)
			}
		}
		if h.Live() != round+1 {
			t.Fatalf("%d episodes are live after %d ids", h.Live(), round+1)
		}
	}
}

// TestFieldOpenEnv456 lets racing clients play the same turns: each turn runs once.
func TestFieldOpenEnv456(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	const k = 16
	must(h.env.Reset(t.Context(), reset("e", parcel, 1, &pb.EpisodeOptions{K: k, Faults: "twice"})))(t)
	answers := make([][k]string, 6)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			for turn := range k {
				answer, err := h.env.Step(t.Context(), step("e", int32(turn+1), a.turn(a.low[turn%3])))
				if err != nil {
					t.Error(err)
					return
				}
				answers[i][turn] = bytesOf(t, answer)
				if _, err := h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"e"}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for i := range answers {
		if answers[i] != answers[0] {
			t.Errorf("client %d got other answers", i)
		}
	}
	score := must(h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"e"}}))(t).GetResults()[0]
	if n := score.GetOutcome().GetCalls(); n != k {
		t.Errorf("%d calls ran, want %d", n, k)
	}
}

// TestCloseUnderWay closes and opens an id while others step it. Whatever they meet, it is one of the answers that they
// can act on.
func TestCloseUnderWay(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if _, err := h.env.Reset(t.Context(), reset("e", parcel, 1, noFaults)); err != nil {
					t.Error(err)
				}
				if _, err := h.env.Step(t.Context(), step("e", 1, a.turn(a.low[0]))); err != nil {
					wantCode(t, err, codes.NotFound)
				}
				if _, err := h.env.Close(t.Context(), &pb.CloseRequest{EpisodeIds: []string{"e"}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if h.Live() != 0 || h.table.bytes.Load() != 0 {
		t.Errorf("%d episodes and %d bytes are left", h.Live(), h.table.bytes.Load())
	}
}

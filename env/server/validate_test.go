package server

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
)

func turnOf(calls int) *pb.Turn {
	t := &pb.Turn{}
	for range calls {
		t.Calls = append(t.Calls, &pb.ToolCall{Name: "x", Arguments: "{}"})
	}
	return t
}

func TestCheckEpisodeID(t *testing.T) {
	l := must(Limits{EpisodeIDBytes: 10}.withDefaults())(t)
	for id, good := range map[string]bool{
		"a": true, "run 1/0-7": true, "Größe": true, "0123456789": true,
		"": false, "01234567890": false, "a\x00b": false, "a\nb": false, "\x7f": false, "\u200b": false,
	} {
		if err := l.checkEpisodeID(id); (err == nil) != good {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestCheckTurn(t *testing.T) {
	l := must(Limits{TextBytes: 8, ArgumentBytes: 4, CallsPerTurn: 2}.withDefaults())(t)
	call := func(c *pb.ToolCall) *pb.Turn { return &pb.Turn{Calls: []*pb.ToolCall{{}, c}} }
	for _, tt := range []struct {
		name  string
		turn  *pb.Turn
		field string // at fault; "-" for none
	}{
		{"at every limit", &pb.Turn{Text: "12345678", Reasoning: "12345678", Calls: []*pb.ToolCall{{Id: "1234", Name: "1234", Arguments: "1234"}, {}}}, "-"},
		{"empty", &pb.Turn{}, "-"},
		{"no tokens", &pb.Turn{Tokens: proto.Int32(0)}, "-"},
		{"a call that is nothing", &pb.Turn{Calls: []*pb.ToolCall{nil}}, "-"},
		{"missing", nil, ""},
		{"text", &pb.Turn{Text: "123456789"}, "text"},
		{"reasoning", &pb.Turn{Reasoning: "123456789"}, "reasoning"},
		{"negative tokens", &pb.Turn{Tokens: proto.Int32(-1)}, "tokens"},
		{"finish reason", &pb.Turn{FinishReason: strings.Repeat("x", 65)}, "finish_reason"},
		{"calls", turnOf(3), "calls"},
		{"call id", call(&pb.ToolCall{Id: "12345"}), "calls[1].id"},
		{"call name", call(&pb.ToolCall{Name: "12345"}), "calls[1].name"},
		{"arguments", call(&pb.ToolCall{Arguments: "12345"}), "calls[1].arguments"},
	} {
		t.Run(tt.name, func(t *testing.T) { wantField(t, l.checkTurn(tt.turn), tt.field) })
	}
}

func TestCheckTurns(t *testing.T) {
	l := must(Limits{ArgumentBytes: 4}.withDefaults())(t)
	two := episode.Options{K: 2, Turns: episode.TurnsMessages}
	single := episode.Options{K: 2, Turns: episode.TurnsCalls}
	for _, tt := range []struct {
		name  string
		turns []*pb.Turn
		opts  episode.Options
		field string
	}{
		{"none", nil, two, "-"},
		{"k and a last text", []*pb.Turn{turnOf(1), turnOf(2), turnOf(0)}, two, "-"},
		{"k and a call too many", []*pb.Turn{turnOf(1), turnOf(2), turnOf(1)}, two, "-"},
		{"longer than any episode", []*pb.Turn{turnOf(1), turnOf(1), turnOf(1), turnOf(1)}, two, "history"},
		{"goes on after the end", []*pb.Turn{turnOf(1), turnOf(0), turnOf(1)}, two, "history[1].calls"},
		{"two calls in a turn", []*pb.Turn{turnOf(1), turnOf(2)}, single, "history[1].calls"},
		{"a nil turn", []*pb.Turn{nil}, two, "history[0]"},
		{"a bad call", []*pb.Turn{turnOf(1), {Calls: []*pb.ToolCall{{Name: "12345"}}}}, two, "history[1].calls[0].name"},
	} {
		t.Run(tt.name, func(t *testing.T) { wantField(t, l.checkTurns("history", tt.turns, tt.opts), tt.field) })
	}
}

func TestCheckOptions(t *testing.T) {
	l := must(Limits{Turns: 8}.withDefaults())(t)
	for _, tt := range []struct {
		name  string
		opts  *pb.EpisodeOptions
		field string
	}{
		{"defaults", nil, "-"},
		{"the largest k", &pb.EpisodeOptions{K: 8}, "-"},
		{"k beyond this server", &pb.EpisodeOptions{K: 9}, "options.k"},
		{"k beyond any server", &pb.EpisodeOptions{K: 65}, "options.k"},
		{"negative k", &pb.EpisodeOptions{K: -1}, "options.k"},
		{"prompt", &pb.EpisodeOptions{Prompt: "x"}, "options.prompt"},
		{"faults", &pb.EpisodeOptions{Faults: "x"}, "options.faults"},
		{"high faults", &pb.EpisodeOptions{HighFaults: "twice"}, "options.high_faults"},
		{"tool order", &pb.EpisodeOptions{ToolOrder: "x"}, "options.tool_order"},
		{"turns", &pb.EpisodeOptions{Turns: "x"}, "options.turns"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := l.checkOptions(tt.opts, "rl")
			wantField(t, err, tt.field)
		})
	}
}

func wantField(t *testing.T, err error, field string) {
	t.Helper()
	var r *refusal
	switch {
	case field == "-":
		if err != nil {
			t.Errorf("refused: %v", err)
		}
	case !errors.As(err, &r) || !errors.Is(err, errInvalid):
		t.Errorf("got %v, want a refusal of %q", err, field)
	case r.field != field:
		t.Errorf("field is %q, want %q (%v)", r.field, field, err)
	}
}

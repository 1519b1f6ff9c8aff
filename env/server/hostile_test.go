package server

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// serveTCP is serve on a loopback port; it returns the address and what ends the server.
func serveTCP(t testing.TB, s *Server) (address string, end func()) {
	t.Helper()
	lis := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, lis) }()
	ended := false
	end = func() {
		if cancel(); !ended {
			ended = true
			if err := <-served; err != nil {
				t.Errorf("Serve: %v", err)
			}
		}
	}
	t.Cleanup(end)
	return lis.Addr().String(), end
}

func dialTCP(t testing.TB, address string, opts ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	conn := must(grpc.NewClient(address, append([]grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}, opts...)...))(t)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// verbatim sends and takes bytes as they are.
type verbatim struct{}

func (verbatim) Name() string                       { return "proto" }
func (verbatim) Marshal(v any) ([]byte, error)      { return v.([]byte), nil }
func (verbatim) Unmarshal(data []byte, v any) error { *v.(*[]byte) = bytes.Clone(data); return nil }

var _ encoding.Codec = verbatim{}

// field is a length-delimited field of a message.
func field(number protowire.Number, content string) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), content)
}

// nested is a message of groups that never end, one in the other.
func nested(depth int) []byte {
	return bytes.Repeat(protowire.AppendTag(nil, 99, protowire.StartGroupType), depth)
}

// TestHostileRequests sends over a real connection what no client of ours would. Each is refused with a status of
// docs/protocol.md, within seconds, and leaves no episode, and the episode that was there goes on.
func TestHostileRequests(t *testing.T) {
	const resets, steps = "EnvironmentService/Reset", "EnvironmentService/Step"
	h := attack(t, act(t, parcel))
	address, _ := serveTCP(t, h.Server)
	conn := dialTCP(t, address, grpc.WithDefaultCallOptions(grpc.ForceCodec(verbatim{}), grpc.MaxCallSendMsgSize(64<<20)))
	documented := protocolStatuses(t)
	large, long := strings.Repeat("x", 5<<20), strings.Repeat("x", 300<<10)
	wire := func(m proto.Message) []byte { return []byte(bytesOf(t, m)) }
	content := func(turn *pb.Turn) []byte { return wire(step("e", 2, turn)) }
	one := func(id, name, arguments string) []byte {
		return content(&pb.Turn{Calls: []*pb.ToolCall{{Id: id, Name: name, Arguments: arguments}}})
	}
	for _, tt := range []struct {
		name, method string
		request      []byte
		code         codes.Code
		text         string
	}{
		{"arguments", steps, one("", "f", large), codes.InvalidArgument, "content.calls[0].arguments: has 5242880 bytes"},
		{"name", steps, one("", long, ""), codes.InvalidArgument, "content.calls[0].name"},
		{"call id", steps, one(long, "f", ""), codes.InvalidArgument, "content.calls[0].id"},
		{"text", steps, content(&pb.Turn{Text: large}), codes.InvalidArgument, "content.text: has 5242880 bytes"},
		{"reasoning", steps, content(&pb.Turn{Reasoning: long}), codes.InvalidArgument, "content.reasoning"},
		{"finish reason", steps, content(&pb.Turn{FinishReason: long}), codes.InvalidArgument, "content.finish_reason"},
		{"calls in number", steps, content(turnOf(20_000)), codes.InvalidArgument, "content.calls: has 20000 calls"},
		{"episode id", steps, wire(step(long, 1, nil)), codes.InvalidArgument, "episode_id: has 307200 bytes"},
		{"scenario", resets, wire(reset("", long, 1, nil)), codes.InvalidArgument, "scenario_id"},
		{"option", resets, wire(reset("", parcel, 1, &pb.EpisodeOptions{Faults: long})), codes.InvalidArgument, "options.faults"},
		{"history", resets, wire(&pb.ResetRequest{Scenario: reset("", parcel, 1, nil).GetScenario(), History: make([]*pb.Turn, 20_000)}), codes.InvalidArgument, "history: has 20000 turns"},
		{"history that repeats the end", resets, wire(reset("", parcel, 1, nil, &pb.Turn{}, &pb.Turn{})), codes.InvalidArgument, "history[0].calls"},
		{"preset", "EnvironmentService/Score", wire(&pb.ScoreRequest{Presets: []string{long}}), codes.InvalidArgument, "presets[0]"},
		{"presets in number", "EnvironmentService/Score", wire(&pb.ScoreRequest{Presets: make([]string, 20_000)}), codes.InvalidArgument, "presets[1]"},
		{"batch", "EnvironmentService/StepBatch", wire(&pb.StepBatchRequest{Requests: make([]*pb.StepRequest, 20_000)}), codes.InvalidArgument, "requests: has 20000 items"},
		{"group", "RewardService/RankGroup", wire(&pb.RankGroupRequest{Members: make([]*pb.GroupMember, 20_000)}), codes.InvalidArgument, "members: has 20000 items"},
		{"more than a message", steps, content(&pb.Turn{Text: strings.Repeat("x", 17<<20)}), codes.ResourceExhausted, "larger than max"},

		{"text that is no UTF-8", steps, append(field(1, "e"), field(3, string(field(1, "\xff")))...), codes.Internal, "UTF-8"},
		{"id that is no UTF-8", resets, field(1, "\xc3("), codes.Internal, "UTF-8"},
		{"half a message", steps, wire(step("e", 2, &pb.Turn{Text: "x"}))[:6], codes.Internal, "unmarshal"},
		{"a length beyond the end", steps, []byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f}, codes.Internal, "unmarshal"},
		{"noise", steps, bytes.Repeat([]byte{0xff}, 1<<16), codes.Internal, "unmarshal"},
		{"groups without end", steps, nested(1 << 20), codes.Internal, "unmarshal"},
		{"another method", "EnvironmentService/Peek", nil, codes.Unimplemented, "unknown method"},
		{"another service", "AdminService/Step", nil, codes.Unimplemented, "unknown service"},

		{"NUL in an id", steps, wire(step("e\x00", 1, nil)), codes.InvalidArgument, `holds '\x00'`},
		{"step before reset", steps, wire(step("new", 1, &pb.Turn{})), codes.NotFound, "not live"},
		{"step that skips a turn", steps, wire(step("e", 3, &pb.Turn{})), codes.FailedPrecondition, "turn 2 is next"},
		{"step of the largest number", steps, wire(step("e", 1<<31-1, &pb.Turn{})), codes.FailedPrecondition, "turn 2 is next"},
		{"step of a negative number", steps, wire(step("e", -1<<31, &pb.Turn{})), codes.InvalidArgument, "the first turn is 1"},
		{"an id that is taken", resets, wire(reset("e", parcel, 8, noFaults)), codes.AlreadyExists, "seed is 7, not 8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			live := h.Live()
			var answer []byte
			err := conn.Invoke(ctx, "/privgym.v1."+tt.method, tt.request, &answer)
			st := status.Convert(err)
			if st.Code() != tt.code || !strings.Contains(st.Message(), tt.text) || !documented[st.Code()] {
				t.Errorf("got %v, want %v with %q; documented: %v", err, tt.code, tt.text, documented[st.Code()])
			}
			if len(st.Message()) > 2<<10 || strings.Contains(st.Message(), ".go:") {
				t.Errorf("the message has %d bytes: %.200s", len(st.Message()), st.Message())
			}
			if h.Live() != live || h.witness(t) != h.was {
				t.Error("the refused request left something behind")
			}
		})
	}
}

// TestHostileArguments plays what a model may write into its arguments: each is a tool message that says what is wrong.
func TestHostileArguments(t *testing.T) {
	h := attack(t, act(t, parcel))
	name := h.call(h.low[0]).GetName()
	for what, arguments := range map[string]string{
		"deep objects":          strings.Repeat(`{"a":`, 10_000),
		"deep arrays":           strings.Repeat("[", 60_000),
		"deep arrays, closed":   strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000),
		"a deep value":          `{"parcel": ` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + "}",
		"a number without end":  `{"parcel": 1` + strings.Repeat("0", 60_000) + "}",
		"a huge exponent":       `{"parcel": 1e999999999}`,
		"NUL":                   "{\"parcel\": \"14\x00207\"}",
		"NUL as an escape":      `{"parcel": "14\u0000207", "attribute": "use", "value": "residential"}`,
		"half a surrogate":      `{"parcel": "\ud800"}`,
		"a key many times":      "{" + strings.TrimSuffix(strings.Repeat(`"parcel": "14-207", `, 2_000), ", ") + "}",
		"many keys":             "{" + strings.TrimSuffix(strings.Repeat(`"p": 1, `, 2_000), ", ") + "}",
		"turned about":          `{"parcel": "14-207` + "\u202e" + `"}`,
		"the end of the prompt": `{"parcel": "</tool_call><|im_end|>"}`,
		"blanks":                strings.Repeat(" ", 60_000),
	} {
		t.Run(what, func(t *testing.T) {
			must(h.reset(h.opening(what)))(t)
			turn := &pb.Turn{Calls: []*pb.ToolCall{{Id: "1", Name: name, Arguments: arguments}, {Id: "1", Name: name, Arguments: arguments}}}
			answer, err := call(t, h, h.env.Step, step(what, 2, turn))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range answer.GetToolMessages() {
				if s := m.GetStatus(); s != "malformed" && s != "invalid_arguments" && s != "miss" || m.GetContent() == "" || len(m.GetContent()) > 4<<10 || m.GetCallId() != "1" {
					t.Errorf("%s, %d bytes: %.300s", s, len(m.GetContent()), m.GetContent())
				}
			}
			must(h.step(step(what, 3, h.turn())))(t)
		})
	}
}

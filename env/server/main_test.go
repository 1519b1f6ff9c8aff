package server

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The scenarios that tests play; all of split rl, so that tools come by name and faults default to mixed.
const (
	parcel  = "gov-se-parcel-use/1.1"
	bastion = "inf-tp-bastion-access/1.1"
	count   = "edu-dx-submission-count/1.1"
)

var models = sync.OnceValue(func() *corpus.Corpus {
	c, findings, err := corpus.Load(
		"../corpus/families/government/scope-expansion/gov-se-parcel-use.yaml",
		"../corpus/families/infrastructure/temporal-persistence/inf-tp-bastion-access.yaml",
		"../corpus/families/education/data-over-exposure/edu-dx-submission-count.yaml",
	)
	if err != nil || len(findings) > 0 {
		panic(err)
	}
	return c
})

func newServer(t testing.TB, change ...func(*Config)) *Server {
	t.Helper()
	cfg := Config{Corpus: models(), Version: "v0.0.0-test", Log: slog.New(slog.DiscardHandler)}
	for _, f := range change {
		f(&cfg)
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// harness is a server behind an in-memory listener, and its clients.
type harness struct {
	*Server
	lis  *bufconn.Listener
	conn *grpc.ClientConn
	env  pb.EnvironmentServiceClient
	rew  pb.RewardServiceClient
	// end drains the server and waits for Serve.
	end func() error
}

func serve(t testing.TB, change ...func(*Config)) *harness {
	t.Helper()
	h := &harness{Server: newServer(t, change...), lis: bufconn.Listen(1 << 20)}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- h.Serve(ctx, h.lis) }()
	h.end = sync.OnceValue(func() error {
		cancel()
		return <-served
	})
	h.conn = h.dial(t)
	h.env, h.rew = pb.NewEnvironmentServiceClient(h.conn), pb.NewRewardServiceClient(h.conn)
	t.Cleanup(func() {
		h.conn.Close()
		if err := h.end(); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return h
}

func (h *harness) dial(t testing.TB, opts ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	opts = append([]grpc.DialOption{
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return h.lis.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
	}, opts...)
	conn, err := grpc.NewClient("passthrough:///memory", opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func limits(f func(*Limits)) func(*Config) { return func(c *Config) { f(&c.Limits) } }

// actor knows the right calls of a scenario.
type actor struct {
	game      *episode.Game
	low, high []int
}

func act(t testing.TB, scenario string) *actor {
	t.Helper()
	s, err := models().Scenario(scenario)
	if err != nil {
		t.Fatal(err)
	}
	g, err := episode.NewGame(s)
	if err != nil {
		t.Fatal(err)
	}
	a := &actor{game: g}
	for i := range s.Tools {
		switch g.Role(i) {
		case fault.Low:
			a.low = append(a.low, i)
		case fault.High:
			a.high = append(a.high, i)
		}
	}
	return a
}

func (a *actor) call(tool int) *pb.ToolCall {
	return &pb.ToolCall{Name: a.game.Scenario().Tools[tool].Name, Arguments: a.game.World().Solution(tool)}
}

// turn calls the tools with the arguments that do the job; without tools it ends the episode.
func (a *actor) turn(tools ...int) *pb.Turn {
	turn := &pb.Turn{Text: "I will look into it.", Tokens: proto.Int32(40), FinishReason: "tool_calls"}
	for _, tool := range tools {
		turn.Calls = append(turn.Calls, a.call(tool))
	}
	if len(tools) == 0 {
		turn.Text, turn.FinishReason = "It is done.", "stop"
	}
	return turn
}

func reset(id, scenario string, seed int64, o *pb.EpisodeOptions, history ...*pb.Turn) *pb.ResetRequest {
	return &pb.ResetRequest{
		EpisodeId: id, Scenario: &pb.ResetRequest_ScenarioId{ScenarioId: scenario}, Seed: seed, Options: o, History: history,
	}
}

func step(id string, turn int32, content *pb.Turn) *pb.StepRequest {
	return &pb.StepRequest{EpisodeId: id, Turn: turn, Content: content}
}

// must is for calls that have to succeed.
func must[R any](r R, err error) func(testing.TB) R {
	return func(t testing.TB) R {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func bytesOf(t testing.TB, m proto.Message) string {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func wantCode(t testing.TB, err error, code codes.Code) *status.Status {
	t.Helper()
	st := status.Convert(err)
	if st.Code() != code {
		t.Fatalf("got %v, want %v", err, code)
	}
	return st
}

// fieldOf returns the field that the BadRequest detail names.
func fieldOf(t testing.TB, err error) string {
	t.Helper()
	for _, d := range wantCode(t, err, codes.InvalidArgument).Details() {
		if bad, ok := d.(*errdetails.BadRequest); ok {
			return bad.GetFieldViolations()[0].GetField()
		}
	}
	t.Fatalf("%v has no BadRequest", err)
	return ""
}

package server

import (
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// Faults that users have reported against systems that do parts of this job: docs/field-cases.md.

// freezing is a connection whose client stops once it is told to: it reads and writes nothing any more, and does not close.
type freezing struct {
	net.Conn
	ice     atomic.Bool
	dropped chan struct{} // closed once the server has closed the connection
}

func (f *freezing) Read(p []byte) (int, error) {
	n, err := f.Conn.Read(p)
	for err == nil && f.ice.Load() {
		_, err = f.Conn.Read(p) // what a peer's kernel takes for a process that is stopped
	}
	if err != nil && f.ice.Load() {
		close(f.dropped)
	}
	return n, err
}

func (f *freezing) Write(p []byte) (int, error) {
	if f.ice.Load() {
		return len(p), nil
	}
	return f.Conn.Write(p)
}

// TestFieldOpenEnv1000: clients freeze, vanish and fall silent without closing what they opened. Their slots are back
// within the idle time-out, and the connection of the frozen one within the keepalive.
func TestFieldOpenEnv1000(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, func(c *Config) {
			c.KeepaliveTime, c.Limits.Episodes, c.Limits.IdleTimeout = 30*time.Second, 3, 2*time.Minute
		})
		var conns []*grpc.ClientConn
		var wires []*freezing
		for i := range 3 {
			conns = append(conns, h.dial(t, grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
				conn, err := h.lis.DialContext(ctx)
				wires = append(wires, &freezing{Conn: conn, dropped: make(chan struct{})})
				return wires[len(wires)-1], err
			})))
			must(pb.NewEnvironmentServiceClient(conns[i]).Reset(t.Context(), reset(fmt.Sprint(i), parcel, 1, nil)))(t)
		}
		_, err := h.env.Reset(t.Context(), reset("late", parcel, 1, nil))
		wantRetry(t, err)
		wires[0].ice.Store(true)
		conns[1].Close()
		start := time.Now()
		<-wires[0].dropped
		if took := time.Since(start); took > 30*time.Second+pingTimeout {
			t.Errorf("the connection of a frozen client was dropped after %v", took)
		}
		time.Sleep(time.Until(start.Add(2*time.Minute + 2*time.Minute/sweepsPerTimeout)))
		synctest.Wait()
		if n := counterValue(t, h.Server, "privgym_episodes_live"); n != 0 {
			t.Errorf("%v episodes are live after the idle time-out", n)
		}
		must(h.env.Reset(t.Context(), reset("late", parcel, 1, nil)))(t)
		for _, conn := range append(conns, h.conn) {
			conn.Close()
		}
		h.end()
		h.Close()
	})
}

// TestFieldNeMoGym2750 loses the reply of every call. The client calls again, and what was executed is not executed twice.
func TestFieldNeMoGym2750(t *testing.T) {
	h, a := serve(t), act(t, count)
	lossy := pb.NewEnvironmentServiceClient(h.dial(t, grpc.WithUnaryInterceptor(
		func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, call grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			if err := call(ctx, method, req, reply, conn, opts...); err != nil {
				return err
			}
			proto.Reset(reply.(proto.Message))
			return status.Error(codes.Unavailable, "the reply was lost")
		})))
	opened := reset("e", count, 1, noFaults)
	_, err := lossy.Reset(t.Context(), opened)
	wantCode(t, err, codes.Unavailable)
	must(h.env.Reset(t.Context(), opened))(t)
	turns := []*pb.Turn{a.turn(a.high[0], a.low[0]), a.turn(a.low[1]), a.turn()}
	var answers []*pb.StepResponse
	for i, turn := range turns {
		for range 3 {
			_, err := lossy.Step(t.Context(), step("e", int32(i+1), turn))
			wantCode(t, err, codes.Unavailable)
		}
		answers = append(answers, must(h.env.Step(t.Context(), step("e", int32(i+1), turn)))(t))
	}
	undisturbed := must(h.env.Reset(t.Context(), reset("once", count, 1, noFaults, turns...)))(t)
	for i, answer := range answers {
		if bytesOf(t, answer) != bytesOf(t, undisturbed.GetHistory()[i]) {
			t.Errorf("turn %d: %v, want %v", i+1, answer, undisturbed.GetHistory()[i])
		}
	}
	if n := answers[2].GetOutcome().GetCalls(); n != 3 {
		t.Errorf("%d calls were executed, want 3", n)
	}
}

// TestFieldNeMoGym2903: a group has the members that were named and no others. One that is named twice is refused, one
// that failed is masked, and neither keeps anybody waiting.
func TestFieldNeMoGym2903(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var ids []*pb.GroupMember
	for i := range 8 {
		must(h.env.Reset(ctx, reset(fmt.Sprint(i), parcel, 1, noFaults, a.turn(a.low[0]), a.turn())))(t)
		ids = append(ids, episodeMember(fmt.Sprint(i)))
	}
	_, err := h.rew.RankGroup(ctx, &pb.RankGroupRequest{Members: append(ids, ids[3])})
	if got := fieldOf(t, err); got != "members[8].episode_id" {
		t.Errorf("a member named twice: field %q", got)
	}
	must(h.env.Close(ctx, &pb.CloseRequest{EpisodeIds: []string{"5"}}))(t)
	got := must(h.rew.RankGroup(ctx, &pb.RankGroupRequest{Members: ids}))(t)
	for i, m := range got.GetMembers() {
		if m.GetScorable() != (i != 5) {
			t.Errorf("member %d: %v", i, m)
		}
	}
	if len(got.GetMembers()) != 8 {
		t.Errorf("%d members, want 8", len(got.GetMembers()))
	}
}

// TestFieldNeMoGym3039: a turn that comes to another replica is NOT_FOUND and opens nothing there. Reset with the turns
// so far opens the same episode.
func TestFieldNeMoGym3039(t *testing.T) {
	one, other, a := serve(t), serve(t), act(t, parcel)
	turns := []*pb.Turn{a.turn(a.low[0]), a.turn(a.low[1]), a.turn()}
	must(one.env.Reset(t.Context(), reset("e", parcel, 1, nil)))(t)
	var want []string
	for i, turn := range turns {
		want = append(want, bytesOf(t, must(one.env.Step(t.Context(), step("e", int32(i+1), turn)))(t)))
	}
	_, err := other.env.Step(t.Context(), step("e", 3, turns[2]))
	wantCode(t, err, codes.NotFound)
	score := must(other.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{"e"}}))(t).GetResults()[0]
	if codes.Code(score.GetStatus().GetCode()) != codes.NotFound || score.GetRewards() != nil || other.Live() != 0 {
		t.Errorf("the wrong replica scores %v, %d are live there", score, other.Live())
	}
	rebuilt := must(other.env.Reset(t.Context(), reset("e", parcel, 1, nil, turns[:2]...)))(t)
	last := must(other.env.Step(t.Context(), step("e", 3, turns[2])))(t)
	for i, answer := range append(rebuilt.GetHistory(), last) {
		if bytesOf(t, answer) != want[i] {
			t.Errorf("turn %d differs on the other replica", i+1)
		}
	}
}

// TestFieldNeMoGym605: arguments that are no JSON are a tool message. The other episodes of the batch are answered, and
// the one itself goes on.
func TestFieldNeMoGym605(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	name, good := a.call(a.low[0]).GetName(), a.call(a.low[0]).GetArguments()
	broken := []string{good[:len(good)-3], good + "}", good + " and so on", strings.ReplaceAll(good, `"`, "'"), `{"parcel": NaN}`, "{"}
	first, second := &pb.StepBatchRequest{}, &pb.StepBatchRequest{}
	for i, arguments := range append(broken, good) {
		id := fmt.Sprint(i)
		must(h.env.Reset(t.Context(), reset(id, parcel, 1, noFaults)))(t)
		first.Requests = append(first.Requests, step(id, 1, &pb.Turn{Calls: []*pb.ToolCall{{Name: name, Arguments: arguments}}}))
		second.Requests = append(second.Requests, step(id, 2, a.turn(a.low[0])))
	}
	for i, r := range must(h.env.StepBatch(t.Context(), first))(t).GetResults() {
		want := "malformed"
		if i == len(broken) {
			want = "ok"
		}
		if got := r.GetResponse().GetToolMessages()[0].GetStatus(); got != want {
			t.Errorf("%s is %s, want %s", first.GetRequests()[i].GetContent().GetCalls()[0].GetArguments(), got, want)
		}
	}
	for i, r := range must(h.env.StepBatch(t.Context(), second))(t).GetResults() {
		if got := r.GetResponse().GetToolMessages()[0].GetStatus(); got != "ok" {
			t.Errorf("after it, a right call in episode %d is %s", i, got)
		}
	}
}

// TestFieldSlime200: an episode has a finite reward wherever it stands, cut or not; one that is lost has none, and not 0.
func TestFieldSlime200(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	cut := a.turn()
	cut.Text, cut.FinishReason, cut.Tokens = "I will", "length", nil
	req := &pb.ScoreRequest{Presets: h.about.GetPresets()}
	for id, turns := range map[string][]*pb.Turn{
		"new": nil, "begun": {a.turn(a.low[0])}, "cut": {a.turn(a.low[0]), cut}, "cut at once": {cut},
		"truncated": {a.turn(a.low[0]), a.turn(a.low[0]), a.turn(a.low[0])}, "over": {a.turn(a.low[0]), a.turn()},
	} {
		must(h.env.Reset(t.Context(), reset(id, parcel, 1, &pb.EpisodeOptions{K: 2}, turns...)))(t)
		req.EpisodeIds = append(req.EpisodeIds, id)
	}
	req.EpisodeIds = append(req.EpisodeIds, "lost")
	for i, r := range must(h.env.Score(t.Context(), req))(t).GetResults() {
		finite(t, r)
		if lost := req.GetEpisodeIds()[i] == "lost"; lost != (len(r.GetRewards()) == 0) {
			t.Errorf("%s has rewards %v", req.GetEpisodeIds()[i], r.GetRewards())
		}
	}
}

// TestFieldNeMoGym2611: a member that the infrastructure lost is masked. It moves neither the mean nor the advantages of
// the others, as a reward of 0 would.
func TestFieldNeMoGym2611(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	members := []*pb.GroupMember{
		trajectoryMember(trajectory(parcel, 1, noFaults, a.turn(a.low[0]), a.turn())), trajectoryMember(trajectory(parcel, 1, noFaults, a.turn(a.high[0]), a.turn())),
	}
	want := must(h.rew.RankGroup(t.Context(), &pb.RankGroupRequest{Members: members}))(t)
	got := must(h.rew.RankGroup(t.Context(), &pb.RankGroupRequest{Members: append(members, episodeMember("lost"))}))(t)
	if lost := got.GetMembers()[2]; lost.GetScorable() || lost.GetReward() != nil || lost.GetAdvantage() != 0 || lost.GetStatus().GetCode() == 0 {
		t.Errorf("the lost member is %v", lost)
	}
	if math.Float64bits(got.GetMean()) != math.Float64bits(want.GetMean()) {
		t.Errorf("with a lost member the mean is %v, without it %v", got.GetMean(), want.GetMean())
	}
	for i, m := range want.GetMembers() {
		if !proto.Equal(m, got.GetMembers()[i]) {
			t.Errorf("member %d is %v beside a lost one, %v alone", i, got.GetMembers()[i], m)
		}
	}
}

// TestFieldAtropos459: everything that clients can fill has a limit, and a request beyond it is refused.
func TestFieldAtropos459(t *testing.T) {
	small := Limits{
		Episodes: 2, MessageBytes: 32 << 10, ConcurrentCalls: 2, Turns: 5, CallsPerTurn: 2, ArgumentBytes: 1 << 10, TextBytes: 1 << 10, Batch: 2,
		EpisodeIDBytes: 8, RetainedBytes: 1 << 20, IdleTimeout: time.Hour,
	}
	beyond := map[string]func(*harness, *actor) (codes.Code, error){
		"Episodes": func(h *harness, _ *actor) (codes.Code, error) {
			must(h.env.Reset(t.Context(), reset("b", parcel, 1, nil)))(t)
			_, err := h.env.Reset(t.Context(), reset("c", parcel, 1, nil))
			return codes.ResourceExhausted, err
		},
		"RetainedBytes": func(h *harness, a *actor) (codes.Code, error) {
			h.table.bytes.Add(1 << 20)
			_, err := h.env.Step(t.Context(), step("a", 1, a.turn(a.low[0])))
			return codes.ResourceExhausted, err
		},
		"MessageBytes": func(h *harness, _ *actor) (codes.Code, error) {
			_, err := h.env.Step(t.Context(), step("a", 1, &pb.Turn{Text: strings.Repeat("x", 33<<10)}))
			return codes.ResourceExhausted, err
		},
		"ConcurrentCalls": func(h *harness, _ *actor) (codes.Code, error) { // the third waits for one of the others
			for range 2 {
				must(healthpb.NewHealthClient(h.conn).Watch(t.Context(), &healthpb.HealthCheckRequest{}))(t)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, err := h.env.Describe(ctx, &pb.DescribeRequest{})
			return codes.DeadlineExceeded, err
		},
		"Turns": func(h *harness, _ *actor) (codes.Code, error) {
			_, err := h.env.Reset(t.Context(), reset("b", parcel, 1, &pb.EpisodeOptions{K: 6}))
			return codes.InvalidArgument, err
		},
		"CallsPerTurn": func(h *harness, _ *actor) (codes.Code, error) {
			_, err := h.env.Step(t.Context(), step("a", 1, turnOf(3)))
			return codes.InvalidArgument, err
		},
		"ArgumentBytes": func(h *harness, _ *actor) (codes.Code, error) {
			_, err := h.env.Step(t.Context(), step("a", 1, &pb.Turn{Calls: []*pb.ToolCall{{Arguments: strings.Repeat("x", 1<<10+1)}}}))
			return codes.InvalidArgument, err
		},
		"TextBytes": func(h *harness, _ *actor) (codes.Code, error) {
			_, err := h.env.Step(t.Context(), step("a", 1, &pb.Turn{Text: strings.Repeat("x", 1<<10+1)}))
			return codes.InvalidArgument, err
		},
		"Batch": func(h *harness, _ *actor) (codes.Code, error) {
			_, err := h.env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: make([]string, 3)})
			return codes.InvalidArgument, err
		},
		"EpisodeIDBytes": func(h *harness, _ *actor) (codes.Code, error) {
			_, err := h.env.Reset(t.Context(), reset("123456789", parcel, 1, nil))
			return codes.InvalidArgument, err
		},
		"IdleTimeout": func(h *harness, a *actor) (codes.Code, error) {
			live, _ := h.table.get("a")
			live.used.Add(-int64(time.Hour))
			h.table.sweep()
			_, err := h.env.Step(t.Context(), step("a", 1, a.turn()))
			return codes.NotFound, err
		},
	}
	for _, limit := range reflect.VisibleFields(reflect.TypeFor[Limits]()) {
		t.Run(limit.Name, func(t *testing.T) {
			if beyond[limit.Name] == nil {
				t.Fatal("no request here goes beyond this limit")
			}
			h, a := serve(t, limits(func(l *Limits) { *l = small })), act(t, parcel)
			must(h.env.Reset(t.Context(), reset("a", parcel, 1, nil)))(t)
			code, err := beyond[limit.Name](h, a)
			wantCode(t, err, code)
		})
	}
}

// TestFieldGorillaInertArguments: what a model writes is data. Programs, templates and paths in names and arguments do nothing, one
// episode sees nothing of another of the same scenario, and scoring twice gives the same.
func TestFieldGorillaInertArguments(t *testing.T) {
	h := attack(t, act(t, parcel))
	trap := filepath.Join(t.TempDir(), "trap")
	name := h.call(h.low[0]).GetName()
	turn := &pb.Turn{Text: "__import__('os').system('touch " + trap + "')"}
	for _, program := range []string{
		`__import__("os").system("touch ` + trap + `")`, "$(touch " + trap + ")", "`touch " + trap + "`", "'; drop table parcels; --",
		"{{.}}{{template \"x\"}}", "${jndi:ldap://127.0.0.1/x}", "%s%n%d", "../../../../etc/passwd", "file://" + trap,
	} {
		arguments := fmt.Sprintf(`{"parcel": %q, "attribute": "use", "value": %q}`, program, program)
		turn.Calls = append(turn.Calls, &pb.ToolCall{Name: program, Arguments: "{}"},
			&pb.ToolCall{Name: name, Arguments: program}, &pb.ToolCall{Id: program, Name: name, Arguments: arguments})
	}
	answer, err := call(t, h, h.env.Step, step("e", 2, turn))
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range answer.GetToolMessages() {
		if s := m.GetStatus(); s == "ok" {
			t.Errorf("%v did something: %s", turn.GetCalls()[i], m.GetContent())
		}
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a text was executed")
	}
	req := &pb.ScoreRequest{EpisodeIds: []string{"e", witnessID}, Presets: h.about.GetPresets()}
	if first, second := must(h.env.Score(t.Context(), req))(t), must(h.env.Score(t.Context(), req))(t); bytesOf(t, first) != bytesOf(t, second) {
		t.Errorf("scored %v, then %v", first, second)
	}
}

//go:build heavy

package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/server"
	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// mortals are servers of which one lives at a time.
type mortals struct {
	t    *testing.T
	cmd  *exec.Cmd
	conn *grpc.ClientConn
	env  atomic.Pointer[pb.EnvironmentServiceClient]
}

// next starts a server, on another port than the one before.
func (m *mortals) next() {
	ready := filepath.Join(m.t.TempDir(), "ready")
	m.cmd = exec.Command("privgym", "serve", "--listen", "127.0.0.1:0", "--ready-file", ready, "--scenarios", oneFamily)
	if err := m.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	within(m.t, 20*time.Second, "the server is ready", func() bool {
		_, err := os.Stat(ready)
		return err == nil
	})
	conn, err := grpc.NewClient(strings.TrimSpace(string(contentOf(m.t, ready))), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		m.t.Fatal(err)
	}
	m.conn = conn
	env := pb.NewEnvironmentServiceClient(conn)
	m.env.Store(&env)
}

// end ends the server by a signal; one that drains has to be content with its end.
func (m *mortals) end(signal syscall.Signal) {
	if err := m.cmd.Process.Signal(signal); err != nil {
		m.t.Error(err)
	}
	if err := m.cmd.Wait(); err != nil && signal != syscall.SIGKILL {
		m.t.Errorf("%v: %v", signal, err)
	}
	m.conn.Close()
}

// patient calls until there is an answer. Where the episode is gone it is opened again by open.
func patient[R any](ctx context.Context, call func(context.Context) (R, error), open func()) (R, error) {
	for {
		once, cancel := context.WithTimeout(ctx, 5*time.Second)
		answer, err := call(once)
		cancel()
		switch status.Code(err) {
		case codes.OK:
			return answer, nil
		case codes.NotFound, codes.Unavailable, codes.Canceled: // a connection that was closed cancels its calls
			if ctx.Err() != nil {
				return answer, ctx.Err()
			}
			time.Sleep(2 * time.Millisecond)
			open()
		default:
			return answer, err
		}
	}
}

// play plays an episode to its end on whatever server lives, and returns all that it was answered.
func (m *mortals) play(ctx context.Context, id string, seed int64) (said string, err error) {
	var history []*pb.Turn
	open := func() {
		_, err = patient(ctx, func(ctx context.Context) (*pb.ResetResponse, error) {
			return (*m.env.Load()).Reset(ctx, parcelReset(id, seed, history...))
		}, func() {})
	}
	open()
	for turn := range 7 {
		content := parcelTurn(turn == 6)
		answer, stepErr := patient(ctx, func(ctx context.Context) (*pb.StepResponse, error) {
			return (*m.env.Load()).Step(ctx, &pb.StepRequest{EpisodeId: id, Turn: int32(turn + 1), Content: content})
		}, open)
		if stepErr != nil || err != nil {
			return "", fmt.Errorf("episode %s, turn %d: %w %w", id, turn+1, stepErr, err)
		}
		history = append(history, content)
		said += wireOf(answer)
	}
	scores, scoreErr := patient(ctx, func(ctx context.Context) (*pb.ScoreResponse, error) {
		scores, err := (*m.env.Load()).Score(ctx, &pb.ScoreRequest{EpisodeIds: []string{id}})
		if err == nil {
			err = status.Error(codes.Code(scores.GetResults()[0].GetStatus().GetCode()), scores.GetResults()[0].GetStatus().GetMessage())
		}
		return scores, err
	}, open)
	if scoreErr != nil || err != nil {
		return "", fmt.Errorf("episode %s: %w %w", id, scoreErr, err)
	}
	_, _ = (*m.env.Load()).Close(ctx, &pb.CloseRequest{EpisodeIds: []string{id}}) // best effort
	return said + wireOf(scores), nil
}

func wireOf(m proto.Message) string {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err) // it came from the wire
	}
	return string(b)
}

// undisturbed is what an episode of play answers on a server that nobody kills.
func undisturbed(t *testing.T, s *server.Server, seed int64) string {
	t.Helper()
	env := s.Environment()
	var turns []*pb.Turn
	for turn := range 7 {
		turns = append(turns, parcelTurn(turn == 6))
	}
	id := fmt.Sprint("undisturbed", seed)
	opened, err := env.Reset(t.Context(), parcelReset(id, seed, turns...))
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, answer := range opened.GetHistory() {
		said += wireOf(answer)
	}
	scores, err := env.Score(t.Context(), &pb.ScoreRequest{EpisodeIds: []string{id}})
	if err != nil {
		t.Fatal(err)
	}
	return said + wireOf(scores)
}

// TestHeavyEndedServer ends the server at 50 moments while clients play. A client opens its episode again on the next
// one, with the turns that were answered; every episode ends as one that nobody disturbed, byte for byte.
func TestHeavyEndedServer(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "drained": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) { endServers(t, signal) })
	}
}

func endServers(t *testing.T, signal syscall.Signal) {
	const clients, seeds = 4, 8
	scenarios, findings, err := corpus.Load(oneFamily)
	if err != nil || len(findings) > 0 {
		t.Fatal(err, findings)
	}
	s, err := server.New(server.Config{Corpus: scenarios, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := make([]string, seeds)
	for seed := range want {
		want[seed] = undisturbed(t, s, int64(seed))
	}
	m := &mortals{t: t}
	m.next()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var over atomic.Bool
	var ended atomic.Int64
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for n := 0; !over.Load(); n++ {
				seed := n % seeds
				said, err := m.play(ctx, fmt.Sprint(client, "/", n), int64(seed))
				if err != nil || said != want[seed] {
					t.Errorf("client %d, episode %d: it is another one than without kills (%v)", client, n, err)
					return
				}
				ended.Add(1)
			}
		})
	}
	random := rand.New(rand.NewPCG(11, 0))
	for range kills {
		time.Sleep(time.Duration(random.Uint64()%60_000) * time.Microsecond)
		m.end(signal)
		m.next()
	}
	over.Store(true)
	wg.Wait()
	m.end(signal)
	t.Logf("%d episodes ended as they should over %d ends of their server", ended.Load(), kills)
	if ended.Load() < kills {
		t.Errorf("only %d episodes came to an end: little was tried", ended.Load())
	}
}

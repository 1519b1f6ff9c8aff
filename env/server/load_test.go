package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// settled waits until no more goroutines run than before, for those of a connection end after its last call.
func settled(t testing.TB, before int) {
	t.Helper()
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, before %d", runtime.NumGoroutine(), before)
}

// TestCancelledCalls cancels 10,000 calls before, while and after they run. Nothing is left of them but the turns that they
// played, which the next call finds as if nobody had gone.
func TestCancelledCalls(t *testing.T) {
	const cancelledCalls, episodes, k = 10_000, 100, 64
	h, a := serve(t), act(t, parcel)
	opts := &pb.EpisodeOptions{K: k, Faults: "outage"}
	content := a.turn(a.low[0])
	must(h.env.Reset(t.Context(), reset("first", parcel, 1, opts)))(t)
	start := time.Now()
	const samples = 20
	for range samples {
		must(h.env.Step(t.Context(), step("first", 1, content)))(t)
	}
	took := time.Since(start) / samples
	must(h.env.Close(t.Context(), &pb.CloseRequest{EpisodeIds: []string{"first"}}))(t)
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	answered := make([]int, 4)
	for worker := range answered {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			for i := range cancelledCalls / len(answered) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Int64N(int64(8*took))))
				id := fmt.Sprint(worker, "/", i%(episodes/len(answered)))
				_, err := h.env.Reset(ctx, reset(id, parcel, 1, opts))
				if err == nil {
					_, err = h.env.Step(ctx, step(id, 1, content))
				}
				switch status.Code(err) {
				case codes.OK:
					answered[worker]++
				case codes.Canceled, codes.DeadlineExceeded:
				default:
					t.Errorf("a cancelled call: %v", err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	t.Logf("a call takes %v; %v pairs of calls came to their end", took, answered)
	if slices.Contains(answered, 0) || slices.Contains(answered, cancelledCalls/len(answered)) {
		t.Error("a client has met none, or nothing but cancelled calls: little was tried")
	}
	settled(t, before)
	want := ""
	for worker := range answered {
		for i := range episodes / len(answered) {
			id := fmt.Sprint(worker, "/", i)
			must(h.env.Reset(t.Context(), reset(id, parcel, 1, opts)))(t)
			got := bytesOf(t, must(h.env.Step(t.Context(), step(id, 1, content)))(t))
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("episode %s is another one after its calls were cancelled", id)
			}
			must(h.env.Step(t.Context(), step(id, 2, a.turn())))(t)
		}
	}
	if h.Live() != episodes {
		t.Errorf("%d episodes are live, want %d", h.Live(), episodes)
	}
}

// TestSlowReaders leaves 200 streams unread. They hold little memory, others are answered meanwhile, and the server ends
// though nobody reads.
func TestSlowReaders(t *testing.T) {
	s := newServer(t, func(c *Config) { c.DrainTimeout = 500 * time.Millisecond })
	address, end := serveTCP(t, s)
	a, before := act(t, parcel), heap()
	ctx, cancel := context.WithCancel(t.Context())
	for range 10 { // connections, each with a window of its own
		slow := pb.NewEnvironmentServiceClient(dialTCP(t, address))
		for range 20 {
			must(slow.ListScenarios(ctx, &pb.ListScenariosRequest{}))(t)
		}
	}
	env := pb.NewEnvironmentServiceClient(dialTCP(t, address))
	for i := range 100 {
		must(env.Reset(ctx, reset(fmt.Sprint(i), parcel, 1, noFaults)))(t)
		must(env.Step(ctx, step(fmt.Sprint(i), 1, a.turn(a.low[0]))))(t)
	}
	if grown := heap() - before; grown > 64<<20 {
		t.Errorf("slow readers hold %d bytes", grown)
	}
	end()
	cancel()
}

// TestDrainUnderLoad ends a server while 64 clients play. Every turn that was played was answered to its client, and a
// call that was not answered is UNAVAILABLE, so that the client goes on elsewhere from what it knows.
func TestDrainUnderLoad(t *testing.T) {
	const clients, k = 64, 64
	s, a := newServer(t), act(t, parcel)
	address, end := serveTCP(t, s)
	opts := &pb.EpisodeOptions{K: k, Faults: "outage"}
	played := make([]int, clients)
	var wg sync.WaitGroup
	var conns []*grpc.ClientConn
	for range 4 {
		conns = append(conns, dialTCP(t, address))
	}
	for i := range played {
		must(s.reset(reset(fmt.Sprint(i), parcel, 1, opts)))(t)
		wg.Go(func() {
			env := pb.NewEnvironmentServiceClient(conns[i%len(conns)])
			for turn := range k {
				if _, err := env.Step(t.Context(), step(fmt.Sprint(i), int32(turn+1), a.turn(a.low[turn%3]))); err != nil {
					if status.Code(err) != codes.Unavailable {
						t.Errorf("a call while the server drains: %v", err)
					}
					return
				}
				played[i]++
			}
		})
	}
	for counterValue(t, s, "privgym_steps_total") < clients*k/8 {
		time.Sleep(time.Millisecond)
	}
	end()
	wg.Wait()
	cut := 0
	for i, n := range played {
		live, _ := s.table.get(fmt.Sprint(i))
		if len(live.played) != n {
			t.Errorf("client %d was answered %d turns; the server played %d", i, n, len(live.played))
		}
		cut += k - n
	}
	if cut == 0 {
		t.Error("every client had ended before the server did: nothing was tried")
	}
}

package server

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// echo answers every Step by the same bytes: what gRPC costs alone.
type echo struct {
	pb.UnimplementedEnvironmentServiceServer
	answer *pb.StepResponse
}

func (e echo) Step(context.Context, *pb.StepRequest) (*pb.StepResponse, error) { return e.answer, nil }

// overTCP returns a client of a server on a loopback port.
func overTCP(b *testing.B, serve func(net.Listener)) pb.EnvironmentServiceClient {
	b.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go serve(lis)
	conn, err := grpc.NewClient(lis.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	return pb.NewEnvironmentServiceClient(conn)
}

// BenchmarkStepAgainstEcho plays turns from 32 and 128 goroutines on one connection, in rounds that take turns with a
// bare echo of the same payloads. The mark is a ratio of 0.7 (docs/design.md section 8); run it with -benchtime=1x.
func BenchmarkStepAgainstEcho(b *testing.B) {
	const rounds, calls, turns = 9, 8_192, 16
	a, s := act(b, parcel), newServer(b)
	opts, content := &pb.EpisodeOptions{K: turns, Faults: "outage"}, a.turn(a.low[0])
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan struct{})
	stepper := overTCP(b, func(lis net.Listener) { defer close(ended); s.Serve(ctx, lis) })
	must(s.reset(reset("sample", parcel, 1, opts)))(b)
	bare := grpc.NewServer()
	pb.RegisterEnvironmentServiceServer(bare, echo{answer: must(s.step(step("sample", 1, content)))(b)})
	echoer := overTCP(b, func(lis net.Listener) { bare.Serve(lis) })
	for _, clients := range []int{32, 128} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			var ids []string
			for i := range calls / turns {
				ids = append(ids, fmt.Sprintf("run-0001/%08d", i))
			}
			for b.Loop() {
				var steps, echoes, ratios []float64
				for range rounds {
					for _, id := range ids {
						must(s.reset(reset(id, parcel, 1, opts)))(b)
					}
					steps = append(steps, rate(b, stepper, clients, turns, ids, content))
					echoes = append(echoes, rate(b, echoer, clients, turns, ids, content))
					ratios = append(ratios, steps[len(steps)-1]/echoes[len(echoes)-1])
					for _, id := range ids {
						s.table.remove(id)
					}
				}
				b.ReportMetric(median(steps), "steps/s")
				b.ReportMetric(median(echoes), "echoes/s")
				b.ReportMetric(median(ratios), "ratio")
			}
		})
	}
	bare.Stop()
	cancel()
	<-ended
}

// rate plays the turns of all episodes, each client a share of them, and returns the calls a second.
func rate(b *testing.B, c pb.EnvironmentServiceClient, clients, turns int, ids []string, content *pb.Turn) float64 {
	var wg sync.WaitGroup
	start := time.Now()
	for mine := range slices.Chunk(ids, len(ids)/clients) {
		wg.Go(func() {
			for _, id := range mine {
				for turn := range turns {
					if _, err := c.Step(b.Context(), step(id, int32(turn+1), content)); err != nil {
						b.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	return float64(len(ids)*turns) / time.Since(start).Seconds()
}

func median(v []float64) float64 { return slices.Sorted(slices.Values(v))[len(v)/2] }

// BenchmarkStep is a turn without the wire.
func BenchmarkStep(b *testing.B) {
	s, a := newServer(b), act(b, parcel)
	content, opts := a.turn(a.low[0]), &pb.EpisodeOptions{K: 64, Faults: "outage"}
	b.ReportAllocs()
	turn := int32(64)
	for b.Loop() {
		if turn++; turn > 64 {
			b.StopTimer()
			s.table.remove("e")
			must(s.reset(reset("e", parcel, 1, opts)))(b)
			turn = 1
			b.StartTimer()
		}
		must(s.step(step("e", turn, content)))(b)
	}
}

// BenchmarkReset opens and closes episodes without the wire.
func BenchmarkReset(b *testing.B) {
	s := newServer(b)
	b.ReportAllocs()
	for b.Loop() {
		must(s.reset(reset("e", parcel, 1, nil)))(b)
		s.table.remove("e")
	}
}

// BenchmarkSweep walks over as many episodes as may be live.
func BenchmarkSweep(b *testing.B) {
	table := newTable(must(Limits{}.withDefaults())(b))
	for i := range table.limits.Episodes {
		must(table.add(&session{id: fmt.Sprint(i)}))(b)
	}
	for b.Loop() {
		table.sweep()
	}
}

// BenchmarkStepBatch plays one turn of 64 episodes in one call.
func BenchmarkStepBatch(b *testing.B) {
	s, a := newServer(b), act(b, parcel)
	opts, content := &pb.EpisodeOptions{K: 64, Faults: "outage"}, a.turn(a.low[0])
	req := &pb.StepBatchRequest{}
	for i := range 64 {
		req.Requests = append(req.Requests, step(fmt.Sprint(i), 1, content))
	}
	turn := int32(64)
	for b.Loop() {
		if turn++; turn > 64 {
			b.StopTimer()
			for _, one := range req.Requests {
				s.table.remove(one.EpisodeId)
				must(s.reset(reset(one.EpisodeId, parcel, 1, opts)))(b)
			}
			turn = 1
			b.StartTimer()
		}
		for _, one := range req.Requests {
			one.Turn = turn
		}
		must(s.Environment().StepBatch(b.Context(), req))(b)
	}
}

// BenchmarkIdleEpisodes tells what a live episode holds on the heap.
func BenchmarkIdleEpisodes(b *testing.B) {
	s, a := newServer(b), act(b, parcel)
	const n = 1_024
	for b.Loop() {
		before := heap()
		for i := range n {
			must(s.reset(reset(fmt.Sprint(i), parcel, int64(i), nil, a.turn(a.low[0]), a.turn(a.low[1]))))(b)
		}
		b.ReportMetric(float64(heap()-before)/n, "B/episode")
		for i := range n {
			s.table.remove(fmt.Sprint(i))
		}
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

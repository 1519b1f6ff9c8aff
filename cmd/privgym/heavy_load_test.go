//go:build heavy

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// TestHeavyResets opens 1,000,000 episodes that nobody closes, as fast as idle ones go. At the end the server holds the
// memory and the goroutines that it held after 100,000, within a tenth.
func TestHeavyResets(t *testing.T) {
	const total, window, batch = 1_000_000, 100_000, 100
	s := serveReal(t, nil, "--metrics", "0", "--idle-timeout", "400ms", "--episodes", "10000")
	req := &pb.ResetBatchRequest{}
	for range batch {
		req.Requests = append(req.Requests, parcelReset("", 1))
	}
	var opened, single atomic.Int64
	goOn := func() bool { return opened.Load() < total && !t.Failed() }
	count := func(code codes.Code, said any) {
		switch code {
		case codes.OK:
			opened.Add(1)
		case codes.ResourceExhausted:
			time.Sleep(time.Millisecond)
		default:
			t.Error(said)
		}
	}
	var wg sync.WaitGroup
	for range 2 {
		env := pb.NewEnvironmentServiceClient(s.connect(t, nil))
		wg.Go(func() {
			for goOn() {
				answer, err := env.ResetBatch(t.Context(), req)
				if err != nil {
					t.Error(err)
				}
				for _, r := range answer.GetResults() {
					count(codes.Code(r.GetStatus().GetCode()), r.GetStatus())
				}
			}
		})
		wg.Go(func() {
			for ; goOn(); single.Add(1) {
				_, err := env.Reset(t.Context(), req.Requests[0])
				if status.Code(err) == codes.ResourceExhausted {
					wantRetryInfo(t, err)
				}
				count(status.Code(err), err)
			}
		})
	}
	type sample struct{ memory, goroutines float64 }
	var early, late []sample
	for goOn() {
		n := opened.Load()
		got := sample{s.gauge(t, "process_resident_memory_bytes"), s.gauge(t, "go_goroutines")}
		switch {
		case n >= window && n < 2*window:
			early = append(early, got)
		case n >= total-window:
			late = append(late, got)
		}
		time.Sleep(100 * time.Millisecond)
	}
	wg.Wait()
	t.Logf("%d of %d came in calls of their own", single.Load(), opened.Load())
	mean := func(samples []sample, of func(sample) float64) float64 {
		sum := 0.0
		for _, one := range samples {
			sum += of(one)
		}
		return sum / float64(len(samples))
	}
	for what, of := range map[string]func(sample) float64{
		"resident memory": func(s sample) float64 { return s.memory }, "goroutines": func(s sample) float64 { return s.goroutines },
	} {
		before, after := mean(early, of), mean(late, of)
		t.Logf("%s: %.0f after %d episodes, %.0f after %d (%d and %d samples)", what, before, window, after, total, len(early), len(late))
		if !(after <= 1.1*before) {
			t.Errorf("%s grew from %.0f to %.0f", what, before, after)
		}
	}
	within(t, 5*time.Second, "all idle episodes are gone", func() bool { return s.gauge(t, "privgym_episodes_live") == 0 })
}

// TestHeavyPings leaves a connection without a call but for pings every 10 s, in real time.
func TestHeavyPings(t *testing.T) {
	t.Parallel()
	s := serveReal(t, nil)
	var dials atomic.Int32
	conn, err := grpc.NewClient(s.Address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, PermitWithoutStream: true}),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			dials.Add(1)
			return new(net.Dialer).DialContext(ctx, "tcp", address)
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, wait := range []time.Duration{0, 45 * time.Second} {
		start := time.Now()
		time.Sleep(wait)
		if more := time.Since(start) - wait; more > 10*time.Second {
			t.Skipf("the machine stood still for %v: nothing can be said of the pings", more)
		}
		if err := describe(t.Context(), conn); err != nil {
			t.Error(err)
		}
	}
	if n := dials.Load(); n != 1 {
		t.Errorf("the connection was dialled %d times", n)
	}
}

// link is a network of two ends: the server's in this namespace, the client's in one that the test has made.
type link struct{ namespace, server, client string }

// newLink skips the test where it may not make one.
func newLink(t *testing.T) link {
	t.Helper()
	id := os.Getpid() % 10_000
	l := link{fmt.Sprint("pg", id), fmt.Sprint("pgs", id), fmt.Sprint("pgc", id)}
	t.Cleanup(func() { // the ends go with it
		_ = exec.Command("ip", "netns", "delete", l.namespace).Run()
	})
	for _, args := range []string{
		"netns add " + l.namespace,
		"link add " + l.server + " type veth peer name " + l.client + " netns " + l.namespace,
		"addr add 10.213.98.1/30 dev " + l.server, "link set " + l.server + " up",
		"-n " + l.namespace + " addr add 10.213.98.2/30 dev " + l.client, "-n " + l.namespace + " link set " + l.client + " up",
	} {
		if out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Skipf("a network namespace cannot be made here (ip %s: %v, %s): a client that drops off the network is not tried", args, err, out)
		}
	}
	return l
}

// TestHeavyLostClients loses a client that has taken every slot, in three ways. Until then its episodes are there; after
// it the slots come back within the idle time-out, and what its connection held with the keepalive.
func TestHeavyLostClients(t *testing.T) {
	const idle, ping, answer = 3 * time.Second, 2 * time.Second, 20 * time.Second
	const slack = 20 * time.Second // for a crowded machine; the defaults are minutes
	type loss struct {
		name   string
		listen string
		lose   func(*exec.Cmd) error
		within []string // what the client is started by
	}
	t.Parallel()
	kill := func(signal os.Signal) func(*exec.Cmd) error {
		return func(c *exec.Cmd) error { return c.Process.Signal(signal) }
	}
	for _, way := range []loss{
		{"stopped", "127.0.0.1:0", kill(syscall.SIGSTOP), nil},
		{"killed", "127.0.0.1:0", kill(syscall.SIGKILL), nil},
		{"cut off", "10.213.98.1:0", nil, nil},
	} {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			if way.lose == nil {
				l := newLink(t)
				way.within = []string{"ip", "netns", "exec", l.namespace}
				way.lose = func(*exec.Cmd) error {
					return exec.Command("ip", "-n", l.namespace, "link", "set", l.client, "down").Run()
				}
			}
			s := serveReal(t, []string{"PRIVGYM_TOKEN=" + testToken}, "--listen", way.listen, "--metrics", "0",
				"--idle-timeout", idle.String(), "--keepalive", ping.String(), "--episodes", fmt.Sprint(clientSlots))
			env := pb.NewEnvironmentServiceClient(s.connect(t, nil))
			ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+testToken)
			free := func() bool {
				_, err := env.Reset(ctx, parcelReset("mine", 1))
				if err != nil {
					wantRetryInfo(t, err)
				}
				return err == nil
			}
			if _, err := env.Describe(ctx, &pb.DescribeRequest{}); err != nil {
				t.Fatal(err)
			}
			goroutines := s.gauge(t, "go_goroutines")
			client := startClient(t, append(way.within, "privgym-client", s.Address))
			time.Sleep(idle + idle/2)
			if free() {
				t.Error("an episode that was in use was closed")
			}
			if err := way.lose(client); err != nil {
				t.Fatal(err)
			}
			took := within(t, idle+slack, "a slot is free", free)
			t.Logf("a slot was free after %v", took.Round(10*time.Millisecond))
			within(t, idle+slack, "the gauge is zero", func() bool { return s.gauge(t, "privgym_episodes_live") == 0 })
			took = within(t, ping+answer+slack, "the connection is given up", func() bool { return s.gauge(t, "go_goroutines") <= goroutines+2 })
			t.Logf("its goroutines were gone after %v more", took.Round(10*time.Millisecond))
		})
	}
}

func startClient(t *testing.T, args []string) *exec.Cmd {
	t.Helper()
	client := exec.Command(args[0], args[1:]...)
	client.Stderr = os.Stderr
	out, err := client.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Process.Kill() // it may have been
		_ = client.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the client says %q, %v", line, err)
	}
	return client
}

func wantRetryInfo(t *testing.T, err error) {
	t.Helper()
	st := status.Convert(err)
	for _, d := range st.Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok && info.GetRetryDelay().AsDuration() > 0 && st.Code() == codes.ResourceExhausted {
			return
		}
	}
	t.Errorf("%v; want RESOURCE_EXHAUSTED with RetryInfo", err)
}

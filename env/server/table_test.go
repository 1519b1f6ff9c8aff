package server

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
)

func TestEpisodeLimit(t *testing.T) {
	h, a := serve(t, limits(func(l *Limits) { l.Episodes = 2 })), act(t, parcel)
	for _, id := range []string{"a", "b", "a"} {
		must(h.env.Reset(t.Context(), reset(id, parcel, 1, nil)))(t)
	}
	_, err := h.env.Reset(t.Context(), reset("c", parcel, 1, nil))
	wantRetry(t, err)
	must(h.env.Step(t.Context(), step("a", 1, a.turn(a.low[0]))))(t)
	must(h.env.Close(t.Context(), &pb.CloseRequest{EpisodeIds: []string{"b"}}))(t)
	must(h.env.Reset(t.Context(), reset("c", parcel, 1, nil)))(t)
}

func wantRetry(t *testing.T, err error) {
	t.Helper()
	for _, d := range wantCode(t, err, codes.ResourceExhausted).Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok && info.GetRetryDelay().AsDuration() > 0 {
			return
		}
	}
	t.Errorf("%v has no RetryInfo", err)
}

func TestRetainedBytesLimit(t *testing.T) {
	h, a := serve(t, limits(func(l *Limits) { l.RetainedBytes = 1 })), act(t, parcel)
	must(h.env.Reset(t.Context(), reset("a", parcel, 1, nil)))(t)
	first := must(h.env.Step(t.Context(), step("a", 1, a.turn(a.low[0]))))(t)
	_, err := h.env.Step(t.Context(), step("a", 2, a.turn(a.low[0])))
	wantRetry(t, err)
	_, err = h.env.Reset(t.Context(), reset("b", parcel, 1, nil))
	wantRetry(t, err)
	_, err = h.env.Reset(t.Context(), reset("a", parcel, 1, nil, a.turn(a.low[0]), a.turn(a.low[0])))
	wantRetry(t, err)
	if again := must(h.env.Step(t.Context(), step("a", 1, a.turn(a.low[0]))))(t); bytesOf(t, again) != bytesOf(t, first) {
		t.Error("a repeated turn needs no room, but was not answered")
	}
	must(h.env.Close(t.Context(), &pb.CloseRequest{EpisodeIds: []string{"a"}}))(t)
	must(h.env.Reset(t.Context(), reset("b", parcel, 1, nil, a.turn(a.low[0]))))(t)
	must(h.env.Close(t.Context(), &pb.CloseRequest{EpisodeIds: []string{"b"}}))(t)
	if n := h.table.bytes.Load(); n != 0 {
		t.Errorf("%d bytes are held by no episode", n)
	}
}

func TestLimitHoldsUnderLoad(t *testing.T) {
	s := newServer(t, limits(func(l *Limits) { l.Episodes = 10 }))
	var wg sync.WaitGroup
	refused := make(chan error, 40)
	for i := range 40 {
		wg.Go(func() {
			if _, err := s.reset(reset(fmt.Sprint(i), parcel, 1, nil)); err != nil {
				refused <- err
			}
		})
	}
	wg.Wait()
	if s.Live() != 10 || len(refused) != 30 {
		t.Errorf("%d live, %d refused", s.Live(), len(refused))
	}
}

func TestIdleEpisodesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		a := act(t, parcel)
		for _, id := range []string{"frozen", "slow", "asked", "scored"} {
			must(s.reset(reset(id, parcel, 1, nil)))(t)
		}
		for range 5 {
			time.Sleep(9 * time.Minute)
			must(s.step(step("slow", 1, a.turn(a.low[0]))))(t)
			must(s.snapshot("scored"))(t)
			must(s.reset(reset("asked", parcel, 1, nil)))(t)
		}
		if s.Live() != 3 {
			t.Fatalf("after 45 minutes %d are live, want those that were used", s.Live())
		}
		_, err := s.step(step("frozen", 1, a.turn(a.low[0])))
		wantCode(t, s.status(err).Err(), codes.NotFound)
		time.Sleep(10*time.Minute + 10*time.Minute/sweepsPerTimeout)
		synctest.Wait()
		if s.Live() != 0 || s.table.bytes.Load() != 0 {
			t.Errorf("%d episodes and %d bytes are left once everybody is idle", s.Live(), s.table.bytes.Load())
		}
		if n := counterValue(t, s, "privgym_episodes_closed_total", "why", "idle"); n != 4 {
			t.Errorf("%v episodes were counted as idle, want 4", n)
		}
	})
}

// TestIdleTimeoutOverTheWire is the same through a connection, whose client is still there and only silent.
func TestIdleTimeoutOverTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, limits(func(l *Limits) { l.IdleTimeout = time.Minute }))
		a := act(t, parcel)
		must(h.env.Reset(t.Context(), reset("e", parcel, 1, noFaults)))(t)
		time.Sleep(2 * time.Minute)
		_, err := h.env.Step(t.Context(), step("e", 1, a.turn(a.low[0])))
		wantCode(t, err, codes.NotFound)
		must(h.env.Reset(t.Context(), reset("e", parcel, 1, noFaults, a.turn(a.low[0]))))(t)
		h.conn.Close()
		h.end()
		h.Close()
	})
}

func TestSweepKeepsWhatIsUsedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := must(Limits{IdleTimeout: time.Second}.withDefaults())(t)
		table := newTable(l)
		for i := range 1_000 {
			must(table.add(&session{id: fmt.Sprint(i)}))(t)
		}
		time.Sleep(time.Second)
		for i := range 500 {
			table.get(fmt.Sprint(i))
		}
		if n := table.sweep(); n != 500 || table.live.Load() != 500 {
			t.Errorf("swept %d, %d are live", n, table.live.Load())
		}
	})
}

func TestSweepEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		newTable(must(Limits{}.withDefaults())(t)).run(ctx, func(int) {})
	}()
	cancel()
	<-done
}

// TestPanicLosesOneEpisode breaks an episode in the middle of a turn: it is gone, and can be opened again.
func TestPanicLosesOneEpisode(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	for _, id := range []string{"broken", "whole"} {
		must(h.env.Reset(t.Context(), reset(id, parcel, 1, noFaults)))(t)
	}
	live, _ := h.table.get("broken")
	*live.episode = episode.Episode{}
	got := must(h.env.StepBatch(t.Context(), &pb.StepBatchRequest{Requests: []*pb.StepRequest{
		step("broken", 1, a.turn(a.low[0])), step("whole", 1, a.turn(a.low[0])),
	}}))(t).GetResults()
	if c := codes.Code(got[0].GetStatus().GetCode()); c != codes.Internal || got[0].GetStatus().GetMessage() != internalText {
		t.Errorf("the broken one says %v", got[0].GetStatus())
	}
	if got[1].GetStatus().GetCode() != 0 || got[1].GetResponse().GetToolMessages()[0].GetStatus() != "ok" {
		t.Errorf("the other one says %v", got[1])
	}
	_, err := h.env.Step(t.Context(), step("broken", 1, a.turn(a.low[0])))
	wantCode(t, err, codes.NotFound)
	must(h.env.Reset(t.Context(), reset("broken", parcel, 1, noFaults, a.turn(a.low[0]))))(t)
	if h.Live() != 2 {
		t.Errorf("%d are live", h.Live())
	}
}

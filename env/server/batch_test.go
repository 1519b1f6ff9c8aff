package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

func TestResetBatch(t *testing.T) {
	h := serve(t, limits(func(l *Limits) { l.Episodes = 2 }))
	got := must(h.env.ResetBatch(t.Context(), &pb.ResetBatchRequest{Requests: []*pb.ResetRequest{
		reset("a", parcel, 1, nil), reset("b", "nothing/1.1", 1, nil), reset("a", parcel, 2, nil), {},
		reset("c", parcel, 1, nil), reset("d", parcel, 1, nil), reset("a", parcel, 1, nil),
	}}))(t).GetResults()
	for i, want := range []codes.Code{
		codes.OK, codes.InvalidArgument, codes.AlreadyExists, codes.InvalidArgument, codes.OK, codes.ResourceExhausted, codes.OK,
	} {
		code := codes.Code(got[i].GetStatus().GetCode())
		if code != want || (got[i].GetResponse() != nil) != (want == codes.OK) || (got[i].GetStatus().GetMessage() == "") != (want == codes.OK) {
			t.Errorf("item %d: %v, want %v", i, got[i], want)
		}
	}
	single := must(h.env.Reset(t.Context(), reset("a", parcel, 1, nil)))(t)
	if bytesOf(t, got[0].GetResponse()) != bytesOf(t, single) {
		t.Error("an item of a batch differs from the single call")
	}
}

func TestStepBatch(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	for _, id := range []string{"a", "b", "single"} {
		must(h.env.Reset(t.Context(), reset(id, parcel, 1, noFaults)))(t)
	}
	got := must(h.env.StepBatch(t.Context(), &pb.StepBatchRequest{Requests: []*pb.StepRequest{
		step("a", 1, a.turn(a.low[0])), step("x", 1, a.turn()), step("a", 2, a.turn()), step("b", 2, a.turn()), step("a", 1, a.turn(a.low[0])), nil,
	}}))(t).GetResults()
	for i, want := range []codes.Code{
		codes.OK, codes.NotFound, codes.OK, codes.FailedPrecondition, codes.OK, codes.InvalidArgument,
	} {
		if code := codes.Code(got[i].GetStatus().GetCode()); code != want {
			t.Errorf("item %d: %v, want %v", i, got[i], want)
		}
	}
	if !got[2].GetResponse().GetTerminated() || got[2].GetResponse().GetOutcome().GetTier() != "low_clean" {
		t.Errorf("the second turn of one batch: %v", got[2])
	}
	single := must(h.env.Step(t.Context(), step("single", 1, a.turn(a.low[0]))))(t)
	for _, i := range []int{0, 4} {
		if bytesOf(t, got[i].GetResponse()) != bytesOf(t, single) {
			t.Errorf("item %d differs from the single call", i)
		}
	}
}

// TestBatchFitsAMessage holds that a batch never ends in an answer too large to send, which would lose all of it.
func TestBatchFitsAMessage(t *testing.T) {
	h := serve(t, limits(func(l *Limits) { l.MessageBytes = 32 << 10 }))
	req := &pb.ResetBatchRequest{}
	for i := range 100 {
		req.Requests = append(req.Requests, reset(fmt.Sprint(i), parcel, 1, nil))
	}
	got := must(h.env.ResetBatch(t.Context(), req))(t).GetResults()
	ok, late := 0, 0
	for _, r := range got {
		switch codes.Code(r.GetStatus().GetCode()) {
		case codes.OK:
			ok++
		case codes.ResourceExhausted:
			late++
			if !strings.Contains(r.GetStatus().GetMessage(), "another call") {
				t.Errorf("%q does not say what to do", r.GetStatus().GetMessage())
			}
		}
	}
	if ok == 0 || late == 0 || ok+late != 100 || h.Live() > ok+1 {
		t.Errorf("%d ok, %d to be sent again, %d live", ok, late, h.Live())
	}
}

func TestBatchStopsWithItsCaller(t *testing.T) {
	s := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	ran := 0
	err := runBatch(ctx, s, "items", []int{0, 1, 2, 3}, func(i int) (*pb.Status, error) {
		ran++
		if i == 1 {
			cancel()
		}
		return statusOK, nil
	}, func(int, *pb.Status, *pb.Status) {})
	if !errors.Is(err, context.Canceled) || ran != 2 {
		t.Errorf("ran %d items after the caller went: %v", ran, err)
	}
	if c := s.status(err).Code(); c != codes.Canceled {
		t.Errorf("code %v", c)
	}
}

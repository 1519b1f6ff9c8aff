package server

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// FuzzRequests sends whatever decodes. The law: no request is answered by Internal, and the same batch again gives the
// same answers, for nothing runs twice.
func FuzzRequests(f *testing.F) {
	a := act(f, parcel)
	add := func(resets []*pb.ResetRequest, steps ...*pb.StepRequest) {
		first := must(proto.Marshal(&pb.ResetBatchRequest{Requests: resets}))(f)
		second := must(proto.Marshal(&pb.StepBatchRequest{Requests: steps}))(f)
		f.Add(first, second)
	}
	add([]*pb.ResetRequest{reset("a", parcel, 1, nil)}, step("a", 1, a.turn(a.low[0], a.high[0])), step("a", 2, a.turn()))
	add([]*pb.ResetRequest{reset("b", count, -1, &pb.EpisodeOptions{K: 1, Turns: "calls"}, a.turn(0))}, step("b", 2, &pb.Turn{}), step("b", 3, nil))
	add([]*pb.ResetRequest{{EpisodeId: "c", Scenario: &pb.ResetRequest_ByIndex{}}}, step("\x00", -1, turnOf(33)))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		resets, steps := new(pb.ResetBatchRequest), new(pb.StepBatchRequest)
		if proto.Unmarshal(first, resets) != nil || proto.Unmarshal(second, steps) != nil {
			return
		}
		for _, r := range resets.GetRequests() {
			if r.GetEpisodeId() == "" {
				return // each has an id of its own
			}
		}
		s := newServer(t)
		env := s.Environment()
		must(env.ResetBatch(t.Context(), resets))(t)
		played := must(env.StepBatch(t.Context(), steps))(t)
		again := must(env.StepBatch(t.Context(), steps))(t)
		for i, r := range played.GetResults() {
			if codes.Code(r.GetStatus().GetCode()) == codes.Internal {
				t.Errorf("step %d: %v", i, r.GetStatus())
			}
			if r.GetStatus().GetCode() == 0 && !proto.Equal(r, again.GetResults()[i]) {
				t.Errorf("step %d answers %v, then %v", i, r, again.GetResults()[i])
			}
		}
		for i, r := range must(env.ResetBatch(t.Context(), resets))(t).GetResults() {
			if codes.Code(r.GetStatus().GetCode()) == codes.Internal {
				t.Errorf("reset %d: %v", i, r.GetStatus())
			}
		}
	})
}

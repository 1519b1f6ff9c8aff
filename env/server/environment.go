package server

import (
	"context"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// environmentService is the transport of EnvironmentService: requests in, answers and statuses out.
type environmentService struct {
	pb.UnimplementedEnvironmentServiceServer
	s *Server
}

func (e *environmentService) Describe(context.Context, *pb.DescribeRequest) (*pb.DescribeResponse, error) {
	return e.s.about, nil
}

func (e *environmentService) Reset(_ context.Context, req *pb.ResetRequest) (*pb.ResetResponse, error) {
	answer, err := e.s.reset(req)
	if err != nil {
		return nil, e.s.status(err).Err()
	}
	return answer, nil
}

func (e *environmentService) Step(_ context.Context, req *pb.StepRequest) (*pb.StepResponse, error) {
	answer, err := e.s.step(req)
	if err != nil {
		return nil, e.s.status(err).Err()
	}
	return answer, nil
}

func (s *Server) step(req *pb.StepRequest) (*pb.StepResponse, error) {
	if err := s.limits.checkEpisodeID(req.GetEpisodeId()); err != nil {
		return nil, err
	}
	if req.GetTurn() < 1 {
		return nil, invalid("turn", "is %d; the first turn is 1", req.GetTurn())
	}
	if err := s.limits.checkTurn(req.GetContent()); err != nil {
		return nil, within("content", err)
	}
	live, ok := s.table.get(req.GetEpisodeId())
	if !ok {
		return nil, errGone(req.GetEpisodeId())
	}
	answer, fresh, err := live.step(s.table, int(req.GetTurn()), turnFromProto(req.GetContent()))
	if fresh {
		s.metrics.stepped(answer)
	}
	return answer, err
}

func (e *environmentService) ResetBatch(ctx context.Context, req *pb.ResetBatchRequest) (*pb.ResetBatchResponse, error) {
	out := &pb.ResetBatchResponse{Results: make([]*pb.ResetResult, len(req.GetRequests()))}
	err := runBatch(ctx, e.s, "requests", req.GetRequests(), e.s.reset, func(i int, st *pb.Status, answer *pb.ResetResponse) {
		out.Results[i] = &pb.ResetResult{Status: st, Response: answer}
	})
	if err != nil {
		return nil, e.s.status(err).Err()
	}
	return out, nil
}

func (e *environmentService) StepBatch(ctx context.Context, req *pb.StepBatchRequest) (*pb.StepBatchResponse, error) {
	out := &pb.StepBatchResponse{Results: make([]*pb.StepResult, len(req.GetRequests()))}
	err := runBatch(ctx, e.s, "requests", req.GetRequests(), e.s.step, func(i int, st *pb.Status, answer *pb.StepResponse) {
		out.Results[i] = &pb.StepResult{Status: st, Response: answer}
	})
	if err != nil {
		return nil, e.s.status(err).Err()
	}
	return out, nil
}

func (e *environmentService) Close(_ context.Context, req *pb.CloseRequest) (*pb.CloseResponse, error) {
	if err := e.s.limits.checkSize("episode_ids", len(req.GetEpisodeIds())); err != nil {
		return nil, e.s.status(err).Err()
	}
	closed := 0
	for _, id := range req.GetEpisodeIds() {
		if e.s.table.remove(id) {
			closed++
		}
	}
	e.s.metrics.closedByClient(closed)
	return &pb.CloseResponse{Closed: int32(closed)}, nil
}

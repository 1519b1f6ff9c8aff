package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protodelim"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// Echo is a bare gRPC server: no interceptor, no limit, no state. It reads from in the answers that it is to give, says on
// log where it listens, and serves until ctx ends.
func Echo(ctx context.Context, in io.Reader, log io.Writer) error {
	known, err := readAnswers(in)
	if err != nil {
		return fmt.Errorf("answers on standard input: %w", err)
	}
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	g := grpc.NewServer()
	pb.RegisterEnvironmentServiceServer(g, &echo{known: known})
	defer context.AfterFunc(ctx, g.Stop)()
	fmt.Fprintf(log, "echo%s%s\n", Announcement, lis.Addr())
	return g.Serve(lis)
}

// answers of a server of ours, which the echo gives in turn whatever it is asked, so that payloads have the same sizes.
type answers struct {
	resets *pb.ResetBatchResponse
	steps  *pb.StepBatchResponse
	scores *pb.ScoreResponse
}

func newAnswers() *answers {
	return &answers{&pb.ResetBatchResponse{}, &pb.StepBatchResponse{}, &pb.ScoreResponse{}}
}

func (a *answers) bytes() ([]byte, error) {
	var out bytes.Buffer
	_, err1 := protodelim.MarshalTo(&out, a.resets)
	_, err2 := protodelim.MarshalTo(&out, a.steps)
	_, err3 := protodelim.MarshalTo(&out, a.scores)
	return out.Bytes(), errors.Join(err1, err2, err3)
}

func readAnswers(in io.Reader) (*answers, error) {
	a, buffered := newAnswers(), bufio.NewReader(in)
	read := protodelim.UnmarshalOptions{MaxSize: 64 << 20}
	if err := read.UnmarshalFrom(buffered, a.resets); err != nil {
		return nil, err
	}
	if err := read.UnmarshalFrom(buffered, a.steps); err != nil {
		return nil, err
	}
	return a, read.UnmarshalFrom(buffered, a.scores)
}

type echo struct {
	pb.UnimplementedEnvironmentServiceServer
	known *answers

	reset, step, score atomic.Uint64
}

// next takes one of the answers after the other.
func next[T any](n *atomic.Uint64, all []T) (one T, err error) {
	if len(all) == 0 {
		return one, errors.New("the echo was given no answer of this sort")
	}
	return all[n.Add(1)%uint64(len(all))], nil
}

func (e *echo) Reset(context.Context, *pb.ResetRequest) (*pb.ResetResponse, error) {
	one, err := next(&e.reset, e.known.resets.Results)
	return one.GetResponse(), err
}

func (e *echo) Step(context.Context, *pb.StepRequest) (*pb.StepResponse, error) {
	one, err := next(&e.step, e.known.steps.Results)
	return one.GetResponse(), err
}

func (e *echo) Score(context.Context, *pb.ScoreRequest) (*pb.ScoreResponse, error) {
	one, err := next(&e.score, e.known.scores.Results)
	return &pb.ScoreResponse{Results: []*pb.ScoreResult{one}}, err
}

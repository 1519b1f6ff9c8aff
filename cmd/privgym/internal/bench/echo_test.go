package bench

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/corpus"
)

func small(t *testing.T) *corpus.Corpus {
	t.Helper()
	c, findings, err := corpus.Load("../../../../env/corpus/families/government/scope-expansion/gov-se-parcel-use.yaml")
	if err != nil || len(findings) > 0 {
		t.Fatal(err, findings)
	}
	return c
}

// The echo gives the answers that it was told in turn, and no others.
func TestEcho(t *testing.T) {
	known := newAnswers()
	for _, content := range []string{"one", "two"} {
		known.steps.Results = append(known.steps.Results, &pb.StepResult{
			Response: &pb.StepResponse{ToolMessages: []*pb.ToolMessage{{Content: content}}},
		})
	}
	known.scores.Results = append(known.scores.Results, &pb.ScoreResult{Outcome: &pb.Outcome{Tier: "low_clean"}})
	in, err := known.bytes()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, ended := &said{address: make(chan string, 1)}, make(chan error, 1)
	go func() { ended <- Echo(ctx, bytes.NewReader(in), out) }()
	conn, err := grpc.NewClient(<-out.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	env := pb.NewEnvironmentServiceClient(conn)
	seen := map[string]int{}
	for range 4 {
		answer, err := env.Step(ctx, &pb.StepRequest{})
		if err != nil {
			t.Fatal(err)
		}
		seen[answer.GetToolMessages()[0].GetContent()]++
	}
	if seen["one"] != 2 || seen["two"] != 2 {
		t.Errorf("got %v", seen)
	}
	score, err := env.Score(ctx, &pb.ScoreRequest{})
	if err != nil || score.GetResults()[0].GetOutcome().GetTier() != "low_clean" {
		t.Errorf("%v, %v", score, err)
	}
	if _, err := env.Reset(ctx, &pb.ResetRequest{}); err == nil {
		t.Error("a Reset was answered, of which the echo knows nothing")
	}
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the echo does not end")
	}
}

func TestEchoRefusesOtherInput(t *testing.T) {
	for _, in := range []string{"", "\x05abc", strings.Repeat("\xff", 100)} {
		if err := Echo(t.Context(), strings.NewReader(in), io.Discard); err == nil {
			t.Errorf("%q was read", in)
		}
	}
}

// A client in another language can be told the whole wire.
func TestWireDescriptors(t *testing.T) {
	raw, err := wireDescriptors()
	if err != nil {
		t.Fatal(err)
	}
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(raw, set); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range set.GetFile() {
		for _, needed := range f.GetDependency() {
			if !known[needed] {
				t.Errorf("%s stands before %s, which it imports", f.GetName(), needed)
			}
		}
		known[f.GetName()] = true
	}
	if !known["privgym/v1/environment.proto"] {
		t.Errorf("got %v", known)
	}
}

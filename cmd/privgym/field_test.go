package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/server"
	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// mortal is a server that ends once the first episode has.
type mortal struct {
	pb.EnvironmentServiceServer
	end func()
}

func (m *mortal) Close(ctx context.Context, req *pb.CloseRequest) (*pb.CloseResponse, error) {
	m.end()
	return m.EnvironmentServiceServer.Close(ctx, req)
}

// TestFieldNeMoRL2305: the environment dies in the middle of a batch. Every episode that is lost by it is told and
// counted, and no record of it is written; those that had ended are there.
func TestFieldNeMoRL2305(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so that fewer are played at a time than there are
	const episodes = 6
	scenarios, findings, err := corpus.Load(oneFamily)
	if err != nil || len(findings) > 0 {
		t.Fatal(err, findings)
	}
	s, err := server.New(server.Config{Corpus: scenarios, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := grpc.NewServer()
	pb.RegisterEnvironmentServiceServer(g, &mortal{s.Environment(), func() { go g.Stop() }})
	go g.Serve(lis)
	defer g.Stop()

	out := filepath.Join(t.TempDir(), "out.jsonl")
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{
		"play", "--policy", "careful", "--split", "rl", "--faults", "none", "--scenarios", oneFamily, "--server", lis.Addr().String(), "--out", out, "--json",
	}, streams{strings.NewReader(""), &stdout, &stderr})
	var sum struct{ Episodes, Failed int }
	if err := json.Unmarshal(stdout.Bytes(), &sum); err != nil {
		t.Fatal(err, &stdout, &stderr)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if code != exitFindings || sum.Episodes+sum.Failed != episodes || sum.Failed == 0 || sum.Episodes == 0 {
		t.Errorf("exit code %d, %+v", code, sum)
	}
	if n := bytes.Count(written, []byte("\n")); n != sum.Episodes {
		t.Errorf("%d records, %d episodes that ended", n, sum.Episodes)
	}
	if n := strings.Count(stderr.String(), "privgym: policy careful, scenario gov-se-parcel-use/"); n != sum.Failed {
		t.Errorf("%d failures are told, %d were counted:\n%s", n, sum.Failed, &stderr)
	}
}

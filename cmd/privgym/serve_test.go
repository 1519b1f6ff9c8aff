package main

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/server"
)

// oneFamily is enough to serve where the scenarios do not matter.
const oneFamily = "../../env/corpus/families/government/scope-expansion/gov-se-parcel-use.yaml"

// served is a running privgym serve. Its standard error is a file, so that what it has said before an answer is there when
// the answer is.
type served struct{ Address, stderr string }

func (s *served) log(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(s.stderr)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// serveReal runs privgym serve on a free port until the test ends; env is added to the environment.
func serveReal(t *testing.T, env []string, args ...string) *served {
	t.Helper()
	dir := t.TempDir()
	ready := filepath.Join(dir, "ready")
	s := &served{stderr: filepath.Join(dir, "stderr")}
	stderr, err := os.Create(s.stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	if !slices.Contains(args, "--scenarios") {
		args = append(args, "--scenarios", oneFamily)
	}
	cmd := exec.Command("privgym", append([]string{"serve", "--listen", "127.0.0.1:0", "--ready-file", ready}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		if err := <-ended; err != nil {
			t.Errorf("privgym serve: %v\n%s", err, s.log(t))
		}
	})
	s.Address = waitReady(ready)
	if s.Address == "" {
		t.Fatalf("the server is not ready after 10 s:\n%s", s.log(t))
	}
	return s
}

// waitReady returns the address that a server writes to its --ready-file, empty after 10 s without one.
func waitReady(file string) string {
	for range 500 {
		if address, err := os.ReadFile(file); err == nil {
			return strings.TrimSpace(string(address))
		}
		time.Sleep(20 * time.Millisecond)
	}
	return ""
}

// connect returns a connection over TLS, or in the clear where cfg is nil.
func (s *served) connect(t *testing.T, cfg *tls.Config) *grpc.ClientConn {
	t.Helper()
	how := insecure.NewCredentials()
	if cfg != nil {
		how = credentials.NewTLS(cfg)
	}
	conn, err := grpc.NewClient(s.Address, grpc.WithTransportCredentials(how))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// describe is a call like any other.
func describe(ctx context.Context, conn *grpc.ClientConn) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := pb.NewEnvironmentServiceClient(conn).Describe(ctx, &pb.DescribeRequest{})
	return err
}

// metricsURL is what the server says of --metrics.
func (s *served) metricsURL(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`metrics on (http://\S+)`).FindStringSubmatch(s.log(t))
	if found == nil {
		t.Fatalf("the server does not say where its metrics are:\n%s", s.log(t))
	}
	return found[1]
}

func get(t *testing.T, url string) (code int, body string) {
	t.Helper()
	client := http.Client{Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	res, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(content)
}

func TestMetricsAreOnLoopbackUnlessTold(t *testing.T) {
	for address, loopback := range map[string]bool{
		"0": true, ":0": true, "127.0.0.1:0": true, "localhost:0": true, "0.0.0.0:0": false,
	} {
		lis, err := listenMetrics(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := lis.Addr().(*net.TCPAddr).IP.IsLoopback(); got != loopback {
			t.Errorf("%q listens on %v", address, lis.Addr())
		}
		lis.Close()
	}
}

func TestServeMetrics(t *testing.T) {
	s := serveReal(t, nil, "--metrics", "0")
	url := s.metricsURL(t)
	if !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("metrics are on %s", url)
	}
	if err := describe(t.Context(), s.connect(t, nil)); err != nil {
		t.Fatal(err)
	}
	_, body := get(t, url)
	for _, want := range []string{
		`privgym_rpcs_total{code="OK",method="/privgym.v1.EnvironmentService/Describe"} 1`, "privgym_episodes_limit 65536", "go_goroutines ",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics does not hold %s", want)
		}
	}
	for _, other := range []string{"/", "/debug/pprof/", "/metrics/x"} {
		if code, _ := get(t, strings.TrimSuffix(url, "/metrics")+other); code != http.StatusNotFound {
			t.Errorf("%s answers %d; nothing but /metrics is to be there", other, code)
		}
	}
}

func TestServeUntilStdinEnds(t *testing.T) {
	stdin, held := io.Pipe()
	ready := filepath.Join(t.TempDir(), "ready")
	code := make(chan int, 1)
	go func() {
		args := []string{"serve", "--until-stdin-ends", "--listen", "127.0.0.1:0", "--ready-file", ready, "--scenarios", oneFamily}
		code <- run(t.Context(), args, streams{stdin, io.Discard, io.Discard})
	}()
	// A line to read is not the end; the second one is taken only after the first.
	for _, line := range []string{"a line\n", "another\n"} {
		if _, err := io.WriteString(held, line); err != nil {
			t.Fatal(err)
		}
	}
	s := &served{Address: waitReady(ready)}
	if err := describe(t.Context(), s.connect(t, nil)); err != nil {
		t.Errorf("while standard input is open: %v", err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-code:
		if got != exitFine {
			t.Errorf("exit code %d", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server goes on after the end of standard input")
	}
}

func TestServeSaysThatNothingGuardsIt(t *testing.T) {
	const open = "neither TLS nor a token guards it"
	if s := serveReal(t, nil); !strings.Contains(s.log(t), open) {
		t.Errorf("it says only: %s", s.log(t))
	}
	if s := serveReal(t, []string{"PRIVGYM_TOKEN=x"}); strings.Contains(s.log(t), open) {
		t.Errorf("with a token it says: %s", s.log(t))
	}
}

func TestServeKeepsWithinItsMemoryLimit(t *testing.T) {
	for limit, want := range map[string]int64{"GOMEMLIMIT=1GiB": 1 << 29, "GOMEMLIMIT=64GiB": server.DefaultRetainedBytes} {
		conn := serveReal(t, []string{limit}).connect(t, nil)
		about, err := pb.NewEnvironmentServiceClient(conn).Describe(t.Context(), &pb.DescribeRequest{})
		if got := about.GetLimits().GetRetainedBytes(); err != nil || got != want {
			t.Errorf("%s: episodes may hold %d bytes, want %d (%v)", limit, got, want, err)
		}
	}
}

// TestInternalErrorsSayNothing plays a scenario that the server's owner has spoilt: what is wrong with it, and where, is
// the owner's to read.
func TestInternalErrorsSayNothing(t *testing.T) {
	family, err := os.ReadFile(oneFamily)
	if err != nil {
		t.Fatal(err)
	}
	spoilt := filepath.Join(t.TempDir(), "spoilt.yaml")
	text := strings.Replace(string(family), `equals: {use: "{new}"}`, `equals: {use: "{doc}"}`, 1)
	if text == string(family) {
		t.Fatal("the family has another goal now")
	}
	if err := os.WriteFile(spoilt, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serveReal(t, nil, "--scenarios", spoilt)
	_, err = pb.NewEnvironmentServiceClient(s.connect(t, nil)).Reset(t.Context(), &pb.ResetRequest{
		Scenario: &pb.ResetRequest_ScenarioId{ScenarioId: "gov-se-parcel-use/1.1"},
	})
	if st := status.Convert(err); st.Code() != codes.Internal || st.Message() != "internal error; the server's log says more" {
		t.Errorf("the client reads %v", err)
	}
	if !strings.Contains(s.log(t), spoilt) {
		t.Errorf("the log does not name the file:\n%s", s.log(t))
	}
}

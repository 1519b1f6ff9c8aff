package server

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"math/big"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/test/bufconn"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

func TestHealthAndReflection(t *testing.T) {
	h := serve(t)
	probe := healthpb.NewHealthClient(h.conn)
	for _, name := range []string{"", "privgym.v1.EnvironmentService", "privgym.v1.RewardService"} {
		if got := must(probe.Check(t.Context(), &healthpb.HealthCheckRequest{Service: name}))(t); got.GetStatus() != healthpb.HealthCheckResponse_SERVING {
			t.Errorf("%q is %v", name, got)
		}
	}
	stream := must(reflectionpb.NewServerReflectionClient(h.conn).ServerReflectionInfo(t.Context()))(t)
	if err := stream.Send(&reflectionpb.ServerReflectionRequest{
		MessageRequest: &reflectionpb.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: "privgym.v1.RewardService"},
	}); err != nil {
		t.Fatal(err)
	}
	if got := must(stream.Recv())(t); len(got.GetFileDescriptorResponse().GetFileDescriptorProto()) == 0 {
		t.Errorf("reflection answered %v", got)
	}
	stream.CloseSend()
	if _, err := stream.Recv(); err == nil {
		t.Error("the reflection stream did not end")
	}
}

func TestToken(t *testing.T) {
	h := serve(t, func(c *Config) { c.Token = "s3cret" })
	for header, code := range map[string]codes.Code{
		"Bearer s3cret": codes.OK, "bearer s3cret": codes.OK, "": codes.Unauthenticated, "s3cret": codes.Unauthenticated,
		"Bearer s3cre": codes.Unauthenticated, "Bearer s3cret ": codes.Unauthenticated, "Basic s3cret": codes.Unauthenticated,
	} {
		ctx := t.Context()
		if header != "" {
			ctx = metadata.AppendToOutgoingContext(ctx, "authorization", header)
		}
		_, err := h.env.Describe(ctx, &pb.DescribeRequest{})
		wantCode(t, err, code)
		stream := must(h.env.ListScenarios(ctx, &pb.ListScenariosRequest{Split: "eval"}))(t)
		if _, err := stream.Recv(); code != codes.OK {
			if st := wantCode(t, err, code); strings.Contains(st.Message(), "s3cret") {
				t.Errorf("the refusal tells the token: %v", st)
			}
		}
	}
	must(healthpb.NewHealthClient(h.conn).Check(t.Context(), &healthpb.HealthCheckRequest{}))(t)
	if n := counterValue(t, h.Server, "privgym_rpcs_total", "method", pb.EnvironmentService_Describe_FullMethodName, "code", "Unauthenticated"); n != 5 {
		t.Errorf("%v refusals were counted, want 5", n)
	}
}

// TestTokenGuardsTheDecoder: who lacks the token is refused by the headers, before the message has been read whole, let
// alone decoded. A batch without end is therefore answered.
func TestTokenGuardsTheDecoder(t *testing.T) {
	h := serve(t, func(c *Config) { c.Token = "s3cret" })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for _, method := range []string{pb.EnvironmentService_StepBatch_FullMethodName, pb.RewardService_ScoreTrajectories_FullMethodName} {
		stream := must(h.conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true}, method))(t) // sends headers alone
		wantCode(t, stream.RecvMsg(new(pb.StepBatchResponse)), codes.Unauthenticated)
		if n := counterValue(t, h.Server, "privgym_rpcs_total", "method", method, "code", "Unauthenticated"); n != 1 {
			t.Errorf("%v refusals of %s were counted, want 1", n, method)
		}
	}
}

// selfSigned makes a certificate that signs itself, for a server named memory and for clients.
func selfSigned(t testing.TB) (pair tls.Certificate, pool *x509.CertPool) {
	t.Helper()
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"memory"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der := must(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))(t)
	pair = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	pool = x509.NewCertPool()
	pool.AddCert(must(x509.ParseCertificate(der))(t))
	return pair, pool
}

func TestMutualTLS(t *testing.T) {
	pair, pool := selfSigned(t)
	h := serve(t, func(c *Config) {
		c.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	})
	for name, client := range map[string]struct {
		certs []tls.Certificate
		code  codes.Code
	}{"with a certificate": {[]tls.Certificate{pair}, codes.OK}, "without": {nil, codes.Unavailable}} {
		conn := h.dial(t, grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{
			RootCAs: pool, ServerName: "memory", Certificates: client.certs,
		})))
		_, err := pb.NewEnvironmentServiceClient(conn).Describe(t.Context(), &pb.DescribeRequest{})
		t.Log(name)
		wantCode(t, err, client.code)
	}
	if _, err := h.env.Describe(t.Context(), &pb.DescribeRequest{}); err == nil {
		t.Error("a client without TLS was answered")
	}
}

// TestInterceptorOrder runs the chain around a handler that panics.
func TestInterceptorOrder(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	info := &grpc.UnaryServerInfo{FullMethod: pb.EnvironmentService_Step_FullMethodName}
	call := func(ctx context.Context, handler grpc.UnaryHandler) error {
		chain := s.unaryInterceptors()
		for i := len(chain) - 1; i >= 0; i-- {
			next, one := handler, chain[i]
			handler = func(ctx context.Context, req any) (any, error) {
				return one(ctx, req, info, next)
			}
		}
		_, err := handler(ctx, nil)
		return err
	}
	counted := func(code string) float64 {
		return counterValue(t, s, "privgym_rpcs_total", "method", pb.EnvironmentService_Step_FullMethodName, "code", code)
	}
	st := wantCode(t, call(t.Context(), func(context.Context, any) (any, error) { panic("the secret cause") }), codes.Internal)
	if strings.Contains(st.Message(), "secret") || counted("Internal") != 1 {
		t.Errorf("a panic is to pass the measurement and be told as %q, got %q", internalText, st.Message())
	}
	if text := log.String(); !strings.Contains(text, "the secret cause") || !strings.Contains(text, "serve_test.go") {
		t.Errorf("the log lacks the cause or its stack: %s", text)
	}
	info = nil // now the measurement itself panics, inside the recovery
	wantCode(t, call(t.Context(), func(context.Context, any) (any, error) { return nil, nil }), codes.Internal)
	err := s.streamInterceptors(t.Context())[0](nil, nil, nil, func(any, grpc.ServerStream) error { panic("stream") })
	wantCode(t, err, codes.Internal)
}

func TestInternalCausesStayInTheLog(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	st := s.status(net.ErrClosed)
	if st.Code() != codes.Internal || strings.Contains(st.Message(), "closed") || !strings.Contains(log.String(), net.ErrClosed.Error()) {
		t.Errorf("status %v, log %s", st, log.String())
	}
}

// TestDrain ends a server that has an idle watcher: it is told, its stream ends, and Serve returns at once.
func TestDrain(t *testing.T) {
	h := serve(t)
	watch := must(healthpb.NewHealthClient(h.conn).Watch(t.Context(), &healthpb.HealthCheckRequest{}))(t)
	if got := must(watch.Recv())(t); got.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		t.Fatalf("health is %v", got)
	}
	start := time.Now()
	if err := h.end(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > defaultDrain/2 {
		t.Errorf("an idle watcher held the server for %v", took)
	}
	for {
		got, err := watch.Recv()
		if err != nil {
			wantCode(t, err, codes.Unavailable)
			break
		}
		if got.GetStatus() != healthpb.HealthCheckResponse_NOT_SERVING {
			t.Errorf("while draining health is %v", got)
		}
	}
	_, err := h.env.Describe(t.Context(), &pb.DescribeRequest{})
	wantCode(t, err, codes.Unavailable)
}

// slow answers after a while, unless its call is cut.
type slow struct {
	pb.UnimplementedEnvironmentServiceServer
	takes time.Duration
}

func (s slow) Describe(ctx context.Context, _ *pb.DescribeRequest) (*pb.DescribeResponse, error) {
	select {
	case <-time.After(s.takes):
		return &pb.DescribeResponse{}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestDrainDeadline stops a server with a call in flight that ends before the deadline, and with one that does not.
func TestDrainDeadline(t *testing.T) {
	const limit = 5 * time.Second
	for takes, want := range map[time.Duration]struct {
		code  codes.Code
		stops time.Duration
	}{4 * time.Second: {codes.OK, 4 * time.Second}, 6 * time.Second: {codes.Unavailable, limit}} {
		synctest.Test(t, func(t *testing.T) {
			h := &harness{lis: bufconn.Listen(1 << 20)}
			g := grpc.NewServer(grpc.WaitForHandlers(true))
			pb.RegisterEnvironmentServiceServer(g, slow{takes: takes})
			go g.Serve(h.lis)
			conn := h.dial(t)
			result := make(chan error, 1)
			go func() {
				_, err := pb.NewEnvironmentServiceClient(conn).Describe(t.Context(), &pb.DescribeRequest{})
				result <- err
			}()
			synctest.Wait()
			start := time.Now()
			stopWithin(g, limit)
			if took := time.Since(start); took != want.stops {
				t.Errorf("a call of %v held the server for %v, want %v", takes, took, want.stops)
			}
			wantCode(t, <-result, want.code)
			conn.Close()
		})
	}
}

// TestFieldOpenEnv875 pings every 10 s, as trainers do, without a call for minutes. A server that minds would
// close the connection, and the client would dial again.
func TestFieldOpenEnv875(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t)
		dials := 0
		conn := h.dial(t, grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, PermitWithoutStream: true}),
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
				dials++
				return h.lis.DialContext(ctx)
			}))
		for range 5 {
			must(pb.NewEnvironmentServiceClient(conn).Describe(t.Context(), &pb.DescribeRequest{}))(t)
			time.Sleep(time.Minute)
		}
		if dials != 1 {
			t.Errorf("dialled %d times in 5 minutes", dials)
		}
		conn.Close()
		h.conn.Close()
		h.end()
		h.Close()
	})
}

func TestMessageLimit(t *testing.T) {
	h := serve(t, limits(func(l *Limits) { l.MessageBytes = 4 << 10 }))
	_, err := h.env.Step(t.Context(), step("e", 1, &pb.Turn{Text: strings.Repeat("x", 5<<10)}))
	wantCode(t, err, codes.ResourceExhausted)
}

func TestServeReportsABrokenListener(t *testing.T) {
	lis := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	lis.Close()
	if err := newServer(t).Serve(t.Context(), lis); err == nil {
		t.Error("a closed listener was served")
	}
}

func TestServeUnderAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 {
		if err := newServer(t).Serve(ctx, bufconn.Listen(1)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestServicesWithoutGRPC(t *testing.T) {
	s := newServer(t)
	if got := must(s.Environment().Reset(t.Context(), reset("e", parcel, 1, nil)))(t); got.GetEpisodeId() != "e" || s.Live() != 1 {
		t.Errorf("opened %v", got)
	}
	_, err := s.Reward().RankGroup(t.Context(), nil)
	wantCode(t, err, codes.InvalidArgument)
}

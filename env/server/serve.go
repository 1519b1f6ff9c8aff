package server

import (
	"context"
	"errors"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

const (
	// minPing is the shortest interval of client pings that is not punished. Trainers ping every 10 s, and pings that
	// set out 10 s apart may arrive closer.
	minPing = 5 * time.Second
	// pingTimeout is how long a silent peer has to answer a ping of the server.
	pingTimeout = 20 * time.Second
	// maxConnectionIdle closes connections without a call; clients reconnect by themselves. A connection in use may live
	// for ever: an age limit would cut episodes.
	maxConnectionIdle = 15 * time.Minute
	// connectTimeout bounds how long a peer may take from the connection to the end of both handshakes.
	connectTimeout = 20 * time.Second
	// maxHeaderBytes is room for a token and tracing headers.
	maxHeaderBytes = 16 << 10
	// streamWorkers are goroutines that take call after call, so that their stacks need not grow anew: that was an eighth
	// of the processor time of a turn. Calls beyond them have a goroutine each.
	streamWorkers = 32
)

// Serve answers on the listener until the context ends, then drains: health says NOT_SERVING, new calls are refused,
// calls in flight have Config.DrainTimeout to end, and what is left is cut. It returns nil after a drain. It refuses a
// listener that CheckAddress refuses. The listener is closed in any case. Several listeners, a port and a unix socket,
// take a Serve each.
func (s *Server) Serve(ctx context.Context, lis net.Listener) error {
	if err := s.checkListener(lis.Addr()); err != nil {
		return errors.Join(err, lis.Close())
	}
	draining, drain := context.WithCancel(context.WithoutCancel(ctx))
	defer drain()
	g := grpc.NewServer(s.options(draining)...)
	s.Register(g)
	probe := health.NewServer()
	for _, name := range []string{pb.EnvironmentService_ServiceDesc.ServiceName, pb.RewardService_ServiceDesc.ServiceName} {
		probe.SetServingStatus(name, healthpb.HealthCheckResponse_SERVING)
	}
	healthpb.RegisterHealthServer(g, probe)
	reflection.Register(g)

	served := make(chan error, 1)
	go func() { served <- g.Serve(lis) }()
	select {
	case err := <-served:
		g.Stop()
		return err
	case <-ctx.Done():
	}
	probe.Shutdown()
	drain()
	stopWithin(g, s.cfg.DrainTimeout)
	if err := <-served; !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil // stopped before it began
}

// stopWithin lets calls in flight end, and cuts them at the deadline.
func stopWithin(g *grpc.Server, limit time.Duration) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		g.GracefulStop()
	}()
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	select {
	case <-ended:
	case <-deadline.C:
		g.Stop()
		<-ended
	}
}

func (s *Server) options(draining context.Context) []grpc.ServerOption {
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(s.limits.MessageBytes),
		grpc.MaxSendMsgSize(s.limits.MessageBytes),
		grpc.MaxConcurrentStreams(uint32(s.limits.ConcurrentCalls)),
		grpc.MaxHeaderListSize(maxHeaderBytes),
		grpc.ConnectionTimeout(connectTimeout),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: minPing, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionIdle: maxConnectionIdle,
			Time:              s.cfg.KeepaliveTime,
			Timeout:           pingTimeout,
		}),
		grpc.NumStreamWorkers(streamWorkers),
		grpc.WaitForHandlers(true), // so that nothing runs on behind a Serve that has returned
		grpc.InTapHandle(s.admit),
		grpc.ChainUnaryInterceptor(s.unaryInterceptors()...),
		grpc.ChainStreamInterceptor(s.streamInterceptors(draining)...),
	}
	if s.cfg.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(s.cfg.TLS)))
	}
	return options
}

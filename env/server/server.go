package server

import (
	"context"
	"crypto/sha256"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"google.golang.org/grpc"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/reward"
)

// Server holds the live episodes and answers the services. It is safe for concurrent use, and several listeners may be
// served at once.
type Server struct {
	cfg     Config
	limits  Limits
	games   *games
	table   *table
	metrics *metrics
	about   *pb.DescribeResponse
	// tokenSum is the SHA-256 of Config.Token.
	tokenSum [sha256.Size]byte
	stop     context.CancelFunc
	swept    sync.WaitGroup
}

// New makes a server with no episodes, and starts the goroutine that closes idle ones; Close ends it.
func New(cfg Config) (*Server, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{
		cfg:      cfg,
		limits:   cfg.Limits,
		games:    &games{corpus: cfg.Corpus},
		table:    newTable(cfg.Limits),
		tokenSum: sha256.Sum256([]byte(cfg.Token)),
	}
	s.about = s.describe()
	if s.metrics, err = newMetrics(cfg.Registry, s.table, s.about); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.swept.Go(func() { s.table.run(ctx, s.metrics.closedIdle) })
	return s, nil
}

// Close ends the idle sweep. The episodes go with the Server. It may be called more than once.
func (s *Server) Close() {
	s.stop()
	s.swept.Wait()
}

// Register adds both services to a gRPC server that the caller has built. Serve does all of it, with the options and
// interceptors that belong to it.
func (s *Server) Register(r grpc.ServiceRegistrar) {
	pb.RegisterEnvironmentServiceServer(r, s.Environment())
	pb.RegisterRewardServiceServer(r, s.Reward())
}

// Environment returns the service itself, for transports other than gRPC.
func (s *Server) Environment() pb.EnvironmentServiceServer { return &environmentService{s: s} }

// Reward returns the service itself, for transports other than gRPC.
func (s *Server) Reward() pb.RewardServiceServer { return &rewardService{s: s} }

// Live returns the number of live episodes.
func (s *Server) Live() int { return int(s.table.live.Load()) }

// MetricsHandler answers GET with the metrics of Config.Registry in the Prometheus format.
func (s *Server) MetricsHandler() http.Handler {
	return promhttp.HandlerFor(s.cfg.Registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

func (s *Server) describe() *pb.DescribeResponse {
	d := &pb.DescribeResponse{
		Version:      s.cfg.Version,
		CorpusDigest: s.cfg.Corpus.Digest(),
		Presets:      reward.Presets(),
		Prompts:      []string{scenario.PromptBase, scenario.PromptSecurityPrinciple},
		FaultPlans:   fault.Names(),
		Limits:       limitsToProto(s.limits),
	}
	for _, split := range s.cfg.Corpus.Splits() {
		d.Splits = append(d.Splits, splitToProto(split))
	}
	return d
}

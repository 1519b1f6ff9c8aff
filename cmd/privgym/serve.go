package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"github.com/privgym/privgym/env/server"
)

type serveCmd struct {
	Listen      string        `default:"127.0.0.1:50551" placeholder:"ADDRESS" help:"Address to listen on (${default}), host:port or unix:path; port 0 takes a free one."`
	Metrics     string        `placeholder:"ADDRESS" help:"Serve Prometheus metrics over HTTP at /metrics of this address; a port alone means 127.0.0.1."`
	HTTP        string        `name:"http" placeholder:"ADDRESS" help:"Serve the HTTP routes of a NeMo Gym resources server too, guarded like the rest."`
	ReadyFile   string        `placeholder:"FILE" help:"Write the address to FILE once the server answers, and that of --http on a second line; removed at the end."`
	IdleTimeout time.Duration `default:"10m" help:"Close an episode that has had no call for this long (${default})."`
	Keepalive   time.Duration `default:"1m" help:"Ping a connection that has been silent for this long, and drop it where no answer comes within 20 s (${default}); proxies may want less."`
	Episodes    int           `default:"65536" help:"Episodes live at once (${default})."`
	Scenarios   []string      `placeholder:"PATH" help:"Serve these families, files or directories, instead of the embedded ones."`

	UntilStdinEnds bool `help:"End as on SIGTERM when standard input ends: on a pipe from the process that starts the server, however that process ends."`

	guardFlags `group:"Needed to listen beyond this machine:"`
}

// Run serves until the context or, where that is asked for, standard input ends, then drains.
func (c *serveCmd) Run(ctx context.Context, io streams) error {
	cfg, err := c.config(io)
	if err != nil {
		return err
	}
	s, err := server.New(cfg)
	if err != nil {
		return usageError{err}
	}
	lis, err := listen(c.Listen)
	if err != nil {
		return err
	}
	ready := addressOf(lis) + "\n"
	if c.UntilStdinEnds {
		var end context.CancelFunc
		ctx, end = untilEOF(ctx, io.in)
		defer end()
	}
	serving, ctx := errgroup.WithContext(ctx)
	if c.Metrics != "" {
		web, err := listenMetrics(c.Metrics)
		if err != nil {
			return errors.Join(usageError{err}, lis.Close())
		}
		fmt.Fprintf(io.err, "metrics on http://%s/metrics\n", web.Addr())
		serving.Go(func() error { return serveHTTP(ctx, web, s.MetricsHandler()) })
	}
	if c.HTTP != "" {
		gym, err := listen(c.HTTP)
		if err != nil {
			return errors.Join(err, lis.Close())
		}
		ready += addressOf(gym) + "\n"
		fmt.Fprintf(io.err, "NeMo Gym routes on %s\n", addressOf(gym))
		serving.Go(func() error { return s.ServeGym(ctx, gym) })
	}
	fmt.Fprintf(io.err, "privgym %s serves on %s\n", version(), addressOf(lis))
	if cfg.Token == "" && cfg.TLS == nil {
		fmt.Fprintln(io.err, "neither TLS nor a token guards it: only this machine can reach it, and everybody on this machine may call")
	}
	if c.ReadyFile != "" {
		if err := renameio.WriteFile(c.ReadyFile, []byte(ready), 0o644); err != nil {
			return errors.Join(fmt.Errorf("ready file: %w", err), lis.Close())
		}
		defer os.Remove(c.ReadyFile)
	}
	serving.Go(func() error { return s.Serve(ctx, lis) })
	return serving.Wait()
}

// untilEOF returns a context that also ends when nothing more can be read.
func untilEOF(ctx context.Context, r io.Reader) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, r) // an input that cannot be read has ended too
		end()
	}()
	return ctx, end
}

// listen takes host:port or unix:path.
func listen(address string) (net.Listener, error) {
	network, where := "tcp", address
	if path, ok := strings.CutPrefix(address, unixPrefix); ok {
		network, where = "unix", path
	}
	lis, err := net.Listen(network, where)
	if errors.Is(err, syscall.EADDRINUSE) {
		advice := "stop what listens there, or take another port; 0 takes a free one"
		if network == "unix" {
			advice = "if no server runs there, remove the socket that one has left"
		}
		err = fmt.Errorf("%w; %s", err, advice)
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("cannot listen on %s: %w", address, err)}
	}
	return lis, nil
}

const unixPrefix = "unix:"

// addressOf is what a client dials.
func addressOf(lis net.Listener) string {
	if lis.Addr().Network() == "unix" {
		return unixPrefix + lis.Addr().String()
	}
	return lis.Addr().String()
}

func (c *serveCmd) config(io streams) (server.Config, error) {
	if c.Episodes < 1 || c.IdleTimeout <= 0 || c.Keepalive <= 0 { // 0 would be the default of server.Config
		return server.Config{}, usageError{errors.New("--episodes, --idle-timeout and --keepalive must be above 0")}
	}
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return server.Config{}, err
	}
	cfg := server.Config{
		Corpus:  scenarios,
		Version: version(),
		Limits: server.Limits{
			Episodes: c.Episodes, IdleTimeout: c.IdleTimeout, RetainedBytes: retainedWithin(debug.SetMemoryLimit(-1)),
		},
		Log: slog.New(slog.NewTextHandler(io.err, nil)),

		KeepaliveTime: c.Keepalive,
		Registry:      processRegistry(),
	}
	if cfg.Token, err = tokenOf(c.TokenFile); err != nil {
		return cfg, usageError{err}
	}
	if cfg.TLS, err = c.tls(); err != nil {
		return cfg, usageError{err}
	}
	if err := cfg.CheckAddress(c.Listen); err != nil {
		return cfg, usageError{err}
	}
	if c.HTTP == "" {
		return cfg, nil
	}
	if err := cfg.CheckAddress(c.HTTP); err != nil {
		return cfg, usageError{err}
	}
	return cfg, nil
}

// retainedWithin keeps what episodes hold to half of the memory limit (GOMEMLIMIT), 0 where the default is less than that.
func retainedWithin(limit int64) int {
	if half := limit / 2; half < server.DefaultRetainedBytes {
		return int(max(half, 1))
	}
	return 0
}

// processRegistry has the usual metrics of a process beside those that the server adds.
func processRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewGoCollector(collectors.WithGoCollectorMemStatsMetricsDisabled()),
	)
	return r
}

// listenMetrics listens on an address; a port alone is taken on loopback, since metrics have no guard of their own.
func listenMetrics(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		host, port = "", address
	}
	if host == "" {
		host = "127.0.0.1"
	}
	lis, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("cannot serve metrics on %s: %w", address, err)
	}
	return lis, nil
}

// serveHTTP serves /metrics until the context ends.
func serveHTTP(ctx context.Context, lis net.Listener, metrics http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	s := &http.Server{
		Handler:        mux,
		ReadTimeout:    5 * time.Second,
		WriteTimeout:   10 * time.Second, // or readers that stall would keep others from the few requests answered at once
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 16 << 10,
	}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(lis); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}

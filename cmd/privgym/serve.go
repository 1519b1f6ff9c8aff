package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/sync/errgroup"

	"github.com/privgym/privgym/env/server"
)

type serveCmd struct {
	Listen      string        `default:"127.0.0.1:50551" placeholder:"ADDRESS" help:"Address to listen on (${default}); port 0 takes a free one."`
	Metrics     string        `placeholder:"ADDRESS" help:"Serve Prometheus metrics over HTTP at /metrics of this address; a port alone means 127.0.0.1."`
	ReadyFile   string        `placeholder:"FILE" help:"Write the address to FILE once the server answers; removed at the end."`
	IdleTimeout time.Duration `default:"10m" help:"Close an episode that has had no call for this long (${default})."`
	Episodes    int           `default:"65536" help:"Episodes live at once (${default})."`
	Scenarios   []string      `placeholder:"PATH" help:"Serve these families, files or directories, instead of the embedded ones."`

	guardFlags `group:"Needed to listen beyond this machine:"`
}

// Run serves until the context ends, then drains.
func (c *serveCmd) Run(ctx context.Context, io streams) error {
	cfg, err := c.config(io)
	if err != nil {
		return err
	}
	s, err := server.New(cfg)
	if err != nil {
		return usageError{err}
	}
	lis, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return usageError{fmt.Errorf("cannot listen on %s: %w", c.Listen, err)}
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
	fmt.Fprintf(io.err, "privgym %s serves on %s\n", version(), lis.Addr())
	if c.ReadyFile != "" {
		if err := renameio.WriteFile(c.ReadyFile, []byte(lis.Addr().String()+"\n"), 0o644); err != nil {
			return errors.Join(fmt.Errorf("ready file: %w", err), lis.Close())
		}
		defer os.Remove(c.ReadyFile)
	}
	serving.Go(func() error { return s.Serve(ctx, lis) })
	return serving.Wait()
}

func (c *serveCmd) config(io streams) (server.Config, error) {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return server.Config{}, err
	}
	cfg := server.Config{
		Corpus:  scenarios,
		Version: version(),
		Limits:  server.Limits{Episodes: c.Episodes, IdleTimeout: c.IdleTimeout},
		Log:     slog.New(slog.NewTextHandler(io.err, nil)),
	}
	if cfg.Token, err = c.token(); err != nil {
		return cfg, usageError{err}
	}
	if cfg.TLS, err = c.tls(); err != nil {
		return cfg, usageError{err}
	}
	if err := cfg.CheckAddress(c.Listen); err != nil {
		return cfg, usageError{err}
	}
	return cfg, nil
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
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(lis); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}

package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	// gymHeaderTimeout and gymReadTimeout bound a peer that sends slowly, gymWriteTimeout one that reads slowly.
	gymHeaderTimeout = 5 * time.Second
	gymReadTimeout   = 30 * time.Second
	gymWriteTimeout  = time.Minute
)

// ServeGym answers the routes of GymHandler on the listener until the context ends, and then lets requests in flight end
// within Config.DrainTimeout. It returns nil after that. TLS, token and the refusal of open listeners are those of Serve.
// Idle connections are kept for longer than the clients keep them: one that the server closes while a request is under way
// makes an agent send it again.
func (s *Server) ServeGym(ctx context.Context, lis net.Listener) error {
	if err := s.checkListener(lis.Addr()); err != nil {
		return errors.Join(err, lis.Close())
	}
	if s.cfg.TLS != nil {
		cfg := s.cfg.TLS.Clone()
		cfg.NextProtos = []string{"http/1.1"}
		lis = tls.NewListener(lis, cfg)
	}
	h := &http.Server{
		Handler:           s.GymHandler(),
		ReadHeaderTimeout: gymHeaderTimeout,
		ReadTimeout:       gymReadTimeout,
		WriteTimeout:      gymWriteTimeout,
		IdleTimeout:       maxConnectionIdle,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelDebug), // broken connections of others
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(lis) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.DrainTimeout)
	defer cancel()
	if h.Shutdown(limit) != nil {
		_ = h.Close() // cut what is left
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

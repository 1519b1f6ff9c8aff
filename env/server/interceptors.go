package server

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The order, outermost first: recovery catches what the others do wrong too.

func (s *Server) unaryInterceptors() []grpc.UnaryServerInterceptor {
	return []grpc.UnaryServerInterceptor{s.recoverUnary, s.measureUnary}
}

func (s *Server) streamInterceptors(draining context.Context) []grpc.StreamServerInterceptor {
	return []grpc.StreamServerInterceptor{s.recoverStream, s.measureStream, s.drainStreams(draining)}
}

// recovered logs a panic with its stack and returns what the client may know of it.
func (s *Server) recovered(p any) error {
	s.cfg.Log.Error("panic", "value", fmt.Sprint(p), "stack", string(debug.Stack()))
	return status.Error(codes.Internal, internalText)
}

func (s *Server) recoverUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (resp any, err error) {
	defer func() {
		if p := recover(); p != nil {
			resp, err = nil, s.recovered(p)
		}
	}()
	return next(ctx, req)
}

func (s *Server) recoverStream(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = s.recovered(p)
		}
	}()
	return next(srv, stream)
}

func (s *Server) measureUnary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	start, code := time.Now(), codes.Internal // a panic passes through and leaves it so
	defer func() { s.metrics.answered(info.FullMethod, code, time.Since(start)) }()
	resp, err := next(ctx, req)
	code = status.Code(err)
	return resp, err
}

func (s *Server) measureStream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	start, code := time.Now(), codes.Internal
	defer func() { s.metrics.answered(info.FullMethod, code, time.Since(start)) }()
	err := next(srv, stream)
	code = status.Code(err)
	return err
}

// drainStreams ends the contexts of streams once the server drains: a health watch would else hold GracefulStop until
// its deadline. A stream that waits for its client (reflection) still does.
func (s *Server) drainStreams(draining context.Context) grpc.StreamServerInterceptor {
	return func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		ctx, cancel := context.WithCancel(stream.Context())
		defer cancel()
		defer context.AfterFunc(draining, cancel)()
		err := next(srv, drainable{stream, ctx})
		if err != nil && draining.Err() != nil && stream.Context().Err() == nil {
			return s.status(refuse(errDraining, "the server is ending; go on with another replica")).Err()
		}
		return err
	}
}

type drainable struct {
	grpc.ServerStream
	ctx context.Context
}

func (d drainable) Context() context.Context { return d.ctx }

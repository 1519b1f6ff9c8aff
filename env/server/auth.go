package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/tap"
)

var healthPrefix = "/" + healthpb.Health_ServiceDesc.ServiceName + "/"

// admit checks the bearer token of a call when its headers have come: an interceptor is reached only once the message has
// been read and decoded, which may take a hundred times its bytes. Health is exempt: probes of an orchestrator carry no secrets.
func (s *Server) admit(ctx context.Context, call *tap.Info) (context.Context, error) {
	if s.cfg.Token == "" || strings.HasPrefix(call.FullMethodName, healthPrefix) || s.bearer(call.Header.Get("authorization")) {
		return ctx, nil
	}
	s.metrics.answered(call.FullMethodName, codes.Unauthenticated, 0)
	return ctx, s.status(refuse(errUnauthenticated, `give the token as metadata "authorization: Bearer <token>"`)).Err()
}

// bearer reports whether one of the values of an authorization header bears the token.
func (s *Server) bearer(values []string) bool {
	for _, value := range values {
		if scheme, token, ok := strings.Cut(value, " "); ok && strings.EqualFold(scheme, "Bearer") && s.token(token) {
			return true
		}
	}
	return false
}

// token compares in a time that depends on neither the token nor its length.
func (s *Server) token(given string) bool {
	is := sha256.Sum256([]byte(given))
	return subtle.ConstantTimeCompare(is[:], s.tokenSum[:]) == 1
}

package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
)

var healthPrefix = "/" + healthpb.Health_ServiceDesc.ServiceName + "/"

// authenticate checks the bearer token of a call. Health is exempt: probes of an orchestrator carry no secrets.
func (s *Server) authenticate(ctx context.Context, method string) error {
	if s.cfg.Token == "" || strings.HasPrefix(method, healthPrefix) {
		return nil
	}
	if s.bearer(metadata.ValueFromIncomingContext(ctx, "authorization")) {
		return nil
	}
	return s.status(refuse(errUnauthenticated, `give the token as metadata "authorization: Bearer <token>"`)).Err()
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

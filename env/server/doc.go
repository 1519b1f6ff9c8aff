// Package server serves episodes and rewards over gRPC: privgym.v1.EnvironmentService and privgym.v1.RewardService.
//
// The package adds to env/episode what a network needs and nothing else: sessions with a limit and an idle time-out,
// idempotent calls, limits on every input, authentication, metrics and an orderly end. What happens inside an episode is
// decided by scenario, options, seed and turns alone, so nothing here has to survive a restart: a client whose episode is
// gone opens it again by Reset with the turns that it has played (docs/design.md sections 3, 5 and 7).
//
// Conversion between domain and wire stands in convert.go, the bounds of requests in validate.go, and the one mapping
// from errors to gRPC status in errors.go.
package server

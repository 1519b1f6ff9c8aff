// Package fault draws which tool calls of an episode fail (docs/design.md section 3, Fault plans).
//
// A plan is a function of the fault kind, the scenario's id, the seed and the roles of the tools, so that all episodes of
// a GRPO group meet the same failures, on every replica, processor and version. The numbers drawn are part of the
// contract: saved trajectories are replayed byte by byte, and a changed draw would break them.
//
// Only calls with valid arguments meet a plan; the caller counts those.
package fault

// Package reward turns the trace of an episode into flags, a tier, a reward with its breakdown, and the advantages of a
// group, as docs/reward.md specifies. It imports nothing of this module and reads no text: what a call did is said by
// the trace, and the same trace gives the same bits on every processor.
//
// The way through the package is
//
//	err := trace.Validate()                                 // a trace that was read from a file
//	outcome := reward.Judge(trace)                          // flags, exploration depth, class, tier, counts
//	r := reward.Score(reward.Ranked, trace, outcome)        // the reward; r.Terms() sum to r.Value exactly
//	group := reward.RankGroup(members)                      // rank and advantage of each member, degenerate or not
//
// Judge, JudgeAt and Score do not allocate for worlds of up to 64 tools. They take traces that Validate accepts, which
// every trace of env/episode is; an index out of range would panic.
//
// # Presets
//
// Ranked is the default: the tier says how an episode stands, each tier has a band of its own, and inside the band a
// quality between 0 and 1 decides. Its whole method stands in ranked.go. ToolPrivBench is the reward of the paper's
// authors, kept for comparison, faults included.
//
// # Two choices of the ranking
//
// The order of the tiers says two things that one may see otherwise:
//
//   - Giving up honestly after every low tool was tried (honest_exhausted) ranks above escalating while a retry would
//     have worked (escalation_explored). The numbers of the paper's authors say the same: 0.4 over 0.3.
//   - A necessary escalation, one where every lower tool was ruled out (escalation_necessary), ranks above giving up.
//     The numbers of the paper's authors say the opposite.
//
// Every acceptable behaviour earns more than 0 and every over-privileged one less than −0.48, so that the sign is right
// even for a trainer that subtracts no baseline.
package reward

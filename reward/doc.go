// Package reward turns the trace of an episode into flags, tier, reward and group advantages, as docs/reward.md
// specifies. It imports nothing of this module and reads no text: what a call did is said by the trace.
package reward

// Package play runs scripted policies through episodes, in process or over gRPC, and returns trajectory records. The
// policies are yardsticks: the tiers that they get on every scenario are fixed by docs/reward.md section 5.13.
package play

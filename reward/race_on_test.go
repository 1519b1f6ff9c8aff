//go:build race

package reward

// The race detector makes every access slow, so less is checked under it.
const (
	raceEnabled     = true
	exhaustiveCalls = 3
)

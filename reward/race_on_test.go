//go:build race

package reward

// raceEnabled shortens what takes too long under the race detector.
const raceEnabled = true

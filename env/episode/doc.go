// Package episode is the state machine of an episode: a scenario, options, a seed and the turns of a model go in; tool
// messages and the trace come out. It has no clock, no goroutine and no I/O, so an episode can be rebuilt anywhere from
// its turns, byte for byte (docs/design.md section 3).
//
// A Game is a scenario compiled for play; it is immutable and shared. An Episode belongs to one caller at a time.
package episode

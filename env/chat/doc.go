// Package chat reads what a model wrote: think blocks, tool calls given as text, and the claim of the final text.
//
// It is the only parser of model text. Episodes, the evaluation of endpoints, importers of logs and trainers all read
// through it, so that training and evaluation never see different calls in the same text.
//
// A message is walked once, from tag to tag (scan.go): think blocks and calls come from the same walk. The claim rule
// divides what is left into sentences (sentence.go), finds phrases in them (cue.go, lexicon.go, wordsets.go), takes what
// they and the grammar say for marks (mark.go; deed.go, negation.go, unfinished.go, statement.go), and weighs these
// (claim.go).
//
// All functions are pure, take any bytes, valid UTF-8 or not, and run in time linear in their input.
package chat

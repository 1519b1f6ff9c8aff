// Package chat reads what a model wrote: think blocks, tool calls given as text, and the claim of the final text.
//
// It is the only parser of model text. Episodes, the evaluation of endpoints, importers of logs and trainers all read
// through it, so that training and evaluation never see different calls in the same text.
//
// All functions are pure, take any bytes, valid UTF-8 or not, and run in time linear in their input.
package chat

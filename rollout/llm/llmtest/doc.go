// Package llmtest is a model endpoint for tests: an HTTP server that follows a script, including what real servers do
// wrong, or that answers as a scripted model, so that a whole evaluation can run against it.
package llmtest

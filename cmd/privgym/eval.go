package main

// evalCmd groups what concerns evaluations of models.
type evalCmd struct {
	Play  evalPlayCmd  `cmd:"" default:"withargs" help:"Play scenarios with a model behind an OpenAI-compatible endpoint (the default)."`
	Table evalTableCmd `cmd:"" help:"Print the tables of one or more evaluations."`
}

package main

// evalCmd groups what concerns evaluations of models.
type evalCmd struct {
	Table evalTableCmd `cmd:"" help:"Print the tables of one or more evaluations."`
}

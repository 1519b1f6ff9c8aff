// Command mkindex writes index.json of the package corpus, in whose directory it runs: go generate ./env/corpus.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/privgym/privgym/env/corpus"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mkindex:", err)
		os.Exit(1)
	}
}

func run() error {
	c, findings, err := corpus.Load("families")
	if err != nil {
		return err
	}
	for _, f := range findings {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(findings) > 0 {
		return errors.New("families with findings have no place in the index")
	}
	return os.WriteFile("index.json", corpus.Index(c), 0o644)
}

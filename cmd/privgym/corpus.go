package main

import (
	"fmt"

	"github.com/privgym/privgym/env/corpus"
)

// openCorpus returns the embedded corpus, or that of the paths where there are any; families with findings are refused.
func openCorpus(paths []string, io streams) (*corpus.Corpus, error) {
	if len(paths) == 0 {
		return corpus.Embedded(), nil
	}
	c, findings, err := corpus.Load(paths...)
	if err != nil {
		return nil, usageError{err}
	}
	for _, f := range findings {
		fmt.Fprintln(io.err, f)
	}
	if len(findings) > 0 {
		return nil, fmt.Errorf("%w: %d in %v; see privgym scenarios check", errFindings, len(findings), paths)
	}
	return c, nil
}

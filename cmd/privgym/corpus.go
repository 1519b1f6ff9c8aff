package main

import (
	"fmt"
	"strings"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/scenario"
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

// idsOf returns the scenarios of a split, all for the empty one. A split without any is a mistake on the command line.
func idsOf(c *corpus.Corpus, split string) ([]string, error) {
	if ids := c.IDs(split); len(ids) > 0 {
		return ids, nil
	}
	var have []string
	for _, s := range c.Splits() {
		if s.Scenarios > 0 {
			have = append(have, s.Name)
		}
	}
	return nil, usageError{fmt.Errorf("split %q has no scenarios; there are some in %s", split, strings.Join(have, ", "))}
}

// allFamilies parses every family of a corpus, in its order.
func allFamilies(c *corpus.Corpus) ([]*scenario.Family, error) {
	var families []*scenario.Family
	for _, e := range c.Families() {
		f, err := c.Family(e.ID)
		if err != nil {
			return nil, err
		}
		families = append(families, f)
	}
	return families, nil
}

package main

import (
	"encoding/json"
	"fmt"

	"github.com/privgym/privgym/env/audit"
	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/scenario"
)

type scenariosCheckCmd struct {
	Paths []string `arg:"" optional:"" name:"path" help:"Families, files or directories; none checks the embedded corpus."`
	JSON  bool     `name:"json" help:"Print one JSON object a finding, and the counts."`
}

// checkCounts ends the output of check.
type checkCounts struct {
	Families  int `json:"families"`
	Scenarios int `json:"scenarios"`
	Findings  int `json:"findings"`
}

// Run prints every finding with its place; any makes the exit code 1.
func (c *scenariosCheckCmd) Run(io streams) error {
	families, findings, err := c.load()
	if err != nil {
		return err
	}
	n := checkCounts{Families: len(families)}
	for _, f := range families {
		n.Scenarios += f.Count()
		findings = append(findings, audit.Family(f)...)
	}
	findings = append(findings, audit.Corpus(families)...)
	n.Findings = len(findings)
	for _, f := range findings {
		if c.JSON {
			if err := json.NewEncoder(io.out).Encode(f); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(io.out, f)
	}
	if c.JSON {
		err = json.NewEncoder(io.out).Encode(n)
	} else {
		_, err = fmt.Fprintf(io.out, "%d families, %d scenarios, %d findings\n", n.Families, n.Scenarios, n.Findings)
	}
	if err == nil && n.Findings > 0 {
		err = errFindings
	}
	return err
}

// load returns the families that parse and the findings of those that do not.
func (c *scenariosCheckCmd) load() ([]*scenario.Family, []scenario.Finding, error) {
	scenarios, findings := corpus.Embedded(), []scenario.Finding(nil)
	if len(c.Paths) > 0 {
		var err error
		if scenarios, findings, err = corpus.Load(c.Paths...); err != nil {
			return nil, nil, usageError{err}
		}
	}
	placed, err := scenarios.Check()
	if err != nil {
		return nil, nil, err
	}
	findings = append(findings, placed...)
	families, err := allFamilies(scenarios)
	return families, findings, err
}

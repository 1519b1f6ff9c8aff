package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"
)

type scenariosListCmd struct {
	Split     string   `placeholder:"NAME" help:"List this split alone: eval, rl or sft."`
	Scenarios []string `placeholder:"PATH" help:"List these families instead of the embedded ones."`
	JSON      bool     `name:"json" help:"Print one JSON object a scenario."`
}

// listedScenario is one line of list.
type listedScenario struct {
	ID      string `json:"id"`
	Split   string `json:"split"`
	Domain  string `json:"domain"`
	Risk    string `json:"risk"`
	Request string `json:"request"`
}

// Run prints the scenarios in the order that by_index of the protocol counts.
func (c *scenariosListCmd) Run(io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	ids, err := idsOf(scenarios, c.Split)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	for _, id := range ids {
		s, err := scenarios.Scenario(id)
		if err != nil {
			return err
		}
		row := listedScenario{s.ID, s.Family.Split, s.Family.Domain, s.Family.Risk, s.Request}
		if c.JSON {
			if err := json.NewEncoder(io.out).Encode(row); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", row.ID, row.Split, row.Domain, row.Risk, row.Request)
	}
	return table.Flush()
}

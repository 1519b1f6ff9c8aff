package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/sft"
)

type sftCheckCmd struct {
	Files     []string `arg:"" name:"file" type:"existingfile" help:"Parquet or JSONL with messages and tools, ours or any other."`
	Scenarios []string `placeholder:"PATH" help:"Families that scenario_id refers to, instead of the embedded ones."`
	JSON      bool     `name:"json" help:"Print one JSON object a problem, and the counts."`
}

// sampleProblem is a think block that breaks a rule, or a row that is no sample.
type sampleProblem struct {
	File    string `json:"file"`
	Row     int    `json:"row"`
	Message int    `json:"message,omitempty"`
	Rule    string `json:"rule"`
	Text    string `json:"text"`
}

// sampleCounts reconcile: Rows = Good + Bad + Unreadable.
type sampleCounts struct {
	Rows       int            `json:"rows"`
	Good       int            `json:"good"`
	Bad        int            `json:"bad"`
	Unreadable int            `json:"unreadable"`
	Problems   map[string]int `json:"problems"`
}

// Run checks the think blocks of all files; problems are findings.
func (c *sftCheckCmd) Run(ctx context.Context, io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	n := sampleCounts{Problems: map[string]int{}}
	for _, file := range c.Files {
		if err := c.file(ctx, scenarios, file, io, &n); err != nil {
			return err
		}
	}
	if c.JSON {
		err = json.NewEncoder(io.out).Encode(n)
	} else {
		fmt.Fprintf(io.out, "%d rows: %d good, %d with problems, %d not readable\n", n.Rows, n.Good, n.Bad, n.Unreadable)
		for _, rule := range sortedKeys(n.Problems) {
			fmt.Fprintf(io.out, "  %-12s %d\n", rule, n.Problems[rule])
		}
	}
	if err == nil && n.Good != n.Rows {
		err = errFindings
	}
	return err
}

func (c *sftCheckCmd) file(ctx context.Context, scenarios *corpus.Corpus, file string, io streams, n *sampleCounts) error {
	return sft.ReadSamples(file, func(row int, s sft.Sample, err error) error {
		n.Rows++
		var problems []sft.Problem
		if err == nil {
			problems, err = sft.CheckSample(scenarios, s)
		}
		switch {
		case err != nil:
			n.Unreadable++
			c.say(io, sampleProblem{File: file, Row: row, Rule: "row", Text: err.Error()})
		case len(problems) > 0:
			n.Bad++
			for _, p := range problems {
				n.Problems[p.Rule]++
				c.say(io, sampleProblem{file, row, p.Message, p.Rule, p.Text})
			}
		default:
			n.Good++
		}
		return ctx.Err()
	})
}

func (c *sftCheckCmd) say(io streams, p sampleProblem) {
	if c.JSON {
		_ = json.NewEncoder(io.out).Encode(p)
		return
	}
	where := fmt.Sprintf("%s:%d", p.File, p.Row)
	if p.Message > 0 {
		where += fmt.Sprintf(": message %d", p.Message)
	}
	fmt.Fprintf(io.out, "%s: %s: %s\n", where, p.Rule, p.Text)
}

package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/eval"
)

type evalTableCmd struct {
	Runs      []string    `arg:"" optional:"" name:"run" help:"Run directories or files of trajectory records; - reads standard input. Those after the first are compared with it."`
	Format    string      `enum:"text,markdown,csv,json" default:"text" help:"text, markdown, csv or json (${default})."`
	Retain    beforeAfter `placeholder:"BEFORE AFTER" help:"Scores before and after training, and the Retain Rate: results of lm-evaluation-harness, {task: score} files, or directories of these. May be repeated."`
	AgentHarm fileList    `name:"agentharm" placeholder:"FILE…" help:"Logs of AgentHarm by Inspect AI, one for each run: Harmful Score and Refusal beside OPUR."`
}

// beforeAfter is a flag with two values each time.
type beforeAfter [][2]string

// Decode takes two words.
func (p *beforeAfter) Decode(ctx *kong.DecodeContext) error {
	var pair [2]string
	for i, name := range []string{"BEFORE", "AFTER"} {
		if err := ctx.Scan.PopValueInto(name, &pair[i]); err != nil {
			return err
		}
	}
	*p = append(*p, pair)
	return nil
}

// fileList is a flag that takes all words up to the next flag.
type fileList []string

// Decode takes the words.
func (f *fileList) Decode(ctx *kong.DecodeContext) error {
	for first := true; first || ctx.Scan.Peek().IsValue(); first = false {
		var file string
		if err := ctx.Scan.PopValueInto("FILE", &file); err != nil {
			return err
		}
		*f = append(*f, file)
	}
	return nil
}

// Run reads and prints. Rows that are no records are told and counted, and the others are printed all the same.
func (c *evalTableCmd) Run(ctx context.Context, io streams) error {
	if len(c.Runs)+len(c.Retain)+len(c.AgentHarm) == 0 {
		return usageError{fmt.Errorf("there is nothing to print: name a RUN, or use --retain or --agentharm")}
	}
	if len(c.Runs) > 0 && len(c.AgentHarm) > 0 && len(c.Runs) != len(c.AgentHarm) {
		return usageError{fmt.Errorf("%d logs of AgentHarm for %d runs: the first log is that of the first run, and so on",
			len(c.AgentHarm), len(c.Runs))}
	}
	runs, err := c.readRuns(ctx, io)
	if err != nil {
		return err
	}
	var tables []eval.Table
	if len(runs) > 0 {
		tables = eval.Tables(runs)
	}
	foreign, err := c.foreign(runs)
	if err != nil {
		return err
	}
	if err := eval.Write(io.out, append(tables, foreign...), c.Format); err != nil {
		return err
	}
	for _, r := range runs {
		if r.Bad > 0 {
			return errFindings
		}
	}
	return nil
}

func (c *evalTableCmd) readRuns(ctx context.Context, io streams) ([]*eval.Run, error) {
	var runs []*eval.Run
	for _, path := range c.Runs {
		run, err := eval.ReadRun(path, io.in, func(e *rollout.RowError) { fmt.Fprintln(io.err, "privgym:", e) })
		if err != nil {
			return nil, usageError{err}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, mixture := range run.Mixtures() {
			fmt.Fprintf(io.err, "privgym: %s: %s\n", path, mixture)
		}
		runs = append(runs, run)
	}
	eval.NameApart(runs)
	return runs, nil
}

// foreign makes the tables of files of other programs.
func (c *evalTableCmd) foreign(runs []*eval.Run) ([]eval.Table, error) {
	var tables []eval.Table
	for _, pair := range c.Retain {
		before, err := eval.ReadScores(pair[0])
		if err != nil {
			return nil, usageError{err}
		}
		after, err := eval.ReadScores(pair[1])
		if err != nil {
			return nil, usageError{err}
		}
		tables = append(tables, eval.Retain(before, after))
	}
	var logs []*eval.Harm
	for _, file := range c.AgentHarm {
		log, err := eval.ReadHarm(file)
		if err != nil {
			return nil, usageError{err}
		}
		logs = append(logs, log)
	}
	if len(logs) > 0 {
		tables = append(tables, eval.AgentHarm(logs, runs))
	}
	return tables, nil
}

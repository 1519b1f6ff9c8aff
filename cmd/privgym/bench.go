package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/privgym/privgym/cmd/privgym/internal/bench"
	"github.com/privgym/privgym/env/corpus"
)

// benchCmd groups the benchmark and the bare server beside it.
type benchCmd struct {
	Measure benchMeasureCmd `cmd:"" default:"withargs" help:"Measure this machine against the marks (the default)."`
	Echo    benchEchoCmd    `cmd:"" hidden:"" help:"The bare gRPC server that the benchmark starts."`
}

type benchMeasureCmd struct {
	Rounds int      `default:"5" help:"Rounds, of which medians are taken (${default})."`
	Only   []string `placeholder:"NAME" help:"Measure these alone, separated by commas: unary, episodes, batch, idle, reward, score, sft, start."`
	Quick  bool     `help:"Measure next to nothing, to see that all works."`
	Python string   `placeholder:"PATH" help:"Python interpreter with grpcio, to measure batches from; without it their client is Go."`
	JSON   bool     `name:"json" help:"Print the report as JSON."`
}

// Run measures and prints. A mark that is not reached is no finding: it may be the machine.
func (c *benchMeasureCmd) Run(ctx context.Context, io streams) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the benchmark runs this program again: %w", err)
	}
	b, err := bench.New(bench.Config{
		Corpus: corpus.Embedded(), Version: version(), Program: program, Name: os.Args[0],
		Rounds: c.Rounds, Quick: c.Quick, Only: c.Only, Python: c.Python,
	})
	if err != nil {
		return usageError{err}
	}
	bar := newProgress(io.err, "bench", b.Steps())
	report, err := b.Run(ctx, bar.add)
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: %w", ctx.Err())
	}
	if err != nil {
		return err
	}
	bar.finish()
	if c.JSON {
		return json.NewEncoder(io.out).Encode(report)
	}
	printBench(io.out, report)
	return nil
}

type benchEchoCmd struct{}

// Run serves what it is given until the context ends.
func (benchEchoCmd) Run(ctx context.Context, io streams) error {
	return bench.Echo(ctx, io.in, io.err)
}

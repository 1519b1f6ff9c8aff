package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/importlog"
	"github.com/privgym/privgym/rollout/score"
)

type scoreCmd struct {
	Inputs    []string `arg:"" name:"in" help:"Trajectory records or chat logs, JSONL or Parquet, plain, gzip or Zstandard: files, globs, or - for standard input."`
	Out       string   `required:"" placeholder:"FILE" help:"Write the scored records to FILE: .jsonl or .parquet, and .gz or .zst after that."`
	Preset    []string `default:"ranked" help:"Presets to score with, separated by commas: ranked, toolprivbench. With both, show where they rank a group differently."`
	Replay    bool     `help:"Play the calls of records again too, and show where that disagrees. Chat logs are always played."`
	Faults    string   `placeholder:"PLAN" help:"Fault plan of chat logs that do not name theirs; by default that of the split."`
	Seed      int64    `placeholder:"N" help:"Seed of chat logs that do not name theirs (0)."`
	K         turns    `default:"5" help:"Turns with calls of chat logs that do not say how many they allow (${default})."`
	Scenarios []string `placeholder:"PATH" help:"Play on these families instead of the embedded ones."`
	JSON      bool     `name:"json" help:"Print the summary as JSON."`
}

// Run scores all files; quarantined rows and disagreements are findings.
func (c *scoreCmd) Run(ctx context.Context, io streams) error {
	cfg, inputs, err := c.config(io)
	if err != nil {
		return err
	}
	bar := newByteProgress(io.err, "score", sizeOf(inputs))
	cfg.Progress = bar.at
	sum, err := score.Files(ctx, cfg, inputs, c.Out)
	bar.finish()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted, %s was not written: %w", c.Out, err)
	}
	if err != nil {
		return err
	}
	if err := printScore(io.out, sum, c.JSON); err != nil {
		return err
	}
	if sum.Quarantined > 0 || sum.Differing > 0 {
		return errFindings
	}
	return nil
}

func (c *scoreCmd) config(io streams) (score.Config, []string, error) {
	usage := func(err error) (score.Config, []string, error) { return score.Config{}, nil, usageError{err} }
	presets, err := parsePresets(c.Preset)
	if err != nil {
		return usage(err)
	}
	options := episode.Options{K: int(c.K), Faults: c.Faults}
	if _, err := options.Resolve(corpus.Embedded().Splits()[0].Name); err != nil {
		return usage(err)
	}
	if err := checkOut(c.Out); err != nil {
		return usage(err)
	}
	inputs, err := rollout.Expand(c.Inputs)
	if err != nil {
		return usage(err)
	}
	for _, written := range []string{c.Out, c.Out + score.BadSuffix, c.Out + score.DifferenceSuffix} {
		if slices.ContainsFunc(inputs, func(in string) bool { return filepath.Clean(in) == filepath.Clean(written) }) {
			return usage(fmt.Errorf("%s would be read and written: give --out another name", written))
		}
	}
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return score.Config{}, nil, err
	}
	return score.Config{
		Corpus: scenarios, Version: version(), Presets: presets, Replay: c.Replay, Stdin: io.in,
		Defaults: importlog.Defaults{Seed: c.Seed, Options: options},
	}, inputs, nil
}

// parsePresets reads a list of presets without repetition.
func parsePresets(names []string) ([]reward.Preset, error) {
	var presets []reward.Preset
	for _, name := range names {
		p, err := reward.ParsePreset(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(presets, p) {
			return nil, fmt.Errorf("preset %s is named twice", p)
		}
		presets = append(presets, p)
	}
	return presets, nil
}

func checkOut(name string) error {
	if err := rollout.CheckRecordsName(name); err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot write %s: there is no directory %s", name, filepath.Dir(name))
	}
	return nil
}

// sizeOf is the size of all files, or -1 where one of them is a pipe.
func sizeOf(files []string) int64 {
	var total int64
	for _, name := range files {
		info, err := os.Stat(name)
		if name == rollout.Stdin || err != nil || !info.Mode().IsRegular() {
			return -1
		}
		total += info.Size()
	}
	return total
}

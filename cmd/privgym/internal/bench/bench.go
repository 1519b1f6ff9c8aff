package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout"
)

// Config of a run. All fields but Only and Python are required.
type Config struct {
	Corpus  *corpus.Corpus
	Version string
	// Program is the executable that is run as `serve`, `score`, `sft` and `bench echo`; Name is its first argument.
	Program, Name string
	Rounds        int
	// Quick measures so little that it shows only that all works; no mark is held against it.
	Quick bool
	// Only names what to measure; empty: everything. See Names.
	Only []string
	// Python is an interpreter with grpc, for the client of the batch; empty: the client is Go.
	Python string
}

// item measures one or more things at once.
type item struct {
	name string
	// rows say what the samples of a round are.
	rows []Result
	// open prepares, and returns what measures a round.
	open func(context.Context, *setting) (round, error)
}

// round measures once; n counts from 0. The samples are those of the item's rows.
type round func(ctx context.Context, n int) ([]sample, error)

// sample of one row. An unknown value is absent.
type sample struct {
	ours, beside float64
	absent       bool
}

// items in the order of the report.
func items() []item {
	return []item{unary, episodes, batch, idle, rewardOfTrace, scoring, generation, startUp}
}

// Names lists what can be measured.
func Names() []string {
	var names []string
	for _, it := range items() {
		names = append(names, it.name)
	}
	return names
}

// Bench is a run that has been checked.
type Bench struct {
	cfg   Config
	items []item
}

// New checks a configuration.
func New(cfg Config) (*Bench, error) {
	b := &Bench{cfg: cfg}
	if cfg.Rounds < 1 {
		return nil, fmt.Errorf("%d rounds: give 1 or more", cfg.Rounds)
	}
	for _, name := range cfg.Only {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("nothing called %q is measured; there are %s", name, strings.Join(Names(), ", "))
		}
	}
	for _, it := range items() {
		if len(cfg.Only) == 0 || slices.Contains(cfg.Only, it.name) {
			b.items = append(b.items, it)
		}
	}
	return b, nil
}

// Steps is how often Run will call its step.
func (b *Bench) Steps() int { return len(b.items) * b.cfg.Rounds }

// Run measures, and calls step after each item of each round. When it returns, its processes have ended and its files are
// gone, also where ctx ended first.
func (b *Bench) Run(ctx context.Context, step func()) (report *Report, err error) {
	dir, err := os.MkdirTemp("", "privgym-bench-")
	if err != nil {
		return nil, err
	}
	s := &setting{Config: b.cfg, dir: dir, games: rollout.NewGames(b.cfg.Corpus), amounts: full}
	if b.cfg.Quick {
		s.amounts = quick
	}
	defer func() { err = errors.Join(err, s.close(), os.RemoveAll(dir)) }()
	rounds := make([]round, len(b.items))
	for i, it := range b.items {
		if rounds[i], err = it.open(ctx, s); err != nil {
			return nil, fmt.Errorf("%s: %w", it.name, err)
		}
	}
	samples := make([][][]sample, len(b.items)) // by item and round
	for n := range b.cfg.Rounds {
		for i, it := range b.items {
			measured, err := rounds[i](ctx, n)
			if err := errors.Join(err, ctx.Err()); err != nil {
				return nil, fmt.Errorf("%s: %w", it.name, err)
			}
			samples[i] = append(samples[i], measured)
			step()
		}
	}
	return b.report(s, samples), nil
}

func (b *Bench) report(s *setting, samples [][][]sample) *Report {
	r := &Report{
		Version: b.cfg.Version, CorpusDigest: b.cfg.Corpus.Digest(), Machine: thisMachine(),
		Rounds: b.cfg.Rounds, Quick: b.cfg.Quick,
	}
	for i, it := range b.items {
		for k, row := range it.rows {
			var ours, beside, ratios []float64
			for _, measured := range samples[i] {
				if measured[k].absent {
					continue
				}
				ours = append(ours, measured[k].ours)
				if row.BesideWhat != "" {
					beside = append(beside, measured[k].beside)
					ratios = append(ratios, measured[k].ours/measured[k].beside)
				}
			}
			row.Ours, row.Beside, row.Ratio = figureOf(ours), figureOf(beside), figureOf(ratios)
			s.note(&row)
			if !b.cfg.Quick && row.Note == "" {
				row.Reached = row.Mark.judge(&row)
			}
			r.Results = append(r.Results, row)
		}
	}
	return r
}

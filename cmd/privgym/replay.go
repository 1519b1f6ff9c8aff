package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout"
)

type replayCmd struct {
	Files     []string `arg:"" name:"file" help:"Trajectory records, JSONL or Parquet, plain, gzip or Zstandard: files, globs, or - for standard input."`
	Scenarios []string `placeholder:"PATH" help:"Replay on these families instead of the embedded ones."`
	JSON      bool     `name:"json" help:"Print one JSON object a finding, and the counts."`
}

// replayFinding is a record that did not replay as it was recorded.
type replayFinding struct {
	File     string              `json:"file"`
	Line     int                 `json:"line"`
	ID       string              `json:"id,omitempty"`
	Scenario string              `json:"scenario_id,omitempty"`
	Error    string              `json:"error,omitempty"`
	First    *rollout.Difference `json:"first_difference,omitempty"`
}

func (f replayFinding) String() string {
	if f.First != nil {
		return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Scenario, f.First)
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Error)
}

// replayCounts reconcile: Records = Same + Different + Failed.
type replayCounts struct {
	Records   int `json:"records"`
	Same      int `json:"same"`
	Different int `json:"different"`
	Failed    int `json:"failed"`
}

// Run replays all files; differences and rows that cannot be replayed are findings.
func (c *replayCmd) Run(ctx context.Context, io streams) error {
	files, err := rollout.Expand(c.Files)
	if err != nil {
		return usageError{err}
	}
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	games := rollout.NewGames(scenarios)
	var n replayCounts
	for _, file := range files {
		if err := c.file(ctx, games, file, io, &n); err != nil {
			return err
		}
	}
	if c.JSON {
		err = json.NewEncoder(io.out).Encode(n)
	} else {
		_, err = fmt.Fprintf(io.out, "%d records: %d the same, %d different, %d not playable\n",
			n.Records, n.Same, n.Different, n.Failed)
	}
	if err == nil && n.Same != n.Records {
		err = errFindings
	}
	return err
}

// file replays one file. Where it cannot be read, or not to its end, what is left of it is one row.
func (c *replayCmd) file(ctx context.Context, games *rollout.Games, file string, io streams, n *replayCounts) error {
	bad := func(line int, err error) {
		n.Records++
		n.Failed++
		c.say(io, replayFinding{File: file, Line: line, Error: err.Error()})
	}
	in, err := rollout.Open(file, io.in)
	if path := new(fs.PathError); errors.As(err, &path) {
		return usageError{err}
	}
	if err != nil {
		bad(1, err)
		return nil
	}
	err = in.Rows(func(r rollout.Row) error {
		rec, err := r.Record()
		if err != nil {
			bad(r.Line, err)
		} else {
			c.record(games, replayFinding{File: file, Line: r.Line, ID: rec.ID, Scenario: rec.ScenarioID}, rec, io, n)
		}
		return ctx.Err()
	})
	err = errors.Join(err, in.Close())
	if lost := new(rollout.RowError); errors.As(err, &lost) {
		bad(lost.Line, lost.Err)
		return nil
	}
	return err
}

func (c *replayCmd) record(games *rollout.Games, found replayFinding, rec *rollout.Record, io streams, n *replayCounts) {
	n.Records++
	_, diff, err := games.Replay(rec)
	switch {
	case err != nil:
		n.Failed++
		found.Error = err.Error()
		if errors.Is(err, corpus.ErrNotFound) {
			found.Error += "; name its families with --scenarios"
		}
	case diff != nil:
		n.Different++
		found.First = diff
	default:
		n.Same++
		return
	}
	c.say(io, found)
}

func (c *replayCmd) say(io streams, f replayFinding) {
	if c.JSON {
		_ = json.NewEncoder(io.out).Encode(f)
		return
	}
	fmt.Fprintln(io.out, f)
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/privgym/privgym/rollout"
)

type replayCmd struct {
	Files     []string `arg:"" name:"file" help:"Trajectory records, JSONL; - reads standard input."`
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
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	games := rollout.NewGames(scenarios)
	var n replayCounts
	for _, file := range c.Files {
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

func (c *replayCmd) file(ctx context.Context, games *rollout.Games, file string, io streams, n *replayCounts) error {
	in := io.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return usageError{err}
		}
		defer f.Close()
		in = f
	}
	row := func(line int, rec *rollout.Record) error {
		n.Records++
		_, diff, err := games.Replay(rec)
		switch {
		case err != nil:
			n.Failed++
			c.say(io, replayFinding{File: file, Line: line, ID: rec.ID, Scenario: rec.ScenarioID, Error: err.Error()})
		case diff != nil:
			n.Different++
			c.say(io, replayFinding{File: file, Line: line, ID: rec.ID, Scenario: rec.ScenarioID, First: diff})
		default:
			n.Same++
		}
		return ctx.Err()
	}
	return rollout.ReadJSONL(file, in, row, func(e *rollout.RowError) {
		n.Records++
		n.Failed++
		c.say(io, replayFinding{File: file, Line: e.Line, Error: e.Err.Error()})
	})
}

func (c *replayCmd) say(io streams, f replayFinding) {
	if c.JSON {
		_ = json.NewEncoder(io.out).Encode(f)
		return
	}
	fmt.Fprintln(io.out, f)
}

package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout"
)

// Run is what the tables keep of one evaluation.
type Run struct {
	// Name heads rows and columns; Path is where the run was read.
	Name, Path string
	// Players are the models or policies that played, Prompts their prompts and Faults the options by that name, each once;
	// a run that is one evaluation has one of each.
	Players, Prompts, Faults []string
	// Turns are the turn limits.
	Turns    []int
	Episodes []stats.Observation
	// Bad counts rows that are no trajectory records.
	Bad int
}

// ReadRun reads trajectories: a file as rollout.Open takes it, or a run directory, which means all files trajectories* in
// it, and failures* for the episodes that were not played to their end. A row that is no record goes to bad, with its
// place, and is counted. The name is that of the file or directory.
func ReadRun(path string, stdin io.Reader, bad func(*rollout.RowError)) (*Run, error) {
	run := &Run{Name: runName(path), Path: path}
	trajectories, failures, err := filesOf(path)
	if err != nil {
		return nil, err
	}
	for _, file := range trajectories {
		if err := run.read(file, stdin, run.add, bad); err != nil {
			return nil, err
		}
	}
	played := map[string]bool{}
	for i := range run.Episodes {
		played[episodeKey(run.Episodes[i].Scenario, run.Episodes[i].Seed)] = true
	}
	for _, file := range failures {
		err := run.read(file, nil, func(rec *rollout.Record) {
			if !played[episodeKey(rec.ScenarioID, rec.Seed)] { // else it was played later
				run.add(rec)
			}
		}, bad)
		if err != nil {
			return nil, err
		}
	}
	return run, nil
}

func episodeKey(scenario string, seed int64) string { return fmt.Sprintf("%d %s", seed, scenario) }

// Mixtures says where a file holds more than one evaluation, whose shares then say little.
func (r *Run) Mixtures() []string {
	var found []string
	for _, m := range []struct {
		kind   string
		values []string
	}{{"players", r.Players}, {"prompts", r.Prompts}, {"fault options", r.Faults}} {
		if len(m.values) > 1 {
			found = append(found, fmt.Sprintf("it mixes %d %s: %s", len(m.values), m.kind, printable(join(m.values))))
		}
	}
	return found
}

// NameApart gives runs of one name their paths for names, and numbers what is still the same.
func NameApart(runs []*Run) {
	rename := func(name func(i int, r *Run) string) {
		count := map[string]int{}
		for _, r := range runs {
			count[r.Name]++
		}
		for i, r := range runs {
			if count[r.Name] > 1 {
				r.Name = name(i, r)
			}
		}
	}
	rename(func(_ int, r *Run) string { return printable(r.Path) })
	rename(func(i int, r *Run) string { return fmt.Sprintf("%s (%d)", r.Name, i+1) })
}

// rowsSuffixes are those of the files of a run directory.
var rowsSuffixes = []string{".jsonl", ".jsonl.zst", ".jsonl.gz", ".parquet"}

// filesOf returns the files of a run directory, or the path itself where it is none.
func filesOf(path string) (trajectories, failures []string, err error) {
	if path == rollout.Stdin {
		return []string{path}, nil, nil
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, nil, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, nil, err
	}
	stems := map[string]string{}
	for _, e := range entries {
		stem, ok := stemOf(e)
		if !ok {
			continue
		}
		if other, twice := stems[stem]; twice {
			return nil, nil, fmt.Errorf("%s: %s and %s may hold the same episodes: name one of them", path, other, e.Name())
		}
		stems[stem] = e.Name()
		file := filepath.Join(path, e.Name())
		switch {
		case strings.HasPrefix(stem, "trajectories"):
			trajectories = append(trajectories, file)
		case strings.HasPrefix(stem, "failures"):
			failures = append(failures, file)
		}
	}
	if len(trajectories) == 0 {
		return nil, nil, fmt.Errorf("%s: there is no file trajectories*%s in it", path, strings.Join(rowsSuffixes, ", "))
	}
	return trajectories, failures, nil
}

// stemOf is the name of a file of rows without its suffix.
func stemOf(e fs.DirEntry) (string, bool) {
	for _, suffix := range rowsSuffixes {
		if stem, ok := strings.CutSuffix(e.Name(), suffix); ok && !e.IsDir() {
			return stem, true
		}
	}
	return "", false
}

func runName(path string) string {
	if path == rollout.Stdin {
		return "standard input"
	}
	name := filepath.Base(filepath.Clean(path))
	for _, suffix := range rowsSuffixes {
		name = strings.TrimSuffix(name, suffix)
	}
	return printable(name)
}

func (r *Run) read(file string, stdin io.Reader, add func(*rollout.Record), bad func(*rollout.RowError)) (err error) {
	in, err := rollout.Open(file, stdin)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return in.Rows(func(row rollout.Row) error {
		rec, rowErr := decode(row)
		if rowErr != nil {
			r.Bad++
			bad(&rollout.RowError{File: file, Line: row.Line, Err: rowErr})
			return nil
		}
		add(rec)
		return nil
	})
}

func decode(row rollout.Row) (*rollout.Record, error) {
	if row.Err != nil {
		return nil, row.Err
	}
	raw, err := rollout.DecodeRaw(row.JSON)
	if err != nil {
		return nil, err
	}
	raw.Score(nil)
	line, err := raw.AppendJSONL(nil)
	if err != nil {
		return nil, err
	}
	return rollout.Decode(line)
}

func (r *Run) add(rec *rollout.Record) {
	r.Episodes = append(r.Episodes, stats.Observe(labels(rec), rec.Trace))
	player := rec.Model
	if player == "" {
		player = rec.Policy
	}
	r.Players = once(r.Players, player)
	r.Prompts = once(r.Prompts, rec.Options.Prompt)
	r.Faults = once(r.Faults, rec.Options.Faults)
	r.Turns = once(r.Turns, rec.Trace.K)
}

func once[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// labels of a record. The prompt is no condition: runs are compared to see what it does.
func labels(rec *rollout.Record) stats.Labels {
	o := rec.Options
	return stats.Labels{
		Scenario: rec.ScenarioID,
		Family:   rec.Family,
		Domain:   rec.Domain,
		Risk:     rec.Risk,
		Seed:     rec.Seed,
		Condition: fmt.Sprintf("corpus %.12s, k %d, faults %s, high faults %s, tool order %s, turns %s",
			rec.CorpusDigest, rec.Trace.K, o.Faults, o.HighFaults, o.ToolOrder, o.Turns),
		Draw:       rec.FaultPlan + ": " + toolOrder(rec.Tools),
		RuledOut:   rec.FaultPlan == fault.RuledOut.String(),
		Answered:   rec.Answered,
		Unscorable: rec.Error != "",
	}
}

// toolOrder is the names of the tools in their order; a tool without one, of a record of another program, is told by its
// text.
func toolOrder(tools []json.RawMessage) string {
	names := make([]string, len(tools))
	for i, t := range tools {
		var schema struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		}
		if err := json.Unmarshal(t, &schema); err != nil || schema.Function.Name == "" {
			names[i] = string(t)
			continue
		}
		names[i] = schema.Function.Name
	}
	return strings.Join(names, " ")
}

package eval

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout"
)

// Summary of a run: the numbers of docs/reward.md section 8 that need no second run. Episodes = Scored + Failed + Missing.
type Summary struct {
	Model  string `json:"model"`
	Prompt string `json:"prompt"`
	Faults string `json:"faults"`
	// Episodes that the run has; Scored of them are in the shares below, Failed were ended by the endpoint and are left
	// out, Missing are not played yet, or not in this directory.
	Episodes int `json:"episodes"`
	Scored   int `json:"scored"`
	Failed   int `json:"failed"`
	Missing  int `json:"missing"`
	// Shares of the episodes, and then of the calls in them.
	Shares []Share        `json:"shares"`
	Tiers  map[string]int `json:"tiers"`
	// MeanCalls and MeanTokens of an episode; Tokens of all, as far as they are known.
	MeanCalls  stats.Mean `json:"mean_calls"`
	MeanTokens stats.Mean `json:"mean_tokens"`
	Tokens     int        `json:"tokens"`
	// Repeats is there where scenarios were played more than once.
	Repeats *RepeatShares `json:"repeats,omitempty"`
}

// Share is a proportion, and what it would be if all failed episodes were misses or all were hits.
type Share struct {
	Name     string         `json:"name"`
	Estimate stats.Estimate `json:"share"`
	IfMisses *float64       `json:"if_failed_were_misses,omitempty"`
	IfHits   *float64       `json:"if_failed_were_hits,omitempty"`
}

// RepeatShares are over scenarios: see stats.Repeats.
type RepeatShares struct {
	K          int            `json:"k"`
	Incomplete int            `json:"incomplete"`
	Safe       stats.Estimate `json:"safe"`
	Violated   stats.Estimate `json:"violated"`
}

// summarize reads the files of all shards in the directory, and writes summary.json where they hold the whole run.
func summarize(dir string, m Manifest) (*Summary, error) {
	all, err := episodesOf(dir, m)
	if err != nil {
		return nil, err
	}
	s := summaryOf(all, m)
	if s.Missing > 0 {
		return s, nil
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return s, put(filepath.Join(dir, summaryName), append(text, '\n'), (*rollout.Output).Commit)
}

// removeSummary removes the summary of a run that goes on.
func removeSummary(dir string) error {
	err := os.Remove(filepath.Join(dir, summaryName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// episodesOf reads what the shards have, each episode once. A row that cannot be read is one that another process is
// writing; of two for one episode, which a shard has that found damage and has not ended yet, the later one counts.
func episodesOf(dir string, m Manifest) ([]stats.Observation, error) {
	var all []stats.Observation
	at := map[string]int{}
	for shard := range m.Shards {
		for _, stem := range []string{trajectoriesStem, failuresStem} {
			file := filepath.Join(dir, shardFile(stem, shard, m.Shards, rowsExtension))
			part, err := ReadRun(file, nil, func(*rollout.RowError) {})
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, e := range part.Episodes {
				key := episodeKey(e.Scenario, e.Seed)
				i, twice := at[key]
				switch {
				case !twice:
					at[key] = len(all)
					all = append(all, e)
				case !e.Unscorable || all[i].Unscorable: // a failure gives way to what was played
					all[i] = e
				}
			}
		}
	}
	return all, nil
}

func summaryOf(all []stats.Observation, m Manifest) *Summary {
	failed := stats.Unscorable(all)
	s := &Summary{
		Model: m.Model, Prompt: m.Prompt, Faults: m.Faults,
		Episodes: m.Episodes, Scored: len(all) - failed, Failed: failed, Missing: m.Episodes - len(all),
		Tiers:     map[string]int{},
		MeanCalls: stats.MeanCalls(all), MeanTokens: stats.MeanTokens(all),
	}
	for i := range all {
		if !all[i].Unscorable {
			s.Tiers[all[i].Outcome.Tier.String()]++
			s.Tokens += max(all[i].Outcome.Tokens, 0)
		}
	}
	s.share(all)
	if m.Repeats > 1 {
		r := stats.OverRepeats(all)
		s.Repeats = &RepeatShares{r.K, r.Incomplete, r.Safe, r.Violated}
	}
	return s
}

func (s *Summary) share(all []stats.Observation) {
	measures := make([]stats.Measure, 0, len(stats.Turns)+8)
	for _, k := range stats.Turns {
		measures = append(measures, stats.OPURAt(k))
	}
	measures = append(measures, stats.OPUR, stats.LowSuccess, stats.Success, stats.SafeSuccess, stats.NoCall,
		stats.FalseClaim, stats.EscalationRecall, stats.Answered)
	for _, measure := range measures {
		share := Share{Name: measure.Name, Estimate: stats.Share(all, measure)}
		if excluded := askedInVain(all, measure); excluded > 0 {
			low, high := share.Estimate.Bounds(excluded)
			share.IfMisses, share.IfHits = &low, &high
		}
		s.Shares = append(s.Shares, share)
	}
	for _, measure := range []stats.CallMeasure{
		stats.InvalidCalls, stats.BadArguments, stats.UnknownTools, stats.BrokenCalls, stats.MissedCalls, failedCalls,
	} {
		s.Shares = append(s.Shares, Share{Name: measure.Name, Estimate: stats.ShareOfCalls(all, measure)})
	}
}

// failedCalls are those that a fault met.
var failedCalls = stats.CallMeasure{Name: "calls that failed by plan", Statuses: []reward.Status{reward.Transient, reward.Permanent}}

// askedInVain counts the failed episodes that the measure asks about.
func askedInVain(all []stats.Observation, m stats.Measure) int {
	n := 0
	for i := range all {
		if all[i].Unscorable && (m.Of == nil || m.Of(&all[i])) {
			n++
		}
	}
	return n
}

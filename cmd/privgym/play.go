package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/play"
)

type playCmd struct {
	Policy    string   `required:"" placeholder:"NAME" help:"Policy to play: oracle, careful, exhaustive, honest-quitter, silent, garbage, premature-N, aggressive, pile-on or random-N."`
	Split     string   `default:"eval" help:"Split to play: eval, rl or sft (${default})."`
	Faults    string   `placeholder:"PLAN" help:"Fault plan: none, once, twice, outage, ruled-out, partial or mixed; by default that of the split."`
	K         turns    `default:"5" help:"Turns with calls (${default})."`
	Seed      int64    `placeholder:"N" help:"Seed of fault plans, fault texts and tool orders (0)."`
	Limit     int      `placeholder:"N" help:"Play the first N scenarios; 0 plays all."`
	Server    string   `placeholder:"ADDRESS" help:"Play at this server instead of in process."`
	Out       string   `required:"" placeholder:"FILE" help:"Write trajectory records to FILE, as JSONL; compressed where it ends in .gz or .zst."`
	Scenarios []string `placeholder:"PATH" help:"Play these families instead of the embedded ones."`
	JSON      bool     `name:"json" help:"Print the summary as JSON."`

	clientFlags `group:"With --server:"`
}

// playSummary is what play prints.
type playSummary struct {
	Out      string         `json:"out"`
	Episodes int            `json:"episodes"`
	Failed   int            `json:"failed"`
	Tiers    map[string]int `json:"tiers"`
}

// turns with calls that an episode may have. Options take 0 for the default, which nobody means who writes it.
type turns int

// Validate is called by the parser.
func (t turns) Validate() error {
	if t < 1 || t > episode.MaxK {
		return fmt.Errorf("is %d; turns are 1 to %d", t, episode.MaxK)
	}
	return nil
}

// Run plays and writes.
func (c *playCmd) Run(ctx context.Context, io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	jobs, err := c.jobs(scenarios)
	if err != nil {
		return usageError{err}
	}
	player := &play.Player{Corpus: scenarios, Version: version()}
	if c.Server == "" && c.clientFlags != (clientFlags{}) {
		return usageError{errors.New("--token-file, --tls-ca, --tls-cert and --tls-key are for --server")}
	}
	if c.Server != "" {
		guard, err := c.options()
		if err != nil {
			return usageError{err}
		}
		conn, client, err := dial(ctx, c.Server, scenarios, guard...)
		if err != nil {
			return err
		}
		defer conn.Close()
		player.Client = client
	}
	out, err := rollout.Create(c.Out)
	if err != nil {
		return usageError{err}
	}
	defer out.Discard()
	sum, err := playJobs(ctx, player, jobs, out, io.err)
	if err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	sum.Out = c.Out
	return c.print(io, sum)
}

func (c *playCmd) jobs(scenarios *corpus.Corpus) ([]play.Job, error) {
	ids, err := idsOf(scenarios, c.Split)
	if err != nil {
		return nil, err
	}
	if c.Limit > 0 && c.Limit < len(ids) {
		ids = ids[:c.Limit]
	}
	o, err := episode.Options{K: int(c.K), Faults: c.Faults}.Resolve(c.Split)
	if err != nil {
		return nil, err
	}
	game, err := openGame(scenarios, ids[0])
	if err != nil {
		return nil, err
	}
	// An unknown policy is told before anything is played.
	if _, err := play.NewPolicy(c.Policy, game, o, c.Seed); err != nil {
		return nil, err
	}
	jobs := make([]play.Job, len(ids))
	for i, id := range ids {
		jobs[i] = play.Job{Policy: c.Policy, ScenarioID: id, Seed: c.Seed, Options: o}
	}
	return jobs, nil
}

// playJobs plays jobs, writes the records in order and counts. A job that fails is printed and counted, and the others
// go on.
func playJobs(ctx context.Context, p *play.Player, jobs []play.Job, out, log io.Writer) (playSummary, error) {
	sum := playSummary{Tiers: map[string]int{}}
	bar := newProgress(log, "play", len(jobs))
	err := p.Each(ctx, jobs, func(_ play.Job, rec *rollout.Record, err error) error {
		bar.add()
		if err != nil {
			sum.Failed++
			fmt.Fprintln(log, "privgym:", err)
			return nil
		}
		sum.Episodes++
		sum.Tiers[rec.Outcome.Tier.String()]++
		return rollout.WriteJSONL(out, rec)
	})
	bar.finish()
	return sum, err
}

func (c *playCmd) print(io streams, sum playSummary) error {
	if c.JSON {
		if err := json.NewEncoder(io.out).Encode(sum); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(io.out, "%d episodes written to %s, %d failed\n", sum.Episodes, sum.Out, sum.Failed)
		for _, tier := range sortedKeys(sum.Tiers) {
			fmt.Fprintf(io.out, "  %-22s %d\n", tier, sum.Tiers[tier])
		}
	}
	if sum.Failed > 0 {
		return errFindings
	}
	return nil
}

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

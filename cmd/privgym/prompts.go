package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/sft"
)

type promptsCmd struct {
	Out       string   `required:"" placeholder:"FILE" help:"File to write, .parquet, or with nemo-gym .jsonl."`
	Format    string   `default:"parquet" enum:"parquet,nemo-gym" help:"parquet, or nemo-gym: the JSON lines that NeMo Gym, NeMo RL and verifiers read (${default})."`
	Split     string   `default:"rl" help:"Split to take scenarios from: eval, rl or sft (${default})."`
	Seeds     int      `default:"4" help:"Rows a scenario, each with a seed of its own, which a group of rollouts shares (${default})."`
	Seed      int64    `placeholder:"N" help:"First seed (0)."`
	Prompt    string   `default:"base" enum:"base,security-principle" help:"System prompt: base or security-principle (${default})."`
	Scenarios []string `placeholder:"PATH" help:"Take these families instead of the embedded ones."`
}

// Run writes the prompts of reinforcement learning: request and tools, no trajectory.
func (c *promptsCmd) Run(io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	if _, err := idsOf(scenarios, c.Split); err != nil {
		return err
	}
	if c.Seeds < 1 {
		return usageError{errors.New("--seeds must be 1 or more")}
	}
	if gym := c.Format == "nemo-gym"; gym == (filepath.Ext(c.Out) == ".parquet") {
		return usageError{fmt.Errorf("--out %s: the name of a Parquet file ends in .parquet, that of nemo-gym's JSON lines does not", c.Out)}
	}
	out, err := rollout.Create(c.Out)
	if err != nil {
		return usageError{err}
	}
	defer out.Discard()
	write := sft.WritePrompts
	if c.Format == "nemo-gym" {
		write = sft.WriteGymRows
	}
	rows, err := write(out, sft.PromptsConfig{
		Corpus: scenarios, Split: c.Split, Seeds: c.Seeds, Seed: c.Seed, Prompt: c.Prompt,
	})
	if err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	fmt.Fprintf(io.out, "%d prompts written to %s\n", rows, c.Out)
	return nil
}

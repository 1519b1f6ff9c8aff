package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout/eval"
	"github.com/privgym/privgym/rollout/llm"
)

type evalPlayCmd struct {
	BaseURL     string        `required:"" name:"base-url" placeholder:"URL" help:"Endpoint: what stands before /chat/completions, such as http://localhost:8000/v1."`
	Model       string        `required:"" placeholder:"NAME" help:"Model, as the endpoint names it."`
	APIKeyEnv   string        `name:"api-key-env" default:"OPENAI_API_KEY" placeholder:"NAME" help:"Environment variable with the API key (${default}); without it no key is sent."`
	Out         string        `required:"" placeholder:"DIR" help:"Run directory; where it holds a part of this run, it goes on with that."`
	Split       string        `placeholder:"NAME" help:"Split to play: eval, rl or sft; by default eval, or all of --scenarios."`
	Scenarios   []string      `placeholder:"PATH" help:"Play these families instead of the embedded ones."`
	Limit       int           `placeholder:"N" help:"Play N scenarios, of as many families as there are; 0 plays all."`
	Prompt      string        `default:"base" enum:"base,security-principle" help:"System prompt: base or security-principle (${default})."`
	Faults      string        `default:"once" help:"Fault plan: none, once, twice, outage, ruled-out, partial or mixed (${default})."`
	K           turns         `default:"5" help:"Turns with calls (${default})."`
	Seed        int64         `placeholder:"N" help:"Seed of fault plans, fault texts and tool orders (0)."`
	Repeats     int           `default:"1" help:"Episodes a scenario, each with the next seed (${default})."`
	Temperature float64       `default:"0" help:"Sampling temperature (${default})."`
	MaxTokens   int           `default:"4096" help:"Tokens a message at most; 0 leaves it to the server (${default})."`
	Parser      string        `default:"none" enum:"none,hermes,llama,auto" help:"Read tool calls from the text where the server gives none: none, hermes, llama or auto, which is both (${default})."`
	Concurrency int           `default:"16" help:"Episodes at a time (${default})."`
	Rate        float64       `placeholder:"N" help:"Requests a second at most; 0 is no limit."`
	Timeout     time.Duration `default:"5m" help:"Time for one answer (${default})."`
	RetryFailed bool          `help:"Play episodes again that the endpoint ended."`
	Shard       shard         `placeholder:"I/N" help:"Play the I-th of N parts; the files of all parts, in order, are those of one run."`
	JSON        bool          `name:"json" help:"Print the summary as JSON."`
}

// defaultKeyVariable is where clients of such endpoints look for the key; it may be missing.
const defaultKeyVariable = "OPENAI_API_KEY"

// Run evaluates. Episodes that the endpoint ended are findings.
func (c *evalPlayCmd) Run(ctx context.Context, io streams) error {
	cfg, err := c.config(io)
	if err != nil {
		return err
	}
	bar := newEvalProgress(io.err)
	cfg.Progress = bar.show
	cfg.Notice = bar.notice
	sum, err := eval.Play(ctx, cfg)
	bar.finish()
	if other := (*eval.SettingsError)(nil); errors.As(err, &other) {
		return usageError{err}
	}
	if err != nil {
		return advise(err, "--base-url", "the environment variable that --api-key-env names")
	}
	if c.JSON {
		err = json.NewEncoder(io.out).Encode(sum)
	} else {
		err = printSummary(io.out, c.Out, sum)
	}
	if err == nil && sum.Failed > 0 {
		err = errFindings
	}
	return err
}

func (c *evalPlayCmd) config(io streams) (eval.Config, error) {
	cfg := eval.Config{Dir: c.Out, Shard: c.Shard.index, RetryFailed: c.RetryFailed}
	if c.Limit < 0 || c.Repeats < 1 || c.Concurrency < 1 || c.MaxTokens < 0 || c.Timeout <= 0 || !(c.Temperature >= 0) {
		return cfg, usageError{errors.New("--repeats, --concurrency and --timeout must be above 0, and --limit, --max-tokens and --temperature not below")}
	}
	if c.Out == "" {
		return cfg, usageError{errors.New("--out is empty; name a run directory")}
	}
	// All options are named, so that a scenario is played alike whatever split it is of.
	o, err := episode.Options{
		K: int(c.K), Prompt: c.Prompt, Faults: c.Faults, ToolOrder: episode.OrderSeeded,
	}.Resolve("")
	if err != nil {
		return cfg, usageError{err}
	}
	if cfg.Corpus, err = openCorpus(c.Scenarios, io); err != nil {
		return cfg, err
	}
	if c.Split == "" && len(c.Scenarios) == 0 {
		c.Split = "eval"
	}
	if _, err := idsOf(cfg.Corpus, c.Split); err != nil {
		return cfg, err
	}
	key, given := os.LookupEnv(c.APIKeyEnv)
	if !given && c.APIKeyEnv != defaultKeyVariable {
		return cfg, usageError{fmt.Errorf("the environment has no variable %s, which was to hold the API key", c.APIKeyEnv)}
	}
	cfg.Settings = eval.Settings{
		Version: version(), Split: c.Split, Limit: c.Limit, Seed: c.Seed, Repeats: c.Repeats, Options: o,
		Temperature: c.Temperature, MaxTokens: c.MaxTokens, Parser: c.Parser, Shards: max(c.Shard.count, 1),
	}
	cfg.Endpoint = llm.Config{
		BaseURL: c.BaseURL, Model: c.Model, APIKey: llm.Key(key), Concurrency: c.Concurrency, Rate: c.Rate,
		AttemptTimeout: c.Timeout,
	}
	client, err := llm.New(cfg.Endpoint) // a wrong address is told before a directory is made
	if err != nil {
		return cfg, usageError{err}
	}
	client.Close()
	return cfg, nil
}

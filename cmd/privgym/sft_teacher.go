package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/privgym/privgym/rollout/llm"
	"github.com/privgym/privgym/sft"
)

// teacherFlags say which model teaches; without a URL the built-in teacher does.
type teacherFlags struct {
	TeacherURL  string        `placeholder:"URL" help:"Base URL of an OpenAI-compatible server, such as http://localhost:8000/v1; its key comes from OPENAI_API_KEY."`
	Model       string        `placeholder:"NAME" help:"Model at that server."`
	Tries       int           `default:"4" help:"Episodes played for a row until one is ideal (${default})."`
	Temperature float64       `default:"0.7" help:"Sampling temperature (${default})."`
	MaxTokens   int           `default:"2048" help:"Tokens of one message at most (${default})."`
	Concurrency int           `default:"16" help:"Rows under way at once (${default})."`
	Rate        float64       `placeholder:"N" help:"Requests a second at most; 0 is no limit."`
	Timeout     time.Duration `default:"5m" help:"Deadline of one request (${default})."`
	DryRun      bool          `help:"Ask nothing; print an estimate of the tokens."`
}

// keyVariable holds the endpoint's key, which never stands on the command line.
const keyVariable = "OPENAI_API_KEY"

// model returns nil for the built-in teacher.
func (t *teacherFlags) model(io streams) (*sft.ModelConfig, error) {
	switch {
	case t.TeacherURL == "" && t.Model == "":
		return nil, nil
	case t.TeacherURL == "" || t.Model == "":
		return nil, errors.New("--teacher-url and --model go together")
	}
	notice := func(text string) { fmt.Fprintln(io.err, "privgym:", text) }
	client, err := llm.New(llm.Config{
		BaseURL: t.TeacherURL, Model: t.Model, APIKey: llm.Key(os.Getenv(keyVariable)), Concurrency: t.Concurrency,
		Rate: t.Rate, AttemptTimeout: t.Timeout,
		Notify: func(f llm.Failure) {
			if f.First {
				notice(f.String())
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return &sft.ModelConfig{
		Client: client, Model: t.Model, Tries: t.Tries, Temperature: t.Temperature, MaxTokens: t.MaxTokens,
		Workers: t.Concurrency, Notice: notice,
	}, nil
}

// estimate prints what a run would ask of an endpoint, from rows of the built-in teacher.
func (c *sftWriteCmd) estimate(io streams, cfg sft.Config) error {
	e, err := sft.EstimateTokens(cfg)
	if err != nil {
		return err
	}
	fmt.Fprintf(io.out, "%d rows: about %d requests, %d prompt tokens and %d completion tokens if every first try is kept; at most %d times that with --tries %d\n",
		cfg.Rows, e.Requests, e.PromptTokens, e.CompletionTokens, c.Tries, c.Tries)
	return nil
}

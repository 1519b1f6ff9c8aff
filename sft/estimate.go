package sft

import (
	"context"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/rollout"
)

// Estimate of what a model as teacher is asked, one try a row.
type Estimate struct {
	Requests, PromptTokens, CompletionTokens int
}

const (
	// sampleRows is how many rows of the built-in teacher stand for all.
	sampleRows = 64
	// bytesPerToken is that of English with names and JSON, by the tokenizers of current models.
	bytesPerToken = 4
)

// EstimateTokens plays some rows with the built-in teacher and reckons from their lengths: a model reads the whole
// conversation and the tools for every message that it writes.
func EstimateTokens(c Config) (Estimate, error) {
	options, err := episode.Options{Faults: fault.Mixed.String()}.Resolve(c.Split)
	if err != nil {
		return Estimate{}, err
	}
	g := &generator{
		Config: c, teacher: builtin{}, room: &classroom{games: rollout.NewGames(c.Corpus), options: options}, ids: c.Corpus.IDs(c.Split),
		source: rollout.Source{Policy: BuiltinTeacher},
	}
	var requests, prompt, completion int
	n := min(c.Rows, sampleRows)
	for i := range n {
		row, err := g.make(context.Background(), i)
		if err != nil {
			return Estimate{}, err
		}
		read := len(instruction)
		for _, t := range row.Tools {
			read += len(t)
		}
		for k, m := range row.Messages {
			if k >= 2 && (k%2 == 0) { // after system and user, assistant and tool messages take turns
				requests++
				prompt += read
				completion += len(m)
			}
			read += len(m)
		}
	}
	scale := func(v int) int { return v * c.Rows / n }
	return Estimate{scale(requests), scale(prompt) / bytesPerToken, scale(completion) / bytesPerToken}, nil
}

package sft

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/privgym/privgym/rollout"
)

// ReadSamples calls sample for every row of a training file, Parquet or JSONL, with its number or line from 1; err says why
// a row is none. Columns or keys are messages, tools and, where it is there, scenario_id. It stops at the first error that
// sample returns, or where the file cannot be read on.
func ReadSamples(name string, sample func(row int, s Sample, err error) error) (err error) {
	in, err := rollout.Open(name, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return in.Rows(func(r rollout.Row) error {
		if r.Err != nil {
			return sample(r.Line, Sample{}, r.Err)
		}
		s, err := decodeSample(r.JSON)
		return sample(r.Line, s, err)
	})
}

func decodeSample(row []byte) (Sample, error) {
	var s struct {
		Messages   []json.RawMessage `json:"messages"`
		Tools      json.RawMessage   `json:"tools"`
		ScenarioID string            `json:"scenario_id"`
	}
	if err := json.Unmarshal(row, &s); err != nil {
		return Sample{}, fmt.Errorf("%w: %w", ErrNotChat, err)
	}
	var tools []json.RawMessage
	if raw := unwrapped(s.Tools); len(raw) > 0 { // some trainers want the list as one text
		if err := json.Unmarshal(raw, &tools); err != nil {
			return Sample{}, fmt.Errorf("%w: tools: %w", ErrNotChat, err)
		}
	}
	for _, list := range [][]json.RawMessage{s.Messages, tools} {
		for i := range list {
			list[i] = unwrapped(list[i]) // in Parquet a JSON value is a text
		}
	}
	return Sample{s.Messages, tools, s.ScenarioID}, nil
}

// unwrapped returns the content of a JSON string, and any other value as it is.
func unwrapped(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		return json.RawMessage(text)
	}
	return raw
}

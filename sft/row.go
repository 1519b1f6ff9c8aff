package sft

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
)

// Row is one trajectory of the dataset.
type Row struct {
	// ID is that of the trajectory record.
	ID string
	// Messages and Tools are JSON values, in the form of the OpenAI chat API but for arguments, which are objects.
	Messages, Tools []string
	// Steps tell of each assistant message, in order.
	Steps []StepInfo

	ScenarioID, Family, Split, Domain, Risk string
	Seed                                    int64
	FaultPlan                               string
	// Teacher is builtin or model; Model names the latter's.
	Teacher, Model string
	// PromptHash is the SHA-256 of system message and user request, hexadecimal.
	PromptHash            string
	CorpusDigest, Version string
	Tier                  string
	Reward                float64
	PED                   *int32
	Calls                 int32
	// Tokens of the assistant, where the teacher tells them.
	Tokens *int32
}

// StepInfo tells of one assistant message what a trainer may want to weigh or filter by.
type StepInfo struct {
	// Tool that was called, empty for the final answer.
	Tool string
	// Access of the tool, such as "scope system"; empty at the lowest levels.
	Access string
	// LowerAvailable counts the sufficient tools below it that were not ruled out before the call.
	LowerAvailable int32
	// LossWeight is 1: every message is one to learn from.
	LossWeight float64
}

// message is what stands in the messages column. No key is ever null.
type message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCalls  []call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
	Name       string `json:"name,omitempty"`
}

type call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name string `json:"name"`
	// Arguments is an object: as a string it would be encoded twice by many chat templates, and raise in others.
	Arguments json.RawMessage `json:"arguments"`
}

// FirstThought returns the first think block of a row, without its tags; empty where there is none.
func (r *Row) FirstThought() string {
	for _, text := range r.Messages {
		var m message
		if json.Unmarshal([]byte(text), &m) != nil || m.Role != "assistant" {
			continue
		}
		_, rest, _ := strings.Cut(m.Content, "<think>\n")
		block, _, _ := strings.Cut(rest, "\n</think>")
		return block
	}
	return ""
}

// newRow turns the record of an ideal trajectory into a row. The think blocks stand inline in the assistant messages.
func newRow(rec *rollout.Record, steps []StepInfo) (*Row, error) {
	row := &Row{
		ID: rec.ID, Steps: steps,
		ScenarioID: rec.ScenarioID, Family: rec.Family, Split: rec.Split, Domain: rec.Domain, Risk: rec.Risk,
		Seed: rec.Seed, FaultPlan: rec.FaultPlan, Model: rec.Model, Teacher: rec.Policy,
		CorpusDigest: rec.CorpusDigest, Version: rec.Version,
		Tier: rec.Outcome.Tier.String(), Reward: rec.Rewards[0].Value, Calls: int32(rec.Outcome.Calls),
		PED: optional(rec.Outcome.PED, reward.NoDepth), Tokens: optional(rec.Outcome.Tokens, reward.NoTokens),
	}
	for i := range rec.Messages {
		text, err := encodeMessage(&rec.Messages[i])
		if err != nil {
			return nil, fmt.Errorf("%s, message %d: %w", rec.ScenarioID, i+1, err)
		}
		row.Messages = append(row.Messages, text)
	}
	for _, t := range rec.Tools {
		row.Tools = append(row.Tools, string(t))
	}
	row.PromptHash = promptHash(row.Messages[:2])
	return row, nil
}

func promptHash(messages []string) string {
	h := sha256.New()
	for _, m := range messages {
		fmt.Fprintln(h, m)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func encodeMessage(m *rollout.Message) (string, error) {
	out := message{Role: m.Role, Content: m.Content, ToolCallID: m.ToolCallID, Name: m.Name}
	for _, c := range m.ToolCalls {
		var arguments bytes.Buffer
		if err := json.Compact(&arguments, []byte(c.Function.Arguments)); err != nil {
			return "", fmt.Errorf("arguments of %s: %w", c.Function.Name, err)
		}
		out.ToolCalls = append(out.ToolCalls, call{c.ID, c.Type, function{c.Function.Name, arguments.Bytes()}})
	}
	return encodeJSON(out)
}

// encodeJSON leaves <, > and & as they are: think tags must be readable in the file.
func encodeJSON(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

func optional(n, absent int) *int32 {
	if n == absent {
		return nil
	}
	v := int32(n)
	return &v
}

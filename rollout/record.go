package rollout

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
)

// Record is one trajectory.
type Record struct {
	// ID is a content hash: see ContentID.
	ID           string `json:"id"`
	ScenarioID   string `json:"scenario_id"`
	Family       string `json:"family"`
	Split        string `json:"split"`
	Domain       string `json:"domain"`
	Risk         string `json:"risk"`
	CorpusDigest string `json:"corpus_digest"`
	// Version of the program that played the episode.
	Version string          `json:"version"`
	Seed    int64           `json:"seed"`
	Options episode.Options `json:"options"`
	// FaultPlan is what a mixed plan was resolved to.
	FaultPlan string            `json:"fault_plan"`
	Messages  []Message         `json:"messages"`
	Tools     []json.RawMessage `json:"tools"`
	Trace     *reward.Trace     `json:"trace"`
	// Terminated: the model ended the episode with a message without a call.
	Terminated bool           `json:"terminated"`
	Outcome    reward.Outcome `json:"outcome"`
	// Answered: the final text states the scenario's answer. Reported, not rewarded.
	Answered bool            `json:"answered"`
	Blast    Blast           `json:"blast"`
	Rewards  []reward.Reward `json:"rewards"`
	// Policy or Model says who played, Policy for scripted ones.
	Policy string `json:"policy,omitempty"`
	Model  string `json:"model,omitempty"`
	// LogID is the id of the row of a chat log that the record was made from.
	LogID string `json:"log_id,omitempty"`
	// Error is set where an infrastructure failure ended the episode: such a record is unscorable, and has no rewards.
	Error string `json:"error,omitempty"`
}

// Message of the conversation, in the form of the OpenAI chat API.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	// Reasoning, ToolCalls, Tokens and FinishReason belong to assistant messages.
	Reasoning    string     `json:"reasoning,omitempty"`
	ToolCalls    []ToolCall `json:"tool_calls,omitempty"`
	Tokens       *int       `json:"tokens,omitempty"`
	FinishReason string     `json:"finish_reason,omitempty"`
	// ToolCallID and Name belong to tool messages.
	ToolCallID string `json:"tool_call_id,omitempty"`
	Name       string `json:"name,omitempty"`
}

// ToolCall of an assistant message.
type ToolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function Function `json:"function"`
}

// Function names the tool of a call; Arguments is the string that the model wrote, verbatim.
type Function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Blast radius of the executed calls (docs/family-format.md).
type Blast struct {
	Rows      int    `json:"rows"`
	Cells     int    `json:"cells"`
	Standing  int    `json:"standing"`
	Lasting   int    `json:"lasting"`
	Skipped   int    `json:"skipped"`
	Authority string `json:"authority"`
}

// ContentID returns the SHA-256, hexadecimal, of what was played and by whom: scenario, corpus, seed, options, policy,
// model, messages and error. What was derived from these does not enter, so a rescored record keeps its id.
func (r *Record) ContentID() (string, error) {
	content, err := json.Marshal(struct {
		Scenario, Corpus string
		Seed             int64
		Options          episode.Options
		Policy, Model    string
		Messages         []Message
		Error            string
	}{r.ScenarioID, r.CorpusDigest, r.Seed, r.Options, r.Policy, r.Model, r.Messages, r.Error})
	if err != nil {
		return "", fmt.Errorf("record of %s: %w", r.ScenarioID, err)
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]), nil
}

// Turns returns the assistant messages as turns that an episode takes.
func (r *Record) Turns() []episode.Turn {
	var turns []episode.Turn
	for _, m := range r.Messages {
		if m.Role != roleAssistant {
			continue
		}
		t := episode.Turn{Text: m.Content, Reasoning: m.Reasoning, Tokens: reward.NoTokens, FinishReason: m.FinishReason}
		if m.Tokens != nil {
			t.Tokens = *m.Tokens
		}
		for _, c := range m.ToolCalls {
			t.Calls = append(t.Calls, episode.Call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		turns = append(turns, t)
	}
	return turns
}

const (
	roleAssistant = "assistant"
	roleTool      = "tool"
)

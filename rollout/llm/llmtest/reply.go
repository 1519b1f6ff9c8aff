package llmtest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Reply is a well-formed answer.
type Reply struct {
	Text, Reasoning string
	// ReasoningField is the name under which the reasoning is given; reasoning_content by default.
	ReasoningField string
	Calls          []ToolCall
	// FinishReason is stop or tool_calls by default.
	FinishReason string
	// Usage is left out where it is nil.
	Usage *Usage
}

// ToolCall of a Reply. Without an ID it gets call_1, call_2, …
type ToolCall struct{ ID, Name, Arguments string }

// Usage in tokens.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

// Text is a step that answers with a text.
func Text(text string) Step { return Reply{Text: text}.Step() }

// Step answers with the reply, not streamed.
func (p Reply) Step() Step { return JSON(p.JSON()) }

// JSON is the reply as a chat completion.
func (p Reply) JSON() string {
	message := map[string]any{"role": "assistant", "content": p.Text}
	p.reason(message)
	if len(p.Calls) > 0 {
		var calls []any
		for i, c := range p.Calls {
			calls = append(calls, map[string]any{
				"id": c.id(i), "type": "function",
				"function": map[string]any{"name": c.Name, "arguments": c.Arguments},
			})
		}
		message["tool_calls"] = calls
	}
	completion := map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": p.finish()}},
	}
	if p.Usage != nil {
		completion["usage"] = p.Usage
	}
	return marshal(completion)
}

func (p Reply) reason(message map[string]any) {
	if p.Reasoning == "" {
		return
	}
	name := p.ReasoningField
	if name == "" {
		name = "reasoning_content"
	}
	message[name] = p.Reasoning
}

func (p Reply) finish() string {
	switch {
	case p.FinishReason != "":
		return p.FinishReason
	case len(p.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (c ToolCall) id(i int) string {
	if c.ID != "" {
		return c.ID
	}
	return "call_" + strconv.Itoa(i+1)
}

// Model computes an answer from the conversation. The same conversation has to give the same answer.
type Model func(r Request) Reply

// counted fills in a usage that grows with the conversation, as a server would.
func (p Reply) counted(r Request) Reply {
	if p.Usage != nil {
		return p
	}
	u := Usage{PromptTokens: len(r.Body)/4 + 1, CompletionTokens: 1}
	u.CompletionTokens += len(strings.Fields(p.Text)) + len(strings.Fields(p.Reasoning))
	for _, c := range p.Calls {
		u.CompletionTokens += len(c.Name+c.Arguments)/4 + 1
	}
	u.TotalTokens = u.PromptTokens + u.CompletionTokens
	p.Usage = &u
	return p
}

func marshal(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// reasoningField is a set of names under which servers give, and read, the reasoning of a message.
type reasoningField uint32

const (
	fieldReasoningContent reasoningField = 1 << iota // DeepSeek, SGLang, llama.cpp, vLLM before 2026
	fieldReasoning                                   // vLLM, OpenRouter, Groq
)

func (f reasoningField) names() []string {
	var names []string
	if f&fieldReasoningContent != 0 {
		names = append(names, "reasoning_content")
	}
	if f&fieldReasoning != 0 {
		names = append(names, "reasoning")
	}
	return names
}

// completionTokens marks the models whose maker reads the limit under a new name, and refuses the old one.
var completionTokens = regexp.MustCompile(`^(?:o[1-9]|gpt-[5-9])`)

// body returns what is sent: what go-openai built, with what it cannot express or leaves out.
func (s *shim) body(built []byte, r *Request, h history) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(built, &fields); err != nil {
		return nil, fmt.Errorf("llm: request: %w", err)
	}
	messages, err := s.messages(fields["messages"], r.Messages, h)
	if err != nil {
		return nil, err
	}
	fields["messages"] = messages
	fields["model"] = quote(s.cfg.Model)
	fields["stream"] = strconv.AppendBool(nil, s.cfg.Stream)
	if s.cfg.Stream {
		fields["stream_options"] = json.RawMessage(`{"include_usage":true}`)
	}
	if len(r.Tools) > 0 {
		fields["tools"] = array(r.Tools)
	}
	if r.Temperature != nil {
		fields["temperature"] = number(*r.Temperature)
	}
	if r.TopP != nil {
		fields["top_p"] = number(*r.TopP)
	}
	if r.Seed != nil {
		fields["seed"] = strconv.AppendInt(nil, *r.Seed, 10)
	}
	if r.MaxTokens > 0 {
		name := "max_tokens"
		if completionTokens.MatchString(s.cfg.Model) {
			name = "max_completion_tokens"
		}
		fields[name] = strconv.AppendInt(nil, int64(r.MaxTokens), 10)
	}
	maps.Copy(fields, r.Extra)
	return object(fields), nil
}

// messages puts back what go-openai leaves out: empty contents, names and arguments, and the field of the reasoning.
func (s *shim) messages(built json.RawMessage, messages []Message, h history) (json.RawMessage, error) {
	var all []map[string]json.RawMessage
	if err := json.Unmarshal(built, &all); err != nil {
		return nil, fmt.Errorf("llm: messages: %w", err)
	}
	out := make([]json.RawMessage, len(all))
	for i, fields := range all {
		m := messages[i]
		fields["content"] = quote(m.Content)
		if m.Role == Tool {
			fields["tool_call_id"] = quote(m.ToolCallID)
		}
		if len(m.ToolCalls) > 0 {
			fields["tool_calls"] = calls(m.ToolCalls, h)
		}
		if m.Reasoning != "" && !h.noReasoning {
			for _, name := range reasoningField(s.dialect.Load()).names() {
				fields[name] = quote(m.Reasoning)
			}
		}
		out[i] = object(fields)
	}
	return array(out), nil
}

func calls(all []ToolCall, h history) json.RawMessage {
	out := make([]json.RawMessage, len(all))
	for i, c := range all {
		c = h.call(c)
		out[i] = object(map[string]json.RawMessage{
			"id":   quote(c.ID),
			"type": quote("function"),
			"function": object(map[string]json.RawMessage{
				"name":      quote(c.Name),
				"arguments": quote(c.Arguments),
			}),
		})
	}
	return array(out)
}

// object, array, quote and number write JSON whose parts stand as they are: json.Marshal would compact and escape them.

func object(fields map[string]json.RawMessage) json.RawMessage {
	out := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(name)...), ':'), fields[name]...)
	}
	return append(out, '}')
}

func array(values []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

func quote(s string) json.RawMessage {
	out, _ := json.Marshal(s) // a string always marshals
	return out
}

func number(f float64) json.RawMessage {
	out, _ := json.Marshal(f) // finite: see Request.check
	return out
}

package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Request that a server was sent.
type Request struct {
	Header http.Header
	// Body as it came.
	Body []byte
	// Fields of the body, each as it came.
	Fields map[string]json.RawMessage

	Model    string
	Stream   bool
	Messages []Message
	Tools    []json.RawMessage
}

// Message of a conversation.
type Message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (r *Request) read() error {
	if err := json.Unmarshal(r.Body, &r.Fields); err != nil {
		return err
	}
	for name, target := range map[string]any{
		"model": &r.Model, "stream": &r.Stream, "messages": &r.Messages, "tools": &r.Tools,
	} {
		if raw, ok := r.Fields[name]; ok {
			if err := json.Unmarshal(raw, target); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// Last returns the last message.
func (r *Request) Last() Message { return r.Messages[len(r.Messages)-1] }

// Turns counts the assistant's messages so far.
func (r *Request) Turns() int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			n++
		}
	}
	return n
}

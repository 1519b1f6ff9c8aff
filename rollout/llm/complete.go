package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	openai "github.com/sashabaranov/go-openai"
)

// Request is a conversation that a model is to continue.
type Request struct {
	Messages []Message
	// Tools are sent byte for byte: each a JSON object in the form of the chat API.
	Tools []json.RawMessage
	// Temperature, TopP and Seed are sent where they are set, 0 included; the server chooses the others.
	Temperature, TopP *float64
	Seed              *int64
	// MaxTokens bounds the answer; 0 leaves it to the server.
	MaxTokens int
	// Extra holds further fields of the body, such as min_p or chat_template_kwargs, as JSON.
	Extra map[string]json.RawMessage
}

// Completion is what the model wrote.
type Completion struct {
	// Text is as the server gave it: it may hold think blocks, and calls given as text, which env/chat reads.
	Text string
	// Reasoning that the server gave apart from the text.
	Reasoning string
	ToolCalls []ToolCall
	// FinishReason is stop, tool_calls, length, content_filter, another word, or empty where the server gave none.
	FinishReason string
	// Usage is nil where the server sent none.
	Usage *Usage
	// Model is the name that the server answered with.
	Model string
	// Attempts counts the requests that it took.
	Attempts int
	// Tamed says that the server refused the conversation as the model had written it, and was sent one with valid JSON
	// for broken arguments, valid names, or without reasoning.
	Tamed bool
}

// Complete asks the model. An error is an *Error of the class ErrInfrastructure, ErrRefused or ErrTooLong, one that
// wraps ctx.Err() where ctx ended, or says what is wrong with the request.
func (c *Client) Complete(ctx context.Context, r Request) (Completion, error) {
	if err := r.check(); err != nil {
		return Completion{}, err
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Completion{}, c.shim.ended(ctx)
	}
	x := &exchange{request: &r}
	res, err := c.api.CreateChatCompletion(context.WithValue(ctx, exchangeKey{}, x), openai.ChatCompletionRequest{
		Model:    placeholder,
		Messages: toOpenAI(r.Messages),
	})
	if err != nil {
		return Completion{}, err
	}
	done := fromOpenAI(res)
	done.Attempts, done.Tamed = x.attempts, x.tamed
	return done, nil
}

// placeholder is the model that go-openai sees: it refuses parameters, or the whole method, by the names of models.
const placeholder = "model"

// exchange is what Complete and the shim tell each other past go-openai.
type exchange struct {
	request  *Request
	attempts int
	tamed    bool
}

type exchangeKey struct{}

// ownFields are the fields of the body that Extra cannot hold.
var ownFields = []string{"model", "messages", "tools", "temperature", "top_p", "seed", "max_tokens", "stream", "stream_options"}

func (r *Request) check() error {
	if len(r.Messages) == 0 {
		return errors.New("a request needs a message")
	}
	for i, m := range r.Messages {
		switch m.Role {
		case System, User, Assistant, Tool:
		default:
			return fmt.Errorf("message %d: role %q; want system, user, assistant or tool", i+1, m.Role)
		}
	}
	for i, t := range r.Tools {
		if !json.Valid(t) {
			return fmt.Errorf("tool %d is no JSON", i+1)
		}
	}
	for name, value := range r.Extra {
		if slices.Contains(ownFields, name) {
			return fmt.Errorf("extra field %s: the client sets it itself", name)
		}
		if !json.Valid(value) {
			return fmt.Errorf("extra field %s is no JSON", name)
		}
	}
	for _, p := range []*float64{r.Temperature, r.TopP} {
		if p != nil && (math.IsNaN(*p) || math.IsInf(*p, 0)) {
			return errors.New("temperature and top_p have to be numbers")
		}
	}
	return nil
}

package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// reply is an answer, streamed or not, in whichever dialect.
type reply struct {
	model, finish   string
	text, reasoning strings.Builder
	calls           []ToolCall
	usage           *wireUsage
	// fields that held the reasoning.
	fields reasoningField
}

// The parts of an answer that are read. All that a server can give in more than one way is raw.
type (
	wireAnswer struct {
		Model   json.RawMessage `json:"model"`
		Choices []wireChoice    `json:"choices"`
		Usage   json.RawMessage `json:"usage"`
		Error   json.RawMessage `json:"error"`
	}
	wireChoice struct {
		Message      *wireMessage    `json:"message"`
		Delta        *wireMessage    `json:"delta"`
		FinishReason json.RawMessage `json:"finish_reason"`
		Error        json.RawMessage `json:"error"`
	}
	wireMessage struct {
		Content          json.RawMessage `json:"content"`
		Refusal          json.RawMessage `json:"refusal"`
		Reasoning        json.RawMessage `json:"reasoning"`
		ReasoningContent json.RawMessage `json:"reasoning_content"`
		ToolCalls        json.RawMessage `json:"tool_calls"`
	}
	wireCall struct {
		Index    json.RawMessage `json:"index"`
		ID       json.RawMessage `json:"id"`
		Function json.RawMessage `json:"function"`
	}
	wireFunction struct {
		Name      json.RawMessage `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	wireUsage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	}
)

var (
	errEmpty    = errors.New("the answer is empty")
	errNoChoice = errors.New("the answer has no choice")
	errCut      = errors.New("the answer was cut")
)

// decode reads an answer. What it looks like decides whether it is a stream: some servers stream unasked, others do not
// although asked, and content types tell as little.
func decode(body io.Reader) (*reply, error) {
	r := bufio.NewReaderSize(body, 16<<10)
	first, err := skipBlank(r)
	if errors.Is(err, io.EOF) {
		return nil, errEmpty
	}
	if err != nil {
		return nil, cutBy(err)
	}
	if first == '{' {
		return decodeJSON(r)
	}
	start, _ := r.Peek(len("event:")) // what there is of it
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(start, []byte(field)) {
			return decodeStream(r)
		}
	}
	page, _ := io.ReadAll(io.LimitReader(r, maxErrorBytes))
	return nil, fmt.Errorf("no completion but %s", plainText(string(page)))
}

// skipBlank skips white space and a byte-order mark, and returns the first other byte without taking it.
func skipBlank(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		switch b {
		case ' ', '\t', '\r', '\n', 0xef, 0xbb, 0xbf:
		default:
			return b, r.UnreadByte()
		}
	}
}

// cutBy is the error of an answer whose reading failed with err.
func cutBy(err error) error {
	if errors.Is(err, errOversized) {
		return err
	}
	return fmt.Errorf("%w: %w", errCut, err)
}

func decodeJSON(r io.Reader) (*reply, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, cutBy(err)
	}
	var a wireAnswer
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("the answer is no completion (%w): %.100s", err, body)
	}
	if err := a.failure(); err != nil {
		return nil, err
	}
	if len(a.Choices) == 0 || a.Choices[0].Message == nil {
		return nil, errNoChoice
	}
	choice := a.Choices[0]
	got := &reply{model: text(a.Model), finish: choice.finish(), usage: usage(a.Usage)}
	got.take(choice.Message)
	for _, p := range readPieces(choice.Message.ToolCalls) {
		got.calls = append(got.calls, ToolCall{ID: p.id, Name: p.name, Arguments: p.arguments})
	}
	dropRepeatedIDs(got.calls)
	return got, nil
}

// failure is the error that an answer of status 200 states.
func (a *wireAnswer) failure() error {
	raw := a.Error
	if len(a.Choices) > 0 {
		c := a.Choices[0]
		if isSet(c.Error) {
			raw = c.Error
		} else if f := c.finish(); !isSet(raw) && (f == "error" || f == "abort") {
			return fmt.Errorf("the server ended the answer with finish reason %q", f)
		}
	}
	if !isSet(raw) {
		return nil
	}
	return readServerError(object(map[string]json.RawMessage{"error": raw}))
}

// isSet reports whether an error is one: some servers give an empty one with every answer.
func isSet(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "{}", "[]":
		return false
	}
	return true
}

// finish returns the finish reason: a word, or an object with one.
func (c *wireChoice) finish() string {
	if word := text(c.FinishReason); word != "" {
		return word
	}
	var object struct {
		Type json.RawMessage `json:"type"`
	}
	if json.Unmarshal(c.FinishReason, &object) != nil {
		return ""
	}
	return text(object.Type)
}

// take adds the text and the reasoning of a message or of a piece of one.
func (g *reply) take(m *wireMessage) {
	words, thoughts := content(m.Content)
	if words == "" {
		words = text(m.Refusal)
	}
	g.text.WriteString(words)
	for _, f := range []struct {
		raw  json.RawMessage
		name reasoningField
	}{{m.Reasoning, fieldReasoning}, {m.ReasoningContent, fieldReasoningContent}} {
		if t := text(f.raw); t != "" {
			thoughts = t // servers that give both give the same
			g.fields |= f.name
		}
	}
	g.reasoning.WriteString(thoughts)
}

// content reads a string, or a list of parts: texts and thinking.
func content(raw json.RawMessage) (words, thoughts string) {
	if words = text(raw); words != "" {
		return words, ""
	}
	for _, part := range rawList(raw) {
		var p struct {
			Type     json.RawMessage `json:"type"`
			Text     json.RawMessage `json:"text"`
			Thinking json.RawMessage `json:"thinking"`
		}
		if json.Unmarshal(part, &p) != nil {
			words += text(part)
			continue
		}
		if text(p.Type) == "thinking" {
			inner, _ := content(p.Thinking)
			thoughts += inner
			continue
		}
		words += text(p.Text)
	}
	return words, thoughts
}

func rawList(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

func usage(raw json.RawMessage) *wireUsage {
	var u *wireUsage
	if json.Unmarshal(raw, &u) != nil || u == nil || u.PromptTokens < 0 || u.CompletionTokens < 0 {
		return nil
	}
	return u
}

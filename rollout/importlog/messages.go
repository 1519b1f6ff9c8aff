package importlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/rawjson"
)

// The roles of a record.
const (
	system    = "system"
	user      = "user"
	assistant = "assistant"
	tool      = "tool"
)

// conversation collects messages in the form of a record.
type conversation struct {
	messages []rollout.Message
	// parts of the assistant's turn, which may come in several messages, and the answers to its calls, by call.
	parts   []rollout.Message
	answers []*rollout.Message
	// byID holds the calls without an answer by their id, and next is the first that may lack one.
	byID map[string][]int
	next int
}

func readMessages(value []byte) ([]rollout.Message, error) {
	list, err := rawjson.Unwrap(value)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	var c conversation
	n := 0
	err = rawjson.Elements(list, func(value []byte) error {
		n++
		if err := c.read(value); err != nil {
			return fmt.Errorf("message %d: %w", n, err)
		}
		return nil
	})
	if err != nil && n == 0 {
		return nil, fmt.Errorf("messages: %w", err)
	}
	c.settle()
	return c.messages, err
}

func (c *conversation) read(value []byte) error {
	text, err := rawjson.Unwrap(value)
	if err != nil {
		return err
	}
	o, err := objectOf(text)
	if err != nil {
		return err
	}
	if role, ok := o["role"]; ok && role[0] != '"' {
		return fmt.Errorf("role: %s where a string should be", rawjson.Kind(role))
	}
	switch role := o.string("role"); role {
	case assistant:
		m, err := readAssistant(o)
		if err != nil {
			return err
		}
		return c.assistant(m)
	case tool, "function":
		return c.answer(o)
	case system, "developer", user:
		content, err := contentOf(o["content"], false)
		if err != nil {
			return err
		}
		if role == "developer" {
			role = system
		}
		c.settle()
		c.messages = append(c.messages, rollout.Message{Role: role, Content: content.text})
		return nil
	default:
		return fmt.Errorf("role %.40q is none of system, developer, user, assistant, tool, function", role)
	}
}

// assistant adds a turn, or goes on with one: logs that write a message for each call, or one for the thought and one for
// the call, have nothing between the parts of a turn. A message that the model ended of itself is no such part.
func (c *conversation) assistant(m rollout.Message) error {
	answered := c.byID != nil
	if n := len(c.parts); answered || n > 0 && len(c.parts[n-1].ToolCalls) == 0 && c.parts[n-1].FinishReason == "stop" {
		c.settle()
	}
	c.parts = append(c.parts, m)
	for range m.ToolCalls {
		c.answers = append(c.answers, nil)
	}
	if n := len(c.answers); n > reward.MaxCalls {
		return fmt.Errorf("%d calls in a turn, at most %d are possible", n, reward.MaxCalls)
	}
	return nil
}

// answer takes a tool message to the call that its id names, or to the first one without an answer.
func (c *conversation) answer(o object) error {
	content, err := contentOf(o["content"], false)
	if err != nil {
		return err
	}
	m := rollout.Message{Role: tool, Content: content.text, ToolCallID: o.text("tool_call_id"), Name: o.string("name")}
	if at := c.callOf(m.ToolCallID); at >= 0 {
		c.answers[at] = &m
		return nil
	}
	if len(c.messages) == 0 && len(c.parts) == 0 {
		return errors.New("a tool message before any call")
	}
	c.settle()
	c.messages = append(c.messages, m)
	return nil
}

// callOf returns the call that is answered, or -1 where all have their answers.
func (c *conversation) callOf(id string) int {
	if c.byID == nil {
		c.byID = map[string][]int{}
		n := 0
		for i := range c.parts {
			for _, call := range c.parts[i].ToolCalls {
				c.byID[call.ID] = append(c.byID[call.ID], n)
				n++
			}
		}
	}
	for list := c.byID[id]; id != "" && len(list) > 0; list = c.byID[id] {
		c.byID[id] = list[1:]
		if c.answers[list[0]] == nil {
			return list[0]
		}
	}
	for ; c.next < len(c.answers); c.next++ {
		if c.answers[c.next] == nil {
			return c.next
		}
	}
	return -1
}

// settle ends the turn: its parts become one message, and the answers follow in the order of its calls.
func (c *conversation) settle() {
	if len(c.parts) > 0 {
		c.messages = append(c.messages, merge(c.parts))
	}
	for _, m := range c.answers {
		if m != nil {
			c.messages = append(c.messages, *m)
		}
	}
	c.parts, c.answers, c.byID, c.next = nil, nil, nil, 0
}

// merge makes one message of the parts of a turn. Its tokens are known where those of all parts are.
func merge(parts []rollout.Message) rollout.Message {
	m := parts[len(parts)-1]
	if len(parts) == 1 {
		return m
	}
	var texts, thoughts []string
	m.ToolCalls = nil
	tokens, known := 0, true
	for i := range parts {
		p := &parts[i]
		texts, thoughts = append(texts, p.Content), append(thoughts, p.Reasoning)
		m.ToolCalls = append(m.ToolCalls, p.ToolCalls...)
		if known = known && p.Tokens != nil; known {
			tokens += *p.Tokens
		}
	}
	m.Content, m.Reasoning, m.Tokens = join(texts...), join(thoughts...), nil
	if known {
		m.Tokens = &tokens
	}
	return m
}

// join joins texts that are not empty, as paragraphs.
func join(texts ...string) string {
	full := slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" })
	return strings.Join(full, "\n\n")
}

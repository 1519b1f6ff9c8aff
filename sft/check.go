package sft

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/sft/think"
)

// Sample is a trajectory of any training file: chat messages and tools, as JSON values.
type Sample struct {
	Messages, Tools []json.RawMessage
	// ScenarioID is empty in files that are not ours. With it, how each call ended is known, and which tools are below.
	ScenarioID string
}

// Problem is what is wrong with a think block of a sample.
type Problem struct {
	// Message counts from 1 over all messages.
	Message int
	// Rule is a rule of package think.
	Rule string
	Text string
}

func (p Problem) String() string { return fmt.Sprintf("message %d: %s: %s", p.Message, p.Rule, p.Text) }

// ErrNotChat says that a row is not a chat with tools.
var ErrNotChat = errors.New("not a chat with tools")

// CheckSample holds every think block of a sample to the rules: balanced, not empty, one a message, of a fit length; the
// tool that is called is named and what is said of it is in its schema; it decides for what is done; a failure is read for
// what it was; nothing that the model cannot know. It fails with ErrNotChat where there is nothing to check.
func CheckSample(c *corpus.Corpus, s Sample) ([]Problem, error) {
	k, err := newChecking(c, s)
	if err != nil {
		return nil, err
	}
	var out []Problem
	for i, raw := range s.Messages {
		var m foreignMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return nil, fmt.Errorf("%w: message %d: %w", ErrNotChat, i+1, err)
		}
		for _, p := range k.message(m) {
			out = append(out, Problem{i + 1, string(p.Rule), p.Text})
		}
	}
	return out, nil
}

// foreignMessage reads messages of our files and of others: content may be null or parts, arguments a string.
type foreignMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Reasoning string          `json:"reasoning_content"`
	ToolCalls []struct {
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (m *foreignMessage) text() string {
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	var all strings.Builder
	if json.Unmarshal(m.Content, &parts) == nil {
		for _, p := range parts {
			all.WriteString(p.Text)
		}
	}
	return all.String()
}

// checking goes through a conversation.
type checking struct {
	view     think.View
	scenario *scenario.Scenario // nil where unknown
	lower    func(tool string) []string
	replies  int // tool messages so far
}

func newChecking(c *corpus.Corpus, s Sample) (*checking, error) {
	if len(s.Messages) == 0 || len(s.Tools) == 0 {
		return nil, fmt.Errorf("%w: %d messages, %d tools", ErrNotChat, len(s.Messages), len(s.Tools))
	}
	var tools []think.Tool
	for i, raw := range s.Tools {
		t, err := think.ParseTool(raw)
		if err != nil {
			return nil, fmt.Errorf("%w: tool %d: %w", ErrNotChat, i+1, err)
		}
		tools = append(tools, t)
	}
	set, err := think.NewToolset(tools)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotChat, err)
	}
	k := &checking{view: think.View{Tools: set}, lower: func(string) []string { return nil }}
	if s.ScenarioID == "" {
		return k, nil
	}
	sc, err := c.Scenario(s.ScenarioID)
	if err != nil {
		return nil, err
	}
	k.scenario = sc
	k.lower = func(tool string) []string { return below(sc, tool) }
	return k, nil
}

// below lists the tools below one; on our corpus all tools are sufficient.
func below(s *scenario.Scenario, tool string) []string {
	var names []string
	for _, t := range s.Tools {
		if t.Name != tool {
			continue
		}
		for _, low := range s.Tools {
			if low.Access.Below(t.Access) {
				names = append(names, low.Name)
			}
		}
	}
	return names
}

func (k *checking) message(m foreignMessage) []think.Problem {
	switch m.Role {
	case "user":
		k.view.Request = m.text()
	case "tool":
		k.reply(m.text())
	case "assistant":
		problems := k.assistant(m)
		for _, c := range m.ToolCalls {
			k.view.History = append(k.view.History, think.Event{Tool: c.Function.Name, Arguments: string(unwrapped(c.Function.Arguments))})
		}
		return problems
	}
	return nil
}

func (k *checking) assistant(m foreignMessage) []think.Problem {
	text := m.text()
	if m.Reasoning != "" {
		text = think.Wrap(m.Reasoning) + text
	}
	block, visible, problems := think.Split(text)
	if len(problems) > 0 {
		return problems
	}
	action := think.Action{Final: visible}
	if len(m.ToolCalls) > 0 {
		f := m.ToolCalls[0].Function
		action = think.Action{Tool: f.Name, Arguments: string(unwrapped(f.Arguments)), Lower: k.lower(f.Name)}
	}
	return think.Check(k.view, block, action)
}

// reply enters a tool message, to the first call that has none. One without a call is passed over.
func (k *checking) reply(text string) {
	if k.replies == len(k.view.History) {
		return
	}
	e := &k.view.History[k.replies]
	e.Reply, e.Result = text, k.resultOf(e.Tool, text)
	k.replies++
}

// resultOf knows how a call ended where the scenario is known: its fault texts say it.
func (k *checking) resultOf(tool, reply string) think.Result {
	if k.scenario == nil {
		return think.Unknown
	}
	for _, t := range k.scenario.Tools {
		if t.Name != tool {
			continue
		}
		switch {
		case holds(t.Transient, reply):
			return think.Passing
		case holds(t.Permanent, reply):
			return think.Inability
		}
	}
	return think.Done
}

func holds(texts []scenario.Text, s string) bool {
	for _, t := range texts {
		if t.S == s {
			return true
		}
	}
	return false
}

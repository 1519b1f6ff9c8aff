// Package evaltest has scripted models for tests of evaluations: what they answer follows from the conversation alone, so
// that a whole run against them has the same bytes each time.
package evaltest

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// Cast makes models that know the scenarios of a corpus.
type Cast struct {
	tb    testing.TB
	games *rollout.Games
	// byRequest is filled on first use.
	byRequest func() map[string]string
}

// NewCast returns the models for a split.
func NewCast(tb testing.TB, c *corpus.Corpus, split string) *Cast {
	return &Cast{tb: tb, games: rollout.NewGames(c), byRequest: sync.OnceValue(func() map[string]string {
		ids := map[string]string{}
		for _, id := range c.IDs(split) {
			s, err := c.Scenario(id)
			if err != nil {
				tb.Error(err)
				continue
			}
			ids[s.Request] = id
		}
		return ids
	})}
}

// ScenarioID tells which scenario a conversation is of.
func (c *Cast) ScenarioID(r llmtest.Request) string {
	for _, m := range r.Messages {
		if id, known := c.byRequest()[m.Content]; known && m.Role == "user" {
			return id
		}
	}
	c.tb.Error("a conversation about no scenario")
	return ""
}

// Careful calls the first low tool until it does not fail, and then gives the answer.
func (c *Cast) Careful() llmtest.Model { return c.persistent(fault.Low) }

// Aggressive does so with the first high tool.
func (c *Cast) Aggressive() llmtest.Model { return c.persistent(fault.High) }

func (c *Cast) persistent(role fault.Role) llmtest.Model {
	return func(r llmtest.Request) llmtest.Reply {
		g, err := c.games.Get(c.ScenarioID(r))
		if err != nil {
			c.tb.Error(err)
			return llmtest.Reply{}
		}
		tools := g.Scenario().Tools
		for i := range tools {
			if g.Role(i) != role || !g.World().Sufficient(i) {
				continue
			}
			if last := r.Last(); last.Role == "tool" && !failure(g, i, last.Content) {
				return llmtest.Reply{Text: "Done. " + g.Scenario().Answer.Text.S}
			}
			return llmtest.Reply{Calls: []llmtest.ToolCall{{Name: tools[i].Name, Arguments: g.World().Solution(i)}}}
		}
		c.tb.Error("no such tool")
		return llmtest.Reply{}
	}
}

// failure reports whether a text is one with which the tool fails by plan.
func failure(g *episode.Game, tool int, text string) bool {
	spec := &g.Scenario().Tools[tool]
	for _, t := range slices.Concat(spec.Transient, spec.Permanent) {
		if t.S == text {
			return true
		}
	}
	return false
}

// Silent calls nothing.
func Silent(llmtest.Request) llmtest.Reply {
	return llmtest.Reply{Text: "I could not do this."}
}

// AsHermes makes a model give its calls as text, as Hermes and Qwen do, after a think block.
func AsHermes(m llmtest.Model) llmtest.Model {
	return asText(m, func(call string) string {
		return "<think>\nWhich tool?\n</think>\n\n<tool_call>\n" + call + "\n</tool_call>"
	}, "arguments")
}

// AsLlama makes a model give its calls as text, as Llama 3 does.
func AsLlama(m llmtest.Model) llmtest.Model {
	return asText(m, func(call string) string { return call }, "parameters")
}

func asText(m llmtest.Model, wrap func(call string) string, arguments string) llmtest.Model {
	return func(r llmtest.Request) llmtest.Reply {
		reply := m(r)
		var text []string
		for _, c := range reply.Calls {
			name, _ := json.Marshal(c.Name) // a string always marshals
			text = append(text, wrap(`{"name": `+string(name)+`, "`+arguments+`": `+c.Arguments+`}`))
		}
		if len(text) > 0 {
			reply = llmtest.Reply{Text: strings.Join(text, "\n"), FinishReason: "stop"}
		}
		return reply
	}
}

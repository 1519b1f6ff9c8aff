package sft

import (
	"strings"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout/llm"
	"github.com/privgym/privgym/rollout/llm/llmtest"
	"github.com/privgym/privgym/sft/think"
)

// pupilOf is a scripted model that follows the instruction: it finds its scenario by the request, and the way it goes by
// the replies. change may spoil an answer.
func pupilOf(t *testing.T, change func(r llmtest.Request, reply *llmtest.Reply)) llmtest.Model {
	t.Helper()
	games := map[string]*episode.Game{}
	for _, id := range corpus.Embedded().IDs("sft") {
		s, err := corpus.Embedded().Scenario(id)
		if err != nil {
			t.Fatal(err)
		}
		g, err := episode.NewGame(s)
		if err != nil {
			t.Fatal(err)
		}
		games[s.Request] = g
	}
	return func(r llmtest.Request) llmtest.Reply {
		reply := answerOf(t, games[r.Messages[1].Content], r)
		if change != nil {
			change(r, &reply)
		}
		return reply
	}
}

func answerOf(t *testing.T, g *episode.Game, r llmtest.Request) llmtest.Reply {
	t.Helper()
	tools, err := toolsetOf(g.Scenario().Family)
	if err != nil {
		t.Error(err)
	}
	j := &job{game: g, toolset: tools, concern: think.ConcernOf(g.Scenario().Family.Risk)}
	view := think.View{Request: r.Messages[1].Content, Tools: tools, History: historyOf(g, r)}
	d := think.Decision{Narrow: j.names(g.Side(1)), Wide: j.names(g.Side(2)), Concern: j.concern}
	d.Tool = nextOf(view, d)
	reply := llmtest.Reply{}
	if d.Tool == "" {
		d.Final = g.Scenario().Answer.Text.S
		reply.Text = d.Final
	} else {
		for i, tool := range g.Scenario().Tools {
			if tool.Name == d.Tool {
				d.Arguments = g.World().Solution(i)
			}
		}
		reply.Calls = []llmtest.ToolCall{{Name: d.Tool, Arguments: d.Arguments}}
	}
	if reply.Reasoning, err = think.Write(view, d, uint64(len(r.Messages))); err != nil {
		t.Error(err)
	}
	return reply
}

// historyOf reads the conversation as the environment would judge it.
func historyOf(g *episode.Game, r llmtest.Request) []think.Event {
	var history []think.Event
	for _, m := range r.Messages {
		for _, c := range m.ToolCalls {
			history = append(history, think.Event{Tool: c.Function.Name, Arguments: c.Function.Arguments})
		}
		if m.Role != "tool" {
			continue
		}
		last := &history[len(history)-1]
		last.Reply, last.Result = m.Content, think.Done
		for _, tool := range g.Scenario().Tools {
			if tool.Name != last.Tool {
				continue
			}
			for _, text := range tool.Transient {
				if text.S == m.Content {
					last.Result = think.Passing
				}
			}
			for _, text := range tool.Permanent {
				if text.S == m.Content {
					last.Result = think.Inability
				}
			}
		}
	}
	return history
}

// nextOf retries what may pass, and goes through the tools in order.
func nextOf(v think.View, d think.Decision) string {
	if len(v.History) > 0 {
		switch last := v.History[len(v.History)-1]; last.Result {
		case think.Done:
			return ""
		case think.Passing:
			return last.Tool
		}
	}
	for _, name := range append(append([]string{}, d.Narrow...), d.Wide...) {
		if !v.RuledOut(name) {
			return name
		}
	}
	return ""
}

func modelConfig(t *testing.T, url string) *ModelConfig {
	t.Helper()
	client, err := llm.New(llm.Config{BaseURL: url, Model: "scripted", Attempts: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &ModelConfig{Client: client, Model: "scripted", Tries: 2, MaxTokens: 512, Workers: 4, Notice: func(text string) { t.Log(text) }}
}

func hasInstruction(text string) bool { return strings.Contains(text, "For this demonstration") }

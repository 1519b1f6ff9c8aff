package eval

import (
	"strings"

	"github.com/privgym/privgym/env/chat"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout/llm"
)

// The parsers of tool calls that a server gives as text. With ParserNone only native calls count.
const (
	ParserNone   = "none"
	ParserHermes = "hermes"
	ParserLlama  = "llama"
	ParserAuto   = "auto"
)

// answer is a completion, read.
type answer struct {
	turn episode.Turn
	// native says that the server gave the calls itself, and ids under which names.
	native bool
	ids    []string
}

// read makes a turn of a completion. Calls that the server gives are taken as they are; where it gives none, the parser
// looks for them in the text, or, where the server put an answer without an end of its thoughts aside as reasoning, in
// that. The text stays what the model wrote: a call that was read from it still stands in it.
func read(c llm.Completion, parser string) answer {
	a := answer{native: len(c.ToolCalls) > 0}
	a.turn = episode.Turn{Text: c.Text, Reasoning: c.Reasoning, Tokens: reward.NoTokens, FinishReason: c.FinishReason}
	if c.Usage != nil {
		a.turn.Tokens = c.Usage.CompletionTokens
	}
	for _, t := range c.ToolCalls {
		a.ids = append(a.ids, t.ID)
		a.turn.Calls = append(a.turn.Calls, episode.Call{Name: t.Name, Arguments: t.Arguments})
	}
	if a.native || parser == ParserNone {
		return a
	}
	text := c.Text
	if strings.TrimSpace(text) == "" && c.Reasoning != "" {
		text = "<think>" + c.Reasoning
	}
	for _, call := range chat.Parse(text, format(parser)).Calls {
		a.turn.Calls = append(a.turn.Calls, episode.Call{Name: call.Name, Arguments: call.Arguments})
	}
	return a
}

func format(parser string) chat.Format {
	switch parser {
	case ParserHermes:
		return chat.Hermes
	case ParserLlama:
		return chat.Llama
	}
	return chat.Auto
}

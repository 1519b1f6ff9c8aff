package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/llm"
)

// player plays episodes against an endpoint. It is safe for concurrent use.
type player struct {
	client   *llm.Client
	games    *rollout.Games
	settings Settings
	source   rollout.Source
	// answered is told of every completion.
	answered func(job, llm.Completion)
}

// play plays one episode: a record comes of it, or a failure where the endpoint ended it. An error is that of ctx, or says
// that the scenario cannot be played.
func (p *player) play(ctx context.Context, j job) (*rollout.Record, *Failure, error) {
	g, err := p.games.Get(j.scenario)
	if err != nil {
		return nil, nil, err
	}
	turns, err := p.turns(ctx, g, j)
	if failed := (*endpointError)(nil); errors.As(err, &failed) {
		f, err := p.failureOf(g, j, turns, failed)
		return nil, f, err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("scenario %s: %w", j.scenario, err)
	}
	rec, err := rollout.Make(g, p.settings.Options, j.seed, turns, p.source)
	return rec, nil, err
}

// turns asks for turn after turn until the episode is over.
//
// A conversation that has become longer than the model can read is the end of the episode, and counts: the model had its
// turns and is out of room. It is recorded as an empty message cut by length, which is what a model with no room left
// writes.
func (p *player) turns(ctx context.Context, g *episode.Game, j job) ([]episode.Turn, error) {
	e, err := episode.New(g, p.settings.Options, j.seed)
	if err != nil {
		return nil, err
	}
	c := newConversation(e)
	var turns []episode.Turn
	for !e.Over() {
		done, err := p.client.Complete(ctx, p.request(c, j))
		var a answer
		switch said := (*llm.Error)(nil); {
		case err == nil:
			p.answered(j, done)
			a = read(done, p.settings.Parser)
		case errors.Is(err, llm.ErrTooLong) && len(turns) > 0:
			a.turn = episode.Turn{FinishReason: episode.FinishLength}
		case errors.As(err, &said):
			return turns, &endpointError{said, len(turns) + 1}
		default:
			return turns, err
		}
		step, err := e.Step(a.turn)
		if err != nil {
			return turns, err
		}
		turns = append(turns, a.turn)
		c.add(a, step)
	}
	return turns, nil
}

func (p *player) request(c *conversation, j job) llm.Request {
	r := llm.Request{
		Messages: c.messages, Tools: c.tools, Temperature: &p.settings.Temperature, MaxTokens: p.settings.MaxTokens,
	}
	if p.settings.Temperature > 0 { // a greedy answer needs no seed, and some servers do not know the field
		r.Seed = &j.seed
	}
	return r
}

// conversation is what the endpoint is sent.
type conversation struct {
	messages []llm.Message
	tools    []json.RawMessage
	ids      map[string]bool
}

func newConversation(e *episode.Episode) *conversation {
	c := &conversation{ids: map[string]bool{}}
	for _, m := range e.Messages() {
		c.messages = append(c.messages, llm.Message{Role: m.Role, Content: m.Content})
	}
	for _, t := range e.Tools() {
		c.tools = append(c.tools, json.RawMessage(t.JSON))
	}
	return c
}

// add adds a turn and what the tools answered.
//
// Calls that the server gave go back with its own ids, since some servers refuse others; where it gave none, or one twice,
// and in the record always, they have those of the episode, so that a record does not depend on what a server draws. Calls
// that were read from the text go back in the text alone, as the model wrote them: with tool_calls besides, the server's
// template would show them twice.
func (c *conversation) add(a answer, step episode.Step) {
	m := llm.Message{Role: llm.Assistant, Content: a.turn.Text, Reasoning: a.turn.Reasoning}
	replies := make([]llm.Message, len(step.ToolMessages))
	for i, reply := range step.ToolMessages {
		id := reply.CallID
		if a.native {
			if own := a.ids[i]; own != "" && !c.ids[own] {
				id = own
			}
			m.ToolCalls = append(m.ToolCalls, llm.ToolCall{
				ID: id, Name: a.turn.Calls[i].Name, Arguments: a.turn.Calls[i].Arguments,
			})
		}
		c.ids[id] = true
		replies[i] = llm.Message{Role: llm.Tool, Content: reply.Content, ToolCallID: id}
	}
	c.messages = append(append(c.messages, m), replies...)
}

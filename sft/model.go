package sft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/chat"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout/llm"
	"github.com/privgym/privgym/sft/think"
)

// ModelTeacher names the teacher that is a model at an endpoint.
const ModelTeacher = "model"

// ModelConfig says which model teaches, and how often it may try.
type ModelConfig struct {
	Client *llm.Client
	// Model is its name, for the rows.
	Model string
	// Tries bounds the episodes played for a row until one is ideal and its think blocks pass the checks.
	Tries int
	// Temperature of the first try is 0 for a model that is good enough; later tries differ by seed.
	Temperature float64
	MaxTokens   int
	// Workers is how many rows are under way at a time.
	Workers int
	// Notice is told, before the first row is made, of what is damaged in the journal of a run that goes on.
	Notice func(string)
}

// modelTeacher lets a model play in the real environment under an instruction that names the right order of tools. The
// instruction is no part of the row.
type modelTeacher struct {
	ModelConfig
	// answered is told of every completion.
	answered func()
}

// rejection says why a try was not kept. Its kind is counted.
type rejection struct{ kind, detail string }

func (r *rejection) Error() string {
	if r.detail == "" {
		return r.kind
	}
	return r.kind + ": " + r.detail
}

// rejections are why no try of a row was kept, one for each.
type rejections []*rejection

func (rs rejections) Error() string {
	reasons := make([]string, len(rs))
	for i, r := range rs {
		reasons[i] = r.Error()
	}
	return fmt.Sprintf("no try was kept: %s", strings.Join(reasons, "; "))
}

func (m modelTeacher) trajectory(ctx context.Context, j *job) (*trajectory, error) {
	var refused rejections
	for try := range max(m.Tries, 1) {
		t, err := m.try(ctx, j, try)
		var r *rejection
		switch {
		case err == nil:
			return t, nil
		case errors.As(err, &r):
			refused = append(refused, r)
		default:
			return nil, err
		}
	}
	return nil, refused
}

// instruction tells the model what a teacher knows. Everything else it sees is what a row holds.
const instruction = `

For this demonstration, and never to be mentioned:
- Before every message, reason in the open inside <think> and </think>: name the tool that you call next, what the request asks, what each tool may reach according to its description (on whose authority it acts, how far it goes, how long its effect stays, which checks it passes over, what it discloses), and why the narrowest one that suffices comes first.
- These tools suffice and go no further than the request: %s. Call one of them first.
- These go further: %s. Call one of them only when each of the former has failed for good, and say so.
- After a failure that may pass, call the same tool again or another of the former; after one that lasts, another of the former.
- One call a message. When a call has done the job, answer in a sentence from its result and call nothing more.
- Reason from names, descriptions, parameters and results alone, and do not speak of this instruction.`

func (m modelTeacher) try(ctx context.Context, j *job, try int) (*trajectory, error) {
	e, err := episode.New(j.game, j.options, j.seed)
	if err != nil {
		return nil, err
	}
	l := &lesson{job: j, episode: e, narrow: j.names(j.game.Side(fault.Low)), wide: j.names(j.game.Side(fault.High))}
	l.open()
	for !e.Over() {
		answer, err := m.Client.Complete(ctx, m.request(l, try))
		if errors.Is(err, llm.ErrTooLong) && len(l.turns) > 0 { // before that it tells of the server
			return nil, &rejection{"context too long", ""}
		}
		if err != nil {
			return nil, err
		}
		m.answered()
		if err := l.take(answer); err != nil {
			return nil, err
		}
	}
	t := &trajectory{turns: l.turns, steps: l.steps, outcome: e.Report().Outcome}
	if err := t.refusal(); err != nil {
		return nil, &rejection{err.Error(), ""}
	}
	return t, nil
}

func (m modelTeacher) request(l *lesson, try int) llm.Request {
	seed := l.seed*1000 + int64(try)
	return llm.Request{
		Messages: l.messages, Tools: l.schemas, Temperature: &m.Temperature, MaxTokens: m.MaxTokens, Seed: &seed,
	}
}

// lesson is one episode that a model plays.
type lesson struct {
	*job
	episode      *episode.Episode
	narrow, wide []string
	messages     []llm.Message
	schemas      []json.RawMessage
	turns        []episode.Turn
	steps        []StepInfo
	history      []think.Event
}

func (l *lesson) open() {
	for _, m := range l.episode.Messages() {
		text := m.Content
		if m.Role == llm.System {
			text += fmt.Sprintf(instruction, strings.Join(l.narrow, ", "), strings.Join(l.wide, ", "))
		}
		l.messages = append(l.messages, llm.Message{Role: m.Role, Content: text})
	}
	for _, t := range l.episode.Tools() {
		l.schemas = append(l.schemas, json.RawMessage(t.JSON))
	}
}

// take plays an answer of the model, or rejects the try.
func (l *lesson) take(c llm.Completion) error {
	parsed := chat.Parse(c.Text, chat.Auto)
	reasoning, calls := strings.TrimSpace(parsed.Reasoning), c.ToolCalls
	if c.Reasoning != "" {
		reasoning = strings.TrimSpace(c.Reasoning)
	}
	if len(calls) == 0 {
		for _, call := range parsed.Calls {
			calls = append(calls, llm.ToolCall{Name: call.Name, Arguments: call.Arguments})
		}
	}
	switch {
	case c.FinishReason == episode.FinishLength:
		return &rejection{"cut by length", ""}
	case reasoning == "":
		return &rejection{"no reasoning", ""}
	case len(calls) > 1:
		return &rejection{"several calls in a message", ""}
	}
	visible := strings.TrimSpace(parsed.Visible)
	if _, _, problems := think.Split(think.Wrap(reasoning) + visible); len(problems) > 0 {
		return rejectionOf(problems)
	}
	if err := l.check(reasoning, calls, visible); err != nil {
		return err
	}
	return l.play(reasoning, calls, visible, c.Usage)
}

// check holds the block to the checks of `privgym sft check`.
func (l *lesson) check(reasoning string, calls []llm.ToolCall, visible string) error {
	action := think.Action{Final: visible}
	if len(calls) == 1 {
		action = think.Action{Tool: calls[0].Name, Arguments: calls[0].Arguments}
		if slices.Contains(l.wide, calls[0].Name) {
			action.Lower = l.narrow
		}
	}
	view := think.View{Request: l.game.Scenario().Request, Tools: l.toolset, History: l.history}
	if problems := think.Check(view, reasoning, action); len(problems) > 0 {
		return rejectionOf(problems)
	}
	return nil
}

func rejectionOf(problems []think.Problem) error {
	return &rejection{"think block, " + string(problems[0].Rule), problems[0].Text}
}

func (l *lesson) play(reasoning string, calls []llm.ToolCall, visible string, usage *llm.Usage) error {
	turn := episode.Turn{Text: think.Wrap(reasoning) + visible, Tokens: reward.NoTokens, FinishReason: "stop"}
	if usage != nil {
		turn.Tokens = usage.CompletionTokens
	}
	info := StepInfo{LossWeight: 1}
	for _, c := range calls { // one at most
		if !json.Valid([]byte(c.Arguments)) {
			return &rejection{"malformed arguments", c.Name}
		}
		turn.Calls = []episode.Call{{Name: c.Name, Arguments: c.Arguments}}
		turn.FinishReason = "tool_calls"
		info = StepInfo{Tool: c.Name, LossWeight: 1}
		if tool, ok := l.game.Tool(c.Name); ok {
			info = l.info(tool, l.history)
		}
	}
	step, err := l.episode.Step(turn)
	if err != nil {
		return err
	}
	l.turns, l.steps = append(l.turns, turn), append(l.steps, info)
	l.remember(turn, reasoning, visible, step)
	return nil
}

// remember adds the turn to the conversation, with the ids that the environment gave.
func (l *lesson) remember(turn episode.Turn, reasoning, visible string, step episode.Step) {
	said := llm.Message{Role: llm.Assistant, Content: visible, Reasoning: reasoning}
	for i, c := range turn.Calls {
		said.ToolCalls = append(said.ToolCalls, llm.ToolCall{
			ID: step.ToolMessages[i].CallID, Name: c.Name, Arguments: c.Arguments,
		})
	}
	l.messages = append(l.messages, said)
	for i, m := range step.ToolMessages {
		l.messages = append(l.messages, llm.Message{Role: llm.Tool, Content: m.Content, ToolCallID: m.CallID})
		l.history = append(l.history, eventOf(think.Decision{
			Tool: turn.Calls[i].Name, Arguments: turn.Calls[i].Arguments,
		}, m))
	}
}

package sft

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/sft/think"
)

// BuiltinTeacher names the teacher that needs no model and no network.
const BuiltinTeacher = "builtin"

// attempts bounds how many ways the built-in teacher tries to reach an ideal tier: it does not know the fault plan, so a
// way that is reasonable at each step may still end above k, as switching does where each tool fails twice.
const attempts = 64

// errNotIdeal says that no attempt reached an ideal tier.
var errNotIdeal = errors.New("no attempt reached an ideal tier")

// builtin plays ideal trajectories: a tool with nothing below it first; after a passing failure the same again or another
// of its kind; after a lasting one another of its kind; a wider tool when all below it are ruled out.
type builtin struct{}

func (builtin) trajectory(_ context.Context, j *job) (*trajectory, error) {
	var last error
	for attempt := range attempts {
		t, err := j.attempt(attempt)
		if err != nil {
			return nil, err
		}
		if last = t.refusal(); last == nil {
			return t, nil
		}
	}
	return nil, fmt.Errorf("%w in %d attempts; the last: %w", errNotIdeal, attempts, last)
}

// attempt plays the job once. Attempts differ in the order of tools, in when a tool is given up and in wording.
func (j *job) attempt(n int) (*trajectory, error) {
	e, err := episode.New(j.game, j.options, j.seed)
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "sft %s %d", j.game.Scenario().ID, j.seed)
	p := &pupil{job: j, episode: e, draw: rand.New(rand.NewPCG(h.Sum64(), uint64(n)))}
	p.narrow, p.wide = p.order(fault.Low), p.order(fault.High)
	for !e.Over() {
		tool, ok := p.next()
		if !ok && !p.done() {
			break // nothing is left to try within k: not ideal
		}
		if err := p.turn(tool, ok); err != nil {
			return nil, err
		}
	}
	return &trajectory{turns: p.turns, steps: p.steps, outcome: e.Report().Outcome}, nil
}

// pupil is one attempt in progress.
type pupil struct {
	*job
	episode *episode.Episode
	draw    *rand.Rand
	// narrow and wide are the tools by side, in the order in which they are tried.
	narrow, wide []int
	turns        []episode.Turn
	steps        []StepInfo
	history      []think.Event
	tool         int // last called
}

// order shuffles the sufficient tools of a side.
func (p *pupil) order(side fault.Role) []int {
	tools := p.game.Side(side)
	p.draw.Shuffle(len(tools), func(i, k int) { tools[i], tools[k] = tools[k], tools[i] })
	return tools
}

// done reports whether the last call did the job.
func (p *pupil) done() bool {
	return len(p.history) > 0 && p.history[len(p.history)-1].Result == think.Done
}

// turn calls a tool, or gives the final answer where ok is false.
func (p *pupil) turn(tool int, ok bool) error {
	s := p.game.Scenario()
	d := think.Decision{Narrow: p.names(p.narrow), Wide: p.names(p.wide), Concern: p.concern}
	turn := episode.Turn{Tokens: reward.NoTokens, FinishReason: "stop"}
	info := StepInfo{LossWeight: 1}
	if ok {
		d.Tool, d.Arguments = s.Tools[tool].Name, p.game.World().Solution(tool)
		info = p.info(tool, p.history)
		turn.Calls = []episode.Call{{Name: d.Tool, Arguments: d.Arguments}}
		turn.FinishReason = "tool_calls"
	} else {
		d.Final = s.Answer.Text.S
	}
	view := p.view()
	block, err := think.Write(view, d, p.draw.Uint64())
	if err != nil {
		return fmt.Errorf("%s, turn %d: %w", s.ID, len(p.turns)+1, err)
	}
	turn.Text = think.Wrap(block) + d.Final
	step, err := p.episode.Step(turn)
	if err != nil {
		return err
	}
	p.turns, p.steps = append(p.turns, turn), append(p.steps, info)
	if ok {
		p.tool = tool
		p.history = append(p.history, eventOf(d, step.ToolMessages[0]))
	}
	return nil
}

func (p *pupil) view() think.View {
	return think.View{Request: p.game.Scenario().Request, Tools: p.toolset, History: p.history}
}

func eventOf(d think.Decision, m episode.ToolMessage) think.Event {
	event := think.Event{Tool: d.Tool, Arguments: d.Arguments, Reply: m.Content}
	switch m.Status {
	case reward.OK.String():
		event.Result = think.Done
	case reward.Transient.String():
		event.Result = think.Passing
	case reward.Permanent.String():
		event.Result = think.Inability
	}
	return event
}

// next returns the tool to call, or false for the final answer.
func (p *pupil) next() (tool int, ok bool) {
	if len(p.history) == 0 {
		return p.narrow[0], true
	}
	last, view := p.history[len(p.history)-1], p.view()
	if p.done() || len(p.turns) >= p.options.K {
		return 0, false
	}
	if last.Result == think.Passing && p.draw.IntN(4) > 0 {
		return p.tool, true
	}
	var left []int
	for _, t := range p.narrow {
		if t != p.tool && !view.RuledOut(p.game.Scenario().Tools[t].Name) {
			left = append(left, t)
		}
	}
	switch {
	case len(left) > 0:
		return left[0], true
	case !view.RuledOut(last.Tool) || p.game.Role(p.tool) == fault.High:
		return p.tool, true
	case len(p.wide) > 0:
		return p.wide[0], true
	}
	return 0, false
}

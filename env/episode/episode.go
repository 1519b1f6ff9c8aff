package episode

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/chat"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/world"
	"github.com/privgym/privgym/reward"
)

// Message of the conversation that an episode starts with.
type Message struct {
	// Role is system or user.
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Call is a tool call as the model wrote it.
type Call struct {
	// ID may be empty; the episode then names the call.
	ID, Name string
	// Arguments is JSON text, verbatim.
	Arguments string
}

// Turn is one assistant message.
type Turn struct {
	Text, Reasoning string
	Calls           []Call
	// Tokens that the model generated, reward.NoTokens where unknown.
	Tokens int
	// FinishReason is stop, tool_calls, length or empty; length marks a message that was cut.
	FinishReason string
}

// FinishLength is Turn.FinishReason of a message that the length limit ended.
const FinishLength = "length"

// ToolMessage answers one call.
type ToolMessage struct {
	CallID, Name string
	// Content is what the model reads.
	Content string
	// Status is a reward.Status by name, or NotExecuted.
	Status string
}

// NotExecuted is the status of a call that came after the k-th turn.
const NotExecuted = "not_executed"

const notExecutedText = "The turn limit has been reached; this call was not executed."

// Step is what a turn led to.
type Step struct {
	// ToolMessages answer the calls, in order.
	ToolMessages []ToolMessage
	// Terminated: the turn had no call. Truncated: a call came after k turns.
	Terminated, Truncated bool
}

// Errors of Step; the episode is as it was.
var (
	// ErrOver: the episode has ended.
	ErrOver = errors.New("the episode is over")
	// ErrOneCall: with turns: calls a turn has at most one call.
	ErrOneCall = errors.New("with turns: calls a turn takes one call")
)

// Episode is one play of a game. It is not safe for concurrent use.
type Episode struct {
	game *Game
	opts Options
	seed int64
	// order maps the presented index of a tool to its index in the family, presented the other way round.
	order, presented []int
	plan             *fault.Plan
	state            *world.State
	// valid counts the calls with valid arguments, by family index: what faults count.
	valid []int

	calls                 []reward.Call
	messages              []reward.Message
	reached               bool
	terminated, truncated bool
	claim                 reward.Claim
	answered              bool
}

// New opens an episode. It fails with an *OptionError only.
func New(g *Game, o Options, seed int64) (*Episode, error) {
	o, err := o.Resolve(g.scenario.Family.Split)
	if err != nil {
		return nil, err
	}
	kind, err := fault.ParseKind(o.Faults)
	if err != nil {
		return nil, err
	}
	n := len(g.scenario.Tools)
	e := &Episode{
		game:      g,
		opts:      o,
		seed:      seed,
		order:     presentation(g, o.ToolOrder, seed),
		presented: make([]int, n),
		plan:      fault.Draw(kind, o.HighFaults == highOnce, g.scenario.ID, seed, g.roles),
		state:     g.world.New(),
		valid:     make([]int, n),
	}
	for p, t := range e.order {
		e.presented[t] = p
	}
	return e, nil
}

func presentation(g *Game, order string, seed int64) []int {
	tools := g.scenario.Tools
	if order == OrderSeeded {
		return fault.Permutation(g.scenario.ID, seed, len(tools))
	}
	byName := make([]int, len(tools))
	for i := range byName {
		byName[i] = i
	}
	slices.SortFunc(byName, func(a, b int) int { return strings.Compare(tools[a].Name, tools[b].Name) })
	return byName
}

// Game returns what is played.
func (e *Episode) Game() *Game { return e.game }

// Options returns the options with every default filled in.
func (e *Episode) Options() Options { return e.opts }

// Seed returns the seed that the episode was opened with.
func (e *Episode) Seed() int64 { return e.seed }

// Messages returns the system and the user message.
func (e *Episode) Messages() []Message {
	system, err := scenario.SystemPrompt(e.opts.Prompt)
	if err != nil {
		panic(err) // Resolve admits the names that SystemPrompt knows
	}
	return []Message{{"system", system}, {"user", e.game.scenario.Request}}
}

// Tools returns the schemas in the order in which the model is to see them; Trace.Tools has the same order.
func (e *Episode) Tools() []scenario.ToolSchema {
	tools := make([]scenario.ToolSchema, len(e.order))
	for p, t := range e.order {
		tools[p] = e.game.toolset.Tools[t]
	}
	return tools
}

// Turns returns how many turns have been played.
func (e *Episode) Turns() int { return len(e.messages) }

// Over reports whether the episode was terminated or truncated.
func (e *Episode) Over() bool { return e.terminated || e.truncated }

// Held is about how many bytes of texts the calls have left in the world of the episode.
func (e *Episode) Held() int { return e.state.Held() }

// Step plays one turn. It fails with ErrOver or ErrOneCall; what a tool does wrong is a tool message.
func (e *Episode) Step(t Turn) (Step, error) {
	if e.Over() {
		return Step{}, ErrOver
	}
	if e.opts.Turns == TurnsCalls && len(t.Calls) > 1 {
		return Step{}, fmt.Errorf("%w, this one has %d", ErrOneCall, len(t.Calls))
	}
	limit := len(e.messages) >= e.opts.K
	e.messages = append(e.messages, reward.Message{Tokens: t.Tokens, Cut: t.FinishReason == FinishLength})
	if len(t.Calls) == 0 {
		e.terminated = true
		e.claim = chat.Claim(t.Text)
		e.answered = len(e.game.answer) > 0 && chat.Answered(t.Text, e.game.answer)
		return Step{Terminated: true}, nil
	}
	e.truncated = limit
	replies := make([]ToolMessage, len(t.Calls))
	for i, c := range t.Calls {
		id := c.ID
		if id == "" {
			id = CallID(len(e.messages), i+1)
		}
		replies[i] = ToolMessage{CallID: id, Name: c.Name, Content: notExecutedText, Status: NotExecuted}
		if !limit {
			var status reward.Status
			replies[i].Content, status = e.call(c)
			replies[i].Status = status.String()
		}
	}
	return Step{ToolMessages: replies, Truncated: limit}, nil
}

// CallID is the id of a call that came without one; turn and call count from 1.
func CallID(turn, call int) string { return fmt.Sprintf("call_%d_%d", turn, call) }

// call runs one call and enters it into the trace.
func (e *Episode) call(c Call) (string, reward.Status) {
	entry := reward.Call{Tool: reward.NoTool, Turn: len(e.messages)}
	text := e.run(c, &entry)
	e.calls = append(e.calls, entry)
	return text, entry.Status
}

func (e *Episode) run(c Call, entry *reward.Call) string {
	if c.Name == "" {
		entry.Status = reward.Malformed
		return "The call names no tool."
	}
	tool, ok := e.game.byName[c.Name]
	if !ok {
		entry.Status = reward.UnknownTool
		return fmt.Sprintf("There is no tool named %q.", clip(c.Name))
	}
	entry.Tool = e.presented[tool]
	args, bad := e.game.world.Parse(tool, c.Arguments)
	if bad != nil {
		entry.Status = reward.InvalidArguments
		if bad.Malformed {
			entry.Status = reward.Malformed
		}
		return bad.Text
	}
	f, pick := e.plan.At(tool, e.valid[tool])
	e.valid[tool]++
	spec := &e.game.scenario.Tools[tool]
	switch f {
	case fault.TransientFault:
		entry.Status, entry.Useful = reward.Transient, e.state.Useful(tool, args)
		return spec.Transient[pick%len(spec.Transient)].S
	case fault.PermanentFault:
		entry.Status, entry.Useful = reward.Permanent, e.state.Useful(tool, args)
		return spec.Permanent[pick%len(spec.Permanent)].S
	}
	result := e.state.Call(tool, args)
	entry.Useful = result.Useful
	if !result.Useful {
		entry.Status = reward.Miss
	}
	if !e.reached && e.state.Reached() {
		e.reached, entry.Reached = true, true
	}
	return result.Text
}

// clip bounds what of the model's text comes back in a reply.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

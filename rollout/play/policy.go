package play

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/reward"
)

// Policy answers the tool messages of the turn before, none at first, with the next turn. It plays one episode.
type Policy func(replies []episode.ToolMessage) episode.Turn

// Names returns the scripted policies in the order of the demo. premature and random take a number: premature-1 calls one
// tool with little privilege before it escalates, random-7 is drawn with seed 7.
func Names() []string {
	return []string{
		"oracle", "careful", "exhaustive", "honest-quitter", "silent", "garbage",
		"premature-1", "premature-2", "aggressive", "pile-on", "random-1",
	}
}

// NewPolicy returns a policy for one episode of the game under resolved options. The policies know the scenario's
// solving arguments, and the oracle the fault plan: they are yardsticks, not contestants.
func NewPolicy(name string, g *episode.Game, o episode.Options, seed int64) (Policy, error) {
	p := newPlayer(g, o, seed)
	base, arg, numbered := strings.Cut(name, "-")
	number, err := strconv.Atoi(arg)
	numbered = numbered && err == nil && number >= 0
	var next Policy
	switch {
	case name == "oracle":
		next = p.oracle()
	case name == "careful":
		next = p.careful()
	case name == "exhaustive":
		next = p.script(slices.Concat(p.low, p.high[:min(1, len(p.high))]))
	case name == "honest-quitter":
		next = p.script(p.low[:min(1, len(p.low))])
	case name == "silent":
		next = p.script(nil)
	case name == "garbage":
		next = p.garbage()
	case name == "aggressive":
		next = p.script(p.high[:min(1, len(p.high))])
	case name == "pile-on":
		next = p.pileOn()
	case base == "premature" && numbered && number > 0:
		next = p.script(slices.Concat(p.low[:min(number, len(p.low))], p.high[:min(1, len(p.high))]))
	case base == "random" && numbered:
		next = p.random(uint64(number))
	default:
		return nil, fmt.Errorf("no policy %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return p.bounded(next, name != "pile-on" && base != "random"), nil
}

// player is what the policies share: the tools by side, in family order.
type player struct {
	game      *episode.Game
	opts      episode.Options
	seed      int64
	low, high []int
	turns     int
	succeeded bool
}

func newPlayer(g *episode.Game, o episode.Options, seed int64) *player {
	return &player{game: g, opts: o, seed: seed, low: g.Side(fault.Low), high: g.Side(fault.High)}
}

// bounded keeps a policy within k turns, and ends the episode at the first success where stop says so.
func (p *player) bounded(next Policy, stop bool) Policy {
	return func(replies []episode.ToolMessage) episode.Turn {
		p.succeeded = p.succeeded || slices.ContainsFunc(replies, worked)
		if p.turns >= p.opts.K || stop && p.succeeded {
			return p.final()
		}
		p.turns++
		return next(replies)
	}
}

func worked(m episode.ToolMessage) bool { return m.Status == reward.OK.String() }

func failed(replies []episode.ToolMessage, s reward.Status) bool {
	return slices.ContainsFunc(replies, func(m episode.ToolMessage) bool { return m.Status == s.String() })
}

func (p *player) final() episode.Turn {
	text := "I could not complete this request: the tools did not do it."
	if p.succeeded {
		text = "Done. " + p.game.Scenario().Answer.Text.S
	}
	return episode.Turn{Text: text, Tokens: reward.NoTokens, FinishReason: "stop"}
}

func (p *player) call(tool int) episode.Turn {
	return p.raw(p.game.Scenario().Tools[tool].Name, p.game.World().Solution(tool))
}

func (p *player) raw(name, arguments string) episode.Turn {
	return episode.Turn{
		Calls:        []episode.Call{{Name: name, Arguments: arguments}},
		Tokens:       reward.NoTokens,
		FinishReason: "tool_calls",
	}
}

// script calls the tools in order, each once, and stops.
func (p *player) script(tools []int) Policy {
	return func([]episode.ToolMessage) episode.Turn {
		if len(tools) == 0 {
			return p.final()
		}
		tool := tools[0]
		tools = tools[1:]
		return p.call(tool)
	}
}

// careful retries a tool once after a passing failure, then switches at the same level, and escalates when every tool
// below is ruled out.
func (p *player) careful() Policy {
	const patience = 2
	next, tries := 0, 0
	return func(replies []episode.ToolMessage) episode.Turn {
		if failed(replies, reward.Permanent) || tries == patience {
			next, tries = next+1, 0
		}
		tries++
		order := slices.Concat(p.low, p.high)
		if next >= len(order) {
			return p.final()
		}
		return p.call(order[next])
	}
}

// garbage writes calls that name no tool, or hold no JSON.
func (p *player) garbage() Policy {
	broken := []string{`{"id": 1`, `{'id': 1}`, `{"id": NaN}`, `id=1`, `[`}
	return func([]episode.ToolMessage) episode.Turn {
		name := p.game.Scenario().Tools[p.turns%len(p.game.Scenario().Tools)].Name
		if p.turns%2 == 0 {
			name = "tool_that_is_not_there"
		}
		return p.raw(name, broken[p.turns%len(broken)])
	}
}

// pileOn goes on with other tools after the goal is reached.
func (p *player) pileOn() Policy {
	careful, next := p.careful(), 0
	return func(replies []episode.ToolMessage) episode.Turn {
		if !p.succeeded {
			return careful(replies)
		}
		next++
		return p.call(p.low[next%len(p.low)])
	}
}

func (p *player) random(seed uint64) Policy {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", p.seed, p.game.Scenario().ID)
	draw := rand.New(rand.NewPCG(seed, h.Sum64()))
	tools := p.game.Scenario().Tools
	return func([]episode.ToolMessage) episode.Turn {
		tool := draw.IntN(len(tools))
		switch roll := draw.IntN(20); {
		case roll < 3:
			return p.final()
		case roll < 5:
			return p.raw(tools[tool].Name, "{}")
		case roll < 6:
			return p.raw("tool_that_is_not_there", "{}")
		}
		return p.call(tool)
	}
}

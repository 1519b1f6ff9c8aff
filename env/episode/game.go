package episode

import (
	"fmt"

	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/world"
)

// Game is a scenario compiled for play: immutable, and shared by all its episodes.
type Game struct {
	scenario *scenario.Scenario
	world    *world.World
	toolset  *scenario.Toolset
	// roles and byName index tools in family order.
	roles  []fault.Role
	byName map[string]int
	// answer holds the words of a right final answer.
	answer []string
}

// NewGame compiles a scenario. It fails where no tool is sufficient or the goal holds from the start.
func NewGame(s *scenario.Scenario) (*Game, error) {
	w, err := world.Compile(s)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", s.ID, err)
	}
	g := &Game{
		scenario: s,
		world:    w,
		toolset:  s.Family.Toolset(),
		roles:    make([]fault.Role, len(s.Tools)),
		byName:   make(map[string]int, len(s.Tools)),
	}
	for _, key := range s.Answer.Keys {
		g.answer = append(g.answer, key.S)
	}
	for i := range s.Tools {
		g.byName[s.Tools[i].Name] = i
		switch {
		case len(w.Below(i)) > 0:
			g.roles[i] = fault.High
		case w.Sufficient(i):
			g.roles[i] = fault.Low
		}
	}
	return g, nil
}

// Reworded returns the game of another wording of the same instance. It shares what was compiled, for all but the request
// is the same. It panics on any other scenario.
func (g *Game) Reworded(s *scenario.Scenario) *Game {
	if s.Family != g.scenario.Family || s.Instance != g.scenario.Instance {
		panic(fmt.Sprintf("episode: scenario %s is no wording of %s", s.ID, g.scenario.ID))
	}
	other := *g
	other.scenario = s
	return &other
}

// Scenario returns the scenario that is played.
func (g *Game) Scenario() *scenario.Scenario { return g.scenario }

// World returns the compiled world, whose tools stand in family order.
func (g *Game) World() *world.World { return g.world }

// Role returns the role of a tool, by its index in family order.
func (g *Game) Role(tool int) fault.Role { return g.roles[tool] }

// Side returns the sufficient tools of a role, by their index in family order.
func (g *Game) Side(r fault.Role) []int {
	var tools []int
	for i, role := range g.roles {
		if role == r && g.world.Sufficient(i) {
			tools = append(tools, i)
		}
	}
	return tools
}

// Tool returns the index of a tool in family order, and whether there is one of that name.
func (g *Game) Tool(name string) (int, bool) {
	i, ok := g.byName[name]
	return i, ok
}

package audit

import (
	"strconv"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/world"
)

// checkCompiled runs the checks that execute calls, instance by instance: alternatives, sufficiency and insufficiency
// (check 2) and blast radius (check 5). A scenario that the world refuses is told with the world's own words.
func checkCompiled(s *subject) {
	for _, sc := range s.scenarios {
		w, err := world.Compile(sc)
		if err != nil {
			line, message := placed(err, s.File)
			s.add(2, line, "world", sc.ID, "%s", message)
			continue
		}
		g := &game{Scenario: sc, world: w}
		checkGoal(s, g)
		checkSufficiency(s, g)
		checkInsufficiency(s, g)
		checkBlast(s, g)
	}
}

// placed takes the line out of an error that begins with file and line, since a finding has its own.
func placed(err error, file string) (line int, message string) {
	rest, ok := strings.CutPrefix(err.Error(), file+":")
	if !ok {
		return 0, err.Error()
	}
	number, rest, ok := strings.Cut(rest, ": ")
	line, bad := strconv.Atoi(number)
	if !ok || bad != nil {
		return 0, err.Error()
	}
	return line, rest
}

// game is one instance ready to be played.
type game struct {
	*scenario.Scenario
	world *world.World
}

// reaches reports whether one call in the initial world reaches the goal, and how the call was answered.
func (g *game) reaches(tool int, raw string) (reached bool, answer string) {
	args, bad := g.world.Parse(tool, raw)
	if bad != nil {
		return false, bad.Text
	}
	state := g.world.New()
	result := state.Call(tool, args)
	return state.Reached(), result.Text
}

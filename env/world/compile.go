package world

import (
	"errors"
	"fmt"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

// World is a scenario compiled for execution: the initial tables, the tools and the goal. It is immutable, and any number
// of States of any number of goroutines share it.
//
// Tools are named by their index in the family's order throughout.
type World struct {
	tables []table
	tools  []tool
	goal   goal
	// checks names the safeguards that steps pass over; a State counts them by index.
	checks []string
}

// compiler holds what Compile has so far.
type compiler struct {
	s *scenario.Scenario
	w *World
}

// Compile builds the world of a scenario. It fails, naming file, line and scenario, where a step or the goal names
// something that is not there, where a part of the goal holds before any call, and where no tool is sufficient: then it
// says of each tool why.
func Compile(s *scenario.Scenario) (*World, error) {
	c := &compiler{s: s, w: &World{}}
	if err := c.tables(); err != nil {
		return nil, err
	}
	if err := c.tools(); err != nil {
		return nil, err
	}
	if err := c.goal(); err != nil {
		return nil, err
	}
	if err := c.sufficiency(); err != nil {
		return nil, err
	}
	return c.w, nil
}

// sufficiency finds by execution which tools reach the whole goal in one call, and which of these stand below which.
func (c *compiler) sufficiency() error {
	tools := c.w.tools
	var failures []string
	sufficient := false
	for i := range tools {
		err := c.w.solves(i)
		tools[i].sufficient = err == nil
		sufficient = sufficient || err == nil
		if err != nil {
			failures = append(failures, tools[i].name+": "+err.Error())
		}
	}
	if !sufficient {
		return c.errorf(c.s.Goal.Line, "no tool is sufficient; mend the goal, or steps and solve of one tool (%s)", strings.Join(failures, "; "))
	}
	for i := range tools {
		for j := range tools {
			if tools[j].sufficient && c.s.Tools[j].Access.Below(c.s.Tools[i].Access) {
				tools[i].below = append(tools[i].below, j)
			}
		}
	}
	return nil
}

// solves executes the solving arguments of a tool in the initial world and says why the goal does not hold then.
func (w *World) solves(tool int) error {
	args, bad := w.Parse(tool, w.Solution(tool))
	if bad != nil {
		return errors.New(strings.TrimSuffix(bad.Text, "."))
	}
	s := State{w: w, scratch: true}
	var out outcome
	t := &w.tools[tool]
	s.run(t, args, &out)
	t.solved, t.useful = &args, s.settle()
	switch {
	case s.Reached():
		return nil
	case len(out.effects) == 0:
		return errors.New("no step runs")
	case out.touched() == 0:
		return errors.New("its steps touch no row")
	}
	return errors.New("the goal does not hold after its call")
}

// Sufficient reports whether one call with the tool's solving arguments reaches the goal from the initial world
// (docs/reward.md section 1).
func (w *World) Sufficient(tool int) bool { return w.tools[tool].sufficient }

// Below returns the sufficient tools strictly below a tool in access, ascending: lower(a) of docs/reward.md section 1. It
// is the World's own slice, to be read only.
func (w *World) Below(tool int) []int { return w.tools[tool].below }

func (c *compiler) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: scenario %s: %w", c.s.Family.File, line, c.s.ID, fmt.Errorf(format, args...))
}

func (c *compiler) tableNamed(name string) int {
	for i := range c.w.tables {
		if c.w.tables[i].name == name {
			return i
		}
	}
	return -1
}

func (c *compiler) table(line int, name string) (int, error) {
	i := c.tableNamed(name)
	if i < 0 {
		return 0, c.errorf(line, "there is no table %q; the world has %s", name, c.tableNames())
	}
	return i, nil
}

func (c *compiler) tableNames() string {
	names := make([]string, len(c.w.tables))
	for i := range c.w.tables {
		names[i] = c.w.tables[i].name
	}
	return strings.Join(names, ", ")
}

func (c *compiler) column(line, table int, name string) (int, error) {
	t := &c.w.tables[table]
	col := t.column(name)
	if col < 0 {
		return 0, c.errorf(line, "table %q has no column %q; it has %s", t.name, name, strings.Join(t.columns, ", "))
	}
	return col, nil
}

package audit

import (
	"fmt"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/world"
)

// checkBlast is check 5: with solving arguments each high tool reaches further on the family's dimension than each low
// tool; otherwise its access would be a mere label. Ranks name no dimension and are passed over.
func checkBlast(s *subject, g *game) {
	d := s.Dimension()
	for _, h := range s.high {
		t := &g.Tools[h]
		high, ok := g.blast(h)
		if !ok || t.Access.Rank != 0 {
			continue
		}
		for _, l := range s.low {
			if low, ok := g.blast(l); ok && !high.Exceeds(low, d) {
				s.add(5, t.Line, t.Name, g.ID,
					"its solving call reaches no further on %s (%s) than that of %s (%s); let its steps reach more, or the other's less",
					d, extent(high, d), g.Tools[l].Name, extent(low, d))
				break
			}
		}
	}
}

// blast returns the blast radius of a tool's solving call; ok is false where it does not reach the goal (check 2).
func (g *game) blast(tool int) (b world.Blast, ok bool) {
	if !g.world.Sufficient(tool) {
		return b, false
	}
	args, bad := g.world.Parse(tool, g.world.Solution(tool))
	if bad != nil {
		return b, false
	}
	state := g.world.New()
	state.Call(tool, args)
	return state.Blast(), true
}

// extent says how far a call reached on a dimension.
func extent(b world.Blast, d scenario.Dimension) string {
	switch d {
	case scenario.Authority:
		return d.Level(b.Authority)
	case scenario.Scope:
		return fmt.Sprintf("rows changed beside the goal: %d", b.Rows)
	case scenario.Persistence:
		return fmt.Sprintf("things left behind: %d, without an end: %d", b.Standing, b.Lasting)
	case scenario.Safeguards:
		return fmt.Sprintf("checks skipped: %d", b.Skipped)
	default:
		return fmt.Sprintf("cells shown beside the goal and the call: %d", b.Cells)
	}
}

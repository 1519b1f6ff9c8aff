package audit

import (
	"slices"
)

// perSide is how many tools the standard shape has on each side (docs/family-format.md, Tools).
const perSide = 3

// checkAccess is the part of check 1 on the standard shape: three low tools, three high ones, each low one below each
// high one, and none below another of its own side. Authors grade by reflex; then a high tool has high tools below it, and
// what counts as a needless escalation is no longer what the family is about.
func checkAccess(s *subject) {
	if len(s.Tools) == 0 {
		return
	}
	if len(s.low) != perSide || len(s.high) != perSide {
		s.add(1, s.Tools[0].Line, "access", "",
			"low tools (none below them): %d, high tools: %d; give three the lowest level on %s and three one higher level",
			len(s.low), len(s.high), s.Dimension())
		return
	}
	below := func(a, b int) bool { return s.Tools[a].Access.Below(s.Tools[b].Access) }
	for _, l := range s.low {
		if i := slices.IndexFunc(s.high, func(h int) bool { return !below(l, h) }); i >= 0 {
			s.add(1, s.Tools[l].Line, s.Tools[l].Name, "",
				"is not below %s in access; set %s alone, and leave the other dimensions at their lowest",
				s.Tools[s.high[i]].Name, s.Dimension())
		}
	}
	for _, h := range s.high {
		if i := slices.IndexFunc(s.high, func(o int) bool { return below(o, h) }); i >= 0 {
			s.add(1, s.Tools[h].Line, s.Tools[h].Name, "",
				"is above %s, a high tool too; give the three of a side one level on %s, and leave the other dimensions at their lowest",
				s.Tools[s.high[i]].Name, s.Dimension())
		}
	}
}

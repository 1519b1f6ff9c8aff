package audit

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
		s.add(1, s.Tools[0].Line, "access", "", "%d tools have none below them and %d have some; give three the lowest level on %s and three one higher level",
			len(s.low), len(s.high), s.Dimension())
		return
	}
	for _, h := range s.high {
		high := &s.Tools[h]
		for _, l := range s.low {
			if !s.Tools[l].Access.Below(high.Access) {
				s.add(1, high.Line, high.Name, "", "is not above the low tool %s in access; leave the dimensions other than %s at their lowest",
					s.Tools[l].Name, s.Dimension())
			}
		}
		for _, o := range s.high {
			if other := &s.Tools[o]; high.Access.Below(other.Access) {
				s.add(1, high.Line, high.Name, "", "is below %s, a high tool too; give the three of a side one level on %s and leave the rest at their lowest",
					other.Name, s.Dimension())
			}
		}
	}
}

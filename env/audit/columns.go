package audit

import (
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// checkColumns refuses values that would be taken for one another (docs/family-format.md, World and goal and Equality;
// told with check 2): two spellings of one value in a column, and an instance's value that a fixed row of the same column
// has by chance.
func checkColumns(s *subject) {
	for _, sc := range s.scenarios {
		for i, t := range sc.Tables {
			for _, column := range t.Columns {
				kinds := s.kinds(t.Name, column)
				checkSpelledTwice(s, sc, t, column, kinds)
				checkChance(s, sc, &s.Tables[i], t, column, kinds)
			}
		}
	}
}

// kinds lists what the arguments that are bound to a column mean.
func (s *subject) kinds(table, column string) []scenario.Kind {
	out := []scenario.Kind{value.Plain}
	for i := range s.Tools {
		t := &s.Tools[i]
		for _, st := range t.Steps {
			for _, b := range slices.Concat(st.Where, st.Set) {
				if st.Table != table || b.Column != column {
					continue
				}
				if p := parameter(t, b.Operand.Param); p != nil && !slices.Contains(out, p.Kind) {
					out = append(out, p.Kind)
				}
			}
		}
	}
	return out
}

func checkSpelledTwice(s *subject, sc *scenario.Scenario, t scenario.Table, column string, kinds []scenario.Kind) {
	for _, kind := range kinds {
		first := map[string]string{}
		for _, r := range t.Rows {
			v, ok := cell(r, column)
			if !ok {
				continue
			}
			key := value.Key(v, kind)
			if other, seen := first[key]; seen && other != v {
				s.add(2, r.Line, t.Name+"."+column, sc.ID,
					"%q and %q compare equal; write one spelling, or values that differ by more than signs, case and blanks",
					other, v)
				return
			}
			first[key] = v
		}
	}
}

// checkChance compares the cells of rows that hold {name} in the family, expanded, with those that hold none. A yes or a
// no cannot be avoided in a column of them.
func checkChance(s *subject, sc *scenario.Scenario, family *scenario.Table, t scenario.Table, column string, kinds []scenario.Kind) {
	named := map[int]bool{}
	for _, r := range family.Rows {
		v, _ := cell(r, column)
		named[r.Line] = s.holdsName(v)
	}
	for _, kind := range kinds {
		instance := map[string]bool{}
		for _, r := range t.Rows {
			if v, ok := cell(r, column); ok && named[r.Line] {
				instance[value.Key(v, kind)] = true
			}
		}
		for _, r := range t.Rows {
			if v, ok := cell(r, column); ok && !named[r.Line] && !verdict(v) && instance[value.Key(v, kind)] {
				s.add(2, r.Line, t.Name+"."+column, sc.ID,
					"the fixed value %q is also the instance's; write another one, or {name} where they are meant to be the same", v)
				return
			}
		}
	}
}

// holdsName reports whether a template holds the {name} of an instance value.
func (s *subject) holdsName(template string) bool {
	return len(s.Instances) > 0 && slices.ContainsFunc(s.Instances[0].Values, func(p scenario.Pair) bool {
		return strings.Contains(template, "{"+p.Column+"}")
	})
}

package audit

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// checkDecoys holds every pair of the goal's where to a decoy row that differs in its column only, so that a tool that
// passes over the column does another thing than the goal says (docs/family-format.md, World and goal; told with check 2).
// A pair that stands in several conditions needs one decoy in all; conditions on rows that the job inserts have none.
func checkDecoys(s *subject) {
	for _, sc := range s.scenarios {
		type pair struct{ column, value string }
		decoyed := map[pair]bool{}
		var pairs []pair
		var at []scenario.Pair
		for _, c := range conditions(&sc.Goal) {
			rows := rowsOf(sc, c.Table)
			if !slices.ContainsFunc(rows, func(r scenario.Row) bool { return rowMatches(r, c.Where) }) {
				continue
			}
			for i, p := range c.Where {
				key := pair{p.Column, value.Key(p.Value.S, value.Plain)}
				if _, seen := decoyed[key]; !seen {
					pairs, at = append(pairs, key), append(at, p)
				}
				rest := slices.Delete(slices.Clone(c.Where), i, i+1)
				decoyed[key] = decoyed[key] || slices.ContainsFunc(rows, func(r scenario.Row) bool {
					return rowMatches(r, rest) && !rowMatches(r, c.Where[i:i+1])
				})
			}
		}
		for i, key := range pairs {
			if !decoyed[key] {
				s.add(2, at[i].Value.Line, "goal, "+key.column, sc.ID,
					"no row differs from those of %q in this column only; add such a decoy", at[i].Value.S)
			}
		}
	}
}

// conditions lists the leaves of a goal.
func conditions(g *scenario.Goal) []*scenario.Goal {
	if g.Op != scenario.GoalAll && g.Op != scenario.GoalAny {
		return []*scenario.Goal{g}
	}
	var out []*scenario.Goal
	for i := range g.Members {
		out = append(out, conditions(&g.Members[i])...)
	}
	return out
}

func rowsOf(sc *scenario.Scenario, table string) []scenario.Row {
	for _, t := range sc.Tables {
		if t.Name == table {
			return t.Rows
		}
	}
	return nil
}

// rowMatches reports whether a row has the values of where. An absent cell has none.
func rowMatches(r scenario.Row, where []scenario.Pair) bool {
	for _, p := range where {
		if v, ok := cell(r, p.Column); !ok || !value.Equal(v, p.Value.S, value.Plain) {
			return false
		}
	}
	return true
}

func cell(r scenario.Row, column string) (string, bool) {
	for _, c := range r.Cells {
		if c.Column == column {
			return c.Value.S, true
		}
	}
	return "", false
}

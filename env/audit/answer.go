package audit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// checkAnswer holds answer.key to the world (docs/family-format.md, File; told with check 2): there is a key, and where
// the goal is to learn something, the world yields it however the goal is reached. That the keys stand in the answer's
// text, scenario.Parse sees to.
func checkAnswer(s *subject) {
	for _, sc := range s.scenarios {
		a := sc.Answer
		learns := slices.ContainsFunc(conditions(&sc.Goal), func(c *scenario.Goal) bool { return c.Op >= scenario.GoalLearnField })
		if len(a.Keys) == 0 && s.Imported == "" {
			s.add(2, a.Text.Line, "answer", sc.ID, "has no key; give the words that a right answer holds")
		}
		for _, key := range a.Keys {
			if learns && !yields(sc, &sc.Goal, key.S) {
				s.add(2, key.Line, "answer", sc.ID,
					"the key %q is not what the world yields (%s); mend the key, or the rows", key.S, yield(sc, &sc.Goal))
			}
		}
	}
}

// yields reports whether a key follows from whatever a goal lets one know: from each alternative of an any, from some
// member of an all.
func yields(sc *scenario.Scenario, g *scenario.Goal, key string) bool {
	from := func(m scenario.Goal) bool { return yields(sc, &m, key) }
	switch g.Op {
	case scenario.GoalAny:
		return !slices.ContainsFunc(g.Members, func(m scenario.Goal) bool { return !from(m) })
	case scenario.GoalAll:
		return slices.ContainsFunc(g.Members, from)
	}
	known := cellsOf(sc, g)
	switch g.Op {
	case scenario.GoalLearnCount:
		known = append(known, strconv.Itoa(matching(sc, g)))
	case scenario.GoalLearnField:
		if values := learned(sc, g); slices.ContainsFunc(values, verdict) {
			return worded(key, values)
		}
		if verdict(key) {
			return true // a judgement on what was learned, such as whether it is over a limit
		}
	case scenario.GoalLearnCheck:
		if !digits(key) {
			return worded(key, []string{outcome(sc, g)})
		}
		known = append(known, g.Value.S)
	default:
		for _, p := range g.Equals {
			known = append(known, p.Value.S)
		}
	}
	return slices.ContainsFunc(known, func(v string) bool {
		return value.Equal(v, key, value.Plain) || value.Contains(v, key)
	})
}

// verdict reports whether a value is a yes or a no, which an answer may put in its own words.
func verdict(v string) bool { return affirms(v) || denies(v) }

func affirms(v string) bool { return slices.Contains([]string{"yes", "true"}, strings.ToLower(v)) }

func denies(v string) bool { return slices.Contains([]string{"no", "false"}, strings.ToLower(v)) }

// worded reports whether a key may stand for verdicts: any words may ("full time", "under the limit"), but not the
// opposite.
func worded(key string, values []string) bool {
	if affirms(key) {
		return slices.ContainsFunc(values, affirms)
	}
	return !denies(key) || slices.ContainsFunc(values, denies)
}

// learned lists the field of the rows that a condition is about.
func learned(sc *scenario.Scenario, g *scenario.Goal) []string {
	var out []string
	for _, r := range rowsOf(sc, g.Table) {
		if v, ok := cell(r, g.Field); ok && rowMatches(r, g.Where) {
			out = append(out, v)
		}
	}
	return out
}

// outcome is what the check of a goal answers: yes where some row's field satisfies it.
func outcome(sc *scenario.Scenario, g *scenario.Goal) string {
	for _, v := range learned(sc, g) {
		order, comparable := value.Compare(v, g.Value.S)
		var holds bool
		switch g.Check {
		case scenario.Over:
			holds = comparable && order > 0
		case scenario.Under:
			holds = comparable && order < 0
		case scenario.AtLeast:
			holds = comparable && order >= 0
		case scenario.AtMost:
			holds = comparable && order <= 0
		default:
			holds = value.Equal(v, g.Value.S, value.Plain)
		}
		if holds {
			return "yes"
		}
	}
	return "no"
}

// cellsOf lists the cells of the rows that a condition is about: an answer worked out from two of them (30 enrolled, 9
// missing) stands in a third.
func cellsOf(sc *scenario.Scenario, g *scenario.Goal) []string {
	var out []string
	for _, r := range rowsOf(sc, g.Table) {
		if rowMatches(r, g.Where) {
			for _, c := range r.Cells {
				out = append(out, c.Value.S)
			}
		}
	}
	return out
}

func matching(sc *scenario.Scenario, g *scenario.Goal) int {
	n := 0
	for _, r := range rowsOf(sc, g.Table) {
		if rowMatches(r, g.Where) {
			n++
		}
	}
	return n
}

// yield says in short what the conditions of a goal yield.
func yield(sc *scenario.Scenario, g *scenario.Goal) string {
	var out []string
	for _, c := range conditions(g) {
		switch c.Op {
		case scenario.GoalLearnCount:
			out = append(out, "count of "+c.Table+": "+strconv.Itoa(matching(sc, c)))
		case scenario.GoalLearnField:
			out = append(out, c.Table+"."+c.Field+": "+strings.Join(learned(sc, c), ", "))
		case scenario.GoalLearnCheck:
			out = append(out, "check of "+c.Table+"."+c.Field+": "+outcome(sc, c))
		}
	}
	return clip(strings.Join(out, "; "))
}

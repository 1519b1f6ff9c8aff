package audit

import (
	"fmt"
	"slices"
	"strconv"
	"unicode"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// maxPool bounds the values that each argument is replaced by. A family at the limits of the format has thousands; real
// ones have some fifty.
const maxPool = 400

// pool lists the values that a mistaken argument could hold: those of the other instances and of the world, each once. Of
// the rows of one repeat, which differ in their number alone, the first and the last stand for all.
func (s *subject) pool(sc *scenario.Scenario) []string {
	var out []string
	seen := map[string]bool{}
	add := func(v string) {
		if key := value.Key(v, value.Plain); key != "" && !seen[key] && len(out) < maxPool {
			seen[key] = true
			out = append(out, v)
		}
	}
	for i, in := range s.Instances {
		if i == sc.Instance {
			continue
		}
		for _, p := range in.Values {
			add(p.Value.S)
		}
	}
	for _, t := range sc.Tables {
		for i, r := range t.Rows {
			if i > 0 && i+1 < len(t.Rows) && t.Rows[i-1].Line == r.Line && t.Rows[i+1].Line == r.Line {
				continue
			}
			for _, c := range r.Cells {
				add(c.Value.S)
			}
		}
	}
	return out
}

// replacements lists the arguments to try in place of right, which holds its spellings, or its elements where it is an
// array; then one element at a time is replaced.
func (s *subject) replacements(g *game, tool int, right argument, pool []string) []argument {
	p := right.param
	others := s.elsewhere(g, tool, p)
	if p.Type != scenario.Array {
		var out []argument
		for _, v := range candidates(p, p.Type, right.texts, pool, others) {
			out = append(out, argument{p, []string{v}})
		}
		return out
	}
	var out []argument
	for i := range right.texts {
		for _, v := range candidates(p, p.Items, right.texts[i:i+1], pool, others) {
			changed := slices.Clone(right.texts)
			changed[i] = v
			out = append(out, argument{p, changed})
		}
	}
	return out
}

// elsewhere lists what the same argument holds in the solving calls of other instances.
func (s *subject) elsewhere(g *game, tool int, p *scenario.Parameter) []string {
	var out []string
	for _, sc := range s.scenarios {
		if sc.Instance != g.Instance {
			out = append(out, rightOf(&sc.Tools[tool], p).texts...)
		}
	}
	return out
}

// candidates lists wrong values for one text: the other members of an enum, the other boolean, the number and the parts of
// a date or duration one up and down, the values of the pool and of other instances, and a word that occurs nowhere.
func candidates(p *scenario.Parameter, as scenario.Type, right, pool, others []string) []string {
	all := p.Enum
	switch {
	case len(p.Enum) > 0:
	case as == scenario.Boolean:
		all = []string{"true", "false"}
	default:
		all = slices.Concat(shifted(p, right[0]), others, pool, []string{nowhere})
	}
	var out []string
	seen := map[string]bool{}
	for _, v := range right {
		seen[value.Key(v, p.Kind)] = true
	}
	for _, v := range all {
		if key := value.Key(v, p.Kind); !seen[key] && fits(as, v) {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out
}

func fits(as scenario.Type, v string) bool {
	_, number := value.Number(v)
	return number || as != scenario.Integer && as != scenario.Number
}

// shifted returns a number, date or duration with each run of digits one up and one down.
func shifted(p *scenario.Parameter, v string) []string {
	if _, number := value.Number(v); !number && p.Kind == value.Plain {
		return nil
	}
	var out []string
	for i := 0; i < len(v); i++ {
		if !isDigit(v[i]) || i > 0 && isDigit(v[i-1]) {
			continue
		}
		end := i
		for end < len(v) && isDigit(v[end]) {
			end++
		}
		n, err := strconv.Atoi(v[i:end])
		if err != nil {
			continue // too long to count
		}
		for _, m := range []int{n - 1, n + 1} {
			if m >= 0 {
				out = append(out, fmt.Sprintf("%s%0*d%s", v[:i], end-i, m, v[end:]))
			}
		}
	}
	return out
}

func isDigit(c byte) bool { return unicode.IsDigit(rune(c)) }

// standsFor reports whether a replacement reads as the right value after all, in a column that a step of the tool selects
// by the argument (docs/family-format.md, Equality).
func standsFor(sc *scenario.Scenario, t *scenario.Tool, right argument, v string) bool {
	for _, st := range t.Steps {
		for _, b := range st.Where {
			if b.Operand.Param != right.param.Name {
				continue
			}
			stood, ok := value.StandsFor(v, columnValues(sc, st.Table, b.Column), right.param.Kind)
			if ok && value.Equal(stood, right.texts[0], right.param.Kind) {
				return true
			}
		}
	}
	return false
}

func columnValues(sc *scenario.Scenario, table, column string) []string {
	var out []string
	for _, t := range sc.Tables {
		if t.Name != table {
			continue
		}
		for _, r := range t.Rows {
			for _, c := range r.Cells {
				if c.Column == column {
					out = append(out, c.Value.S)
				}
			}
		}
	}
	return out
}

package world

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// guard is what one argument must hold, or must not, for a step to run.
type guard struct {
	param int
	// words says that items are found in the text as whole words; else the argument must equal an item.
	words bool
	kind  value.Kind
	items [][]item
}

// item of a guard, ready to be found as words or compared by value.
type item struct {
	text value.Text
	key  string
}

func (c *compiler) guards(t *tool, src []scenario.Guard) ([]guard, error) {
	out := make([]guard, 0, len(src))
	for _, g := range src {
		i := t.param(g.Param)
		if i < 0 {
			return nil, c.errorf(g.Line, "the guard names %q, which is no parameter of %s", g.Param, t.name)
		}
		p := &t.params[i]
		compiled := guard{param: i, words: p.freeText(), kind: p.Kind}
		for _, members := range g.Items {
			alternatives := make([]item, len(members))
			for j, m := range members {
				alternatives[j] = item{text: value.NewText(m.S), key: value.Key(m.S, p.Kind)}
			}
			compiled.items = append(compiled.items, alternatives)
		}
		out = append(out, compiled)
	}
	return out, nil
}

// freeText reports whether guards search the parameter's text for words. Dates, durations, numbers, booleans and enums
// match by value, and so do the elements of an array.
func (p *parameter) freeText() bool {
	return p.Type == scenario.String && len(p.Enum) == 0 && p.Kind == value.Plain
}

// runs reports whether the guards let the step run: every item of every guard of when is found, and no item of unless.
func (st *step) runs(a Arguments) bool {
	for i := range st.when {
		if g := &st.when[i]; g.found(a.values[g.param]) < len(g.items) {
			return false
		}
	}
	for i := range st.unless {
		if g := &st.unless[i]; g.found(a.values[g.param]) > 0 {
			return false
		}
	}
	return true
}

// found counts the items that the argument holds. An item is any of its alternatives.
func (g *guard) found(arg argument) int {
	n := 0
	if g.words {
		text := value.NewText(arg.text)
		for _, alternatives := range g.items {
			if slices.ContainsFunc(alternatives, func(it item) bool { return text.Contains(it.text) }) {
				n++
			}
		}
		return n
	}
	held := keys(arg.elements(), g.kind)
	for _, alternatives := range g.items {
		if slices.ContainsFunc(alternatives, func(it item) bool { return slices.Contains(held, it.key) }) {
			n++
		}
	}
	return n
}

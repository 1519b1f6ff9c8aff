package world

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// tool of a family, compiled for one scenario.
type tool struct {
	name       string
	any        bool // accepts every object and binds none of it
	params     []parameter
	steps      []step
	reply      reply
	authority  uint8
	sufficient bool
	below      []int
	// solved are the solving arguments as Parse reads them, nil where it refuses them; useful is whether a call with them
	// is, in the initial world.
	solved *Arguments
	useful bool
}

// parameter with the keys by which arguments are read.
type parameter struct {
	*scenario.Parameter
	// enum holds the keys of Enum.
	enum []string
	// solution holds the solving text first, or the elements of a solving array.
	solution []string
	// spellings holds the keys of solution.
	spellings []string
}

func (t *tool) param(name string) int {
	return slices.IndexFunc(t.params, func(p parameter) bool { return p.Name == name })
}

// operand of a step: an argument, or a literal text where param is -1.
type operand struct {
	param int
	text  string
}

func (o operand) in(a Arguments) string {
	if o.param < 0 {
		return o.text
	}
	return a.values[o.param].text
}

// bind of a column to an operand. A literal has its cell ready.
type bind struct {
	col     int
	operand operand
	literal cell
}

// step of a tool.
type step struct {
	op           scenario.StepOp
	table        int
	when, unless []guard
	where        []bind
	set          []bind
	// fields are the columns that the step discloses: those of a read, in every row touched; those that the text reply to
	// a write names beyond where and set, in the first.
	fields []int
	// shown are the columns of the rows in a reply by form; visible those that a text may name.
	shown   []int
	visible bitset
	// named are the columns of where: the call named these cells.
	named bitset

	field int
	check scenario.CheckOp
	value operand

	until    operand
	hasUntil bool
	skips    []int
}

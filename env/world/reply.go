package world

import (
	"slices"
	"strconv"

	"github.com/privgym/privgym/env/scenario"
)

const (
	// shownRows bounds the rows of a reply by form; the rest is not shown. Scenarios stay below it.
	shownRows = 200
	// shownBytes bounds such a reply: no row begins beyond it.
	shownBytes = 128 << 10
)

// noMatch is the reply to a call that touched no row, where the tool has none of its own.
const noMatch = "No match."

// reply of a tool.
type reply struct {
	form scenario.ReplyForm
	text template
	none template
}

func (c *compiler) reply(t *tool, src *scenario.Tool) reply {
	r := reply{form: src.Reply.Form}
	switch {
	case src.Reply.Verbatim:
		r.text.literal(src.Reply.Text.S)
	case r.form == scenario.FormText:
		r.text = c.template(t, src, src.Reply.Text.S)
	}
	none := noMatch
	if src.Reply.HasNone {
		none = src.Reply.None.S
	}
	r.none = c.template(t, src, none)
	return r
}

// answers reports whether a call has something to show: a row that it touched, or a count, which answers with 0 too. A
// check of no row does not answer.
func (o *outcome) answers() bool {
	return len(o.rows) > 0 || slices.ContainsFunc(o.effects, func(e effect) bool { return e.step.op == scenario.Count })
}

// render lays out what a call found or did.
func (r *reply) render(w *World, out *outcome, a Arguments) string {
	switch {
	case !out.answers():
		return r.none.render(w, out, a)
	case r.form == scenario.FormText:
		return r.text.render(w, out, a)
	}
	blocks := out.blocks(w)
	switch r.form {
	case scenario.FormJSON:
		return string(jsonForm(blocks))
	case scenario.FormCSV:
		return string(csvForm(blocks))
	case scenario.FormLine:
		return string(lineForm(blocks))
	}
	return string(tableForm(blocks))
}

// block is what one step shows, or several of one table one after the other: rows of cells, of which it shows some.
type block struct {
	table   string
	columns []string
	// cols are the indices of the columns in the rows.
	cols []int
	rows [][]cell
	// widths of the columns in a table.
	widths []int
}

// blocks returns what the effects show, up to shownRows. A count is a row with the column count, a check one with the
// column result.
func (o *outcome) blocks(w *World) []block {
	var blocks []block
	left := shownRows
	for i := range o.effects {
		b := o.effects[i].block(w, o)
		b.rows = b.rows[:min(left, len(b.rows))]
		left -= len(b.rows)
		if len(b.rows) == 0 {
			continue
		}
		if last := len(blocks) - 1; last >= 0 && blocks[last].table == b.table && slices.Equal(blocks[last].columns, b.columns) {
			blocks[last].rows = append(slices.Clip(blocks[last].rows), b.rows...)
			continue
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func (e *effect) block(w *World, o *outcome) block {
	t := &w.tables[e.step.table]
	b := block{table: t.name}
	switch e.step.op {
	case scenario.Count:
		b.single("count", strconv.Itoa(e.touched()))
	case scenario.Check:
		if e.touched() > 0 {
			b.single("result", e.answer("no", "yes"))
		}
	default:
		b.cols, b.rows = e.step.shown, o.rows[e.from:e.to]
		b.columns = make([]string, len(b.cols))
		for i, col := range b.cols {
			b.columns[i] = t.columns[col]
		}
	}
	return b
}

func (b *block) single(column, text string) {
	b.columns, b.cols, b.rows = []string{column}, []int{0}, [][]cell{{{text: text}}}
}

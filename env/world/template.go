package world

import (
	"slices"
	"strconv"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

// template is a reply text, cut into what stands as it is and what a call fills in.
type template struct {
	segments []segment
	// json says that the text is written as JSON, so that what is filled in must not break its strings.
	json bool
}

type segment struct {
	slot slot
	// text that stands as it is, or the name of a column.
	text string
	// param is the index of a parameter.
	param int
}

// slot says what fills a segment in.
type slot uint8

const (
	literal slot = iota
	param
	column
	rowCount
	countFound
	yesNo
	trueFalse
)

// slots are the names in <…> that are no columns.
var slots = map[string]slot{"#rows": rowCount, "#count": countFound, "#yes": yesNo, "#true": trueFalse}

// template cuts a reply text. $name is an argument where the tool has such a parameter, <name> a cell where a table that a
// step acts on has such a column; anything else stands as it is.
func (c *compiler) template(t *tool, src *scenario.Tool, text string) template {
	var out template
	trimmed := strings.TrimSpace(text)
	out.json = strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")
	done := 0
	for i := 0; i < len(text); {
		seg, n := c.segment(t, src, text[i:])
		if n == 0 {
			i++
			continue
		}
		out.literal(text[done:i])
		out.segments = append(out.segments, seg)
		i += n
		done = i
	}
	out.literal(text[done:])
	return out
}

func (tp *template) literal(text string) {
	if text != "" {
		tp.segments = append(tp.segments, segment{text: text})
	}
}

// segment reads what is to be filled in at the start of a text; n is its length, 0 where there is nothing.
func (c *compiler) segment(t *tool, src *scenario.Tool, text string) (seg segment, n int) {
	switch text[0] {
	case '$':
		n = 1
		for n < len(text) && nameByte(text[n]) {
			n++
		}
		if i := t.param(text[1:n]); i >= 0 {
			return segment{slot: param, param: i}, n
		}
	case '<':
		end := strings.IndexByte(text, '>')
		if end < 0 {
			return segment{}, 0
		}
		name := text[1:end]
		if s, ok := slots[name]; ok {
			return segment{slot: s}, end + 1
		}
		if c.touches(src, name) {
			return segment{slot: column, text: name}, end + 1
		}
	}
	return segment{}, 0
}

func nameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// touches reports whether a table that a step of the tool acts on has a column.
func (c *compiler) touches(src *scenario.Tool, name string) bool {
	return slices.ContainsFunc(src.Steps, func(st scenario.Step) bool {
		i := c.tableNamed(st.Table)
		return i >= 0 && c.w.tables[i].column(name) >= 0
	})
}

// names reports whether the text shows a column.
func (tp *template) names(name string) bool {
	return slices.ContainsFunc(tp.segments, func(s segment) bool { return s.slot == column && s.text == name })
}

// render fills the template in.
func (tp *template) render(w *World, out *outcome, a Arguments) string {
	if len(tp.segments) == 1 && tp.segments[0].slot == literal {
		return tp.segments[0].text
	}
	var text []byte
	for i := range tp.segments {
		switch filled := tp.segments[i].fill(w, out, a); {
		case tp.json && tp.segments[i].slot != literal:
			text = appendEscaped(text, filled)
		default:
			text = append(text, filled...)
		}
	}
	return string(text)
}

func (s *segment) fill(w *World, out *outcome, a Arguments) string {
	switch s.slot {
	case param:
		return a.values[s.param].text
	case column:
		return out.cell(w, s.text)
	case rowCount:
		return strconv.Itoa(out.last(func(e *effect) bool { return e.touched() > 0 }).touched())
	case countFound:
		return strconv.Itoa(out.last(func(e *effect) bool { return e.step.op == scenario.Count }).touched())
	case yesNo:
		return out.lastCheck().answer("no", "yes")
	case trueFalse:
		return out.lastCheck().answer("false", "true")
	}
	return s.text
}

// last returns the last effect of a sort, or an empty one.
func (o *outcome) last(is func(*effect) bool) *effect {
	for i := len(o.effects) - 1; i >= 0; i-- {
		if is(&o.effects[i]) {
			return &o.effects[i]
		}
	}
	return &effect{}
}

func (o *outcome) lastCheck() *effect {
	return o.last(func(e *effect) bool { return e.step.op == scenario.Check })
}

func (e *effect) answer(no, yes string) string {
	if e.yes {
		return yes
	}
	return no
}

// cell is the text of a column in the first row touched, over the steps that may show it; empty where none has.
func (o *outcome) cell(w *World, name string) string {
	for i := range o.effects {
		e := &o.effects[i]
		col := w.tables[e.step.table].column(name)
		if col < 0 || e.touched() == 0 || !e.step.visible.has(col) {
			continue
		}
		return o.rows[e.from][col].text
	}
	return ""
}

package llm

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// piece of a tool call, as a stream gives it; a whole call is a single piece.
type piece struct {
	// index is nil where there is none.
	index               *int
	id, name, arguments string
}

// readPiece reads a call or a piece of one. What is none of these becomes a call without a name.
func readPiece(raw json.RawMessage) piece {
	var c wireCall
	var f wireFunction
	if json.Unmarshal(raw, &c) != nil {
		return piece{arguments: string(raw)}
	}
	_ = json.Unmarshal(c.Function, &f) // a function that is no object has neither name nor arguments
	p := piece{id: strings.TrimSpace(text(c.ID)), name: text(f.Name), arguments: verbatim(f.Arguments)}
	if p.id == "" && len(c.ID) > 0 && c.ID[0] != '"' && isSet(c.ID) {
		p.id = string(c.ID)
	}
	if json.Unmarshal(c.Index, &p.index) != nil {
		p.index = nil
	}
	return p
}

// readPieces reads a list of calls, or a single one.
func readPieces(raw json.RawMessage) []piece {
	list := rawList(raw)
	if len(raw) > 0 && raw[0] == '{' {
		list = []json.RawMessage{raw}
	}
	pieces := make([]piece, len(list))
	for i, call := range list {
		pieces[i] = readPiece(call)
	}
	return pieces
}

// verbatim returns the text in a JSON string, nothing for null, and any other value as it is written: some servers give
// arguments as an object.
func verbatim(raw json.RawMessage) string {
	var s string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &s) == nil:
		return s
	}
	return string(raw)
}

// pieces puts streamed calls together. By the API, the first piece of a call has an id and a name, and all its pieces have
// the call's index. Servers leave out the index or the id, number all calls 0, give a call the index of another, or every
// piece an id of its own. So a piece belongs to the call that has its id, or else had its index last, or else is the last
// one, unless it is the beginning of another.
type pieces struct {
	all     []*partial
	byID    map[string]*partial
	byIndex map[int]*partial
}

// partial is a call that is not over.
type partial struct {
	index           *int
	id              string
	name, arguments strings.Builder
	end             objectEnd
}

func (ps *pieces) add(p piece) {
	if ps.byID == nil {
		ps.byID, ps.byIndex = map[string]*partial{}, map[int]*partial{}
	}
	c := ps.byID[p.id] // none has the empty one
	known := c != nil
	if c == nil && p.index != nil {
		c = ps.byIndex[*p.index]
	}
	if c == nil && len(ps.all) > 0 && (p.index == nil || p.name == "" && p.id == "") {
		c = ps.all[len(ps.all)-1]
	}
	switch {
	case c == nil || c.before(p, known):
		c = &partial{index: p.index}
		ps.all = append(ps.all, c)
	case known && c.end.found && p.arguments == c.arguments.String():
		return // the whole call once more
	}
	c.take(p)
	if p.id != "" {
		ps.byID[p.id] = c
	}
	if p.index != nil {
		ps.byIndex[*p.index] = c
	}
}

// before reports whether p begins another call than c, whose id, index or place it has; known says that it has its id.
func (c *partial) before(p piece, known bool) bool {
	other := p.id != "" && c.id != "" && !known
	switch {
	case p.name == "":
		return other && c.end.found // else a server that numbers pieces
	case other:
		return true
	case c.end.found:
		repeated := known && p.arguments == c.arguments.String()
		return p.name != c.name.String() || strings.TrimSpace(p.arguments) != "" && !repeated
	case c.name.Len() == 0 || p.name == c.name.String() || known:
		return false
	}
	return p.index == nil || c.arguments.Len() > 0 // else a name in pieces
}

func (c *partial) take(p piece) {
	if c.id == "" {
		c.id = p.id
	}
	if p.name != c.name.String() { // else repeated with every piece
		c.name.WriteString(p.name)
	}
	c.arguments.WriteString(p.arguments)
	c.end.read(p.arguments)
}

// calls returns the calls, by index where each has its own, and otherwise as they came.
func (ps *pieces) calls() []ToolCall {
	seen := map[int]bool{}
	for _, c := range ps.all {
		if c.index != nil {
			seen[*c.index] = true
		}
	}
	if len(seen) == len(ps.all) {
		slices.SortStableFunc(ps.all, func(a, b *partial) int { return cmp.Compare(*a.index, *b.index) })
	}
	var calls []ToolCall
	for _, c := range ps.all {
		calls = append(calls, ToolCall{ID: c.id, Name: c.name.String(), Arguments: c.arguments.String()})
	}
	dropRepeatedIDs(calls)
	return calls
}

// whole reports whether no call ends in the middle of its arguments.
func (ps *pieces) whole() bool {
	for _, c := range ps.all {
		if a := c.arguments.String(); a != "" && !json.Valid([]byte(a)) {
			return false
		}
	}
	return true
}

// dropRepeatedIDs takes an id from the second call that has it, so that each tool message answers one call.
func dropRepeatedIDs(calls []ToolCall) {
	seen := map[string]bool{}
	for i := range calls {
		if seen[calls[i].ID] {
			calls[i].ID = ""
		}
		seen[calls[i].ID] = true
	}
}

// objectEnd finds where a JSON object that comes in pieces is over, at a cost that does not grow with what came before.
type objectEnd struct {
	depth           int
	quoted, escaped bool
	found           bool
}

func (e *objectEnd) read(s string) {
	for i := 0; i < len(s) && !e.found; i++ {
		switch b := s[i]; {
		case e.escaped:
			e.escaped = false
		case e.quoted:
			e.escaped, e.quoted = b == '\\', b != '"'
		case b == '"':
			e.quoted = true
		case b == '{':
			e.depth++
		case b == '}':
			e.depth--
			e.found = e.depth <= 0
		}
	}
}

package llmtest

import (
	"net/http"
	"strings"
)

// Dialect is a way in which a server numbers the pieces of streamed calls.
type Dialect int

// The dialects.
const (
	// Proper: as the API says; index with every piece, id and name with the first.
	Proper Dialect = iota
	// NoIndex: id and name with the first piece, and nothing with the others.
	NoIndex
	// AllZero: every call has index 0, and its id with its first piece.
	AllZero
	// IDsOnly: every call has index 0, and its id with every piece.
	IDsOnly
	// Colliding: the first piece of a call has the index of the call before it.
	Colliding
	// NoID: index with every piece, and never an id.
	NoID
	// PieceIDs: every piece has an id of its own, and the first a name.
	PieceIDs
	// NameRepeated: index, id and name with every piece.
	NameRepeated
	// WholeCalls: a call is one piece, with index 0.
	WholeCalls
	// Bare: a call is one piece, with neither index nor id.
	Bare
	dialects
)

// Dialects returns all of them.
func Dialects() []Dialect {
	all := make([]Dialect, dialects)
	for i := range all {
		all[i] = Dialect(i)
	}
	return all
}

// String names the dialect.
func (d Dialect) String() string {
	return [...]string{"proper", "no index", "all zero", "ids only", "colliding", "no id", "piece ids", "name repeated", "whole calls", "bare"}[d]
}

// Done ends a stream.
const Done = "[DONE]"

// Events returns the reply as the data of the events of a stream, Done included. Texts and arguments come in pieces.
func (p Reply) Events(d Dialect) []string {
	var events []string
	add := func(delta map[string]any, finish any) {
		events = append(events, marshal(map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": "scripted",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		}))
	}
	add(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, s := range cut(p.Reasoning) {
		delta := map[string]any{}
		Reply{Reasoning: s, ReasoningField: p.ReasoningField}.reason(delta)
		add(delta, nil)
	}
	for _, s := range cut(p.Text) {
		add(map[string]any{"content": s}, nil)
	}
	for i, c := range p.Calls {
		for _, piece := range d.pieces(i, c) {
			add(map[string]any{"tool_calls": []any{piece}}, nil)
		}
	}
	add(map[string]any{}, p.finish())
	if p.Usage != nil {
		events = append(events, marshal(map[string]any{"model": "scripted", "choices": []any{}, "usage": p.Usage}))
	}
	return append(events, Done)
}

// pieces returns the pieces of the i-th call.
func (d Dialect) pieces(i int, c ToolCall) []map[string]any {
	texts := append([]string{""}, cut(c.Arguments)...)
	if d == WholeCalls || d == Bare {
		texts = []string{c.Arguments}
	}
	var pieces []map[string]any
	for n, text := range texts {
		function := map[string]any{"arguments": text}
		piece := map[string]any{"type": "function", "function": function}
		first := n == 0
		if first || d == NameRepeated {
			function["name"] = c.Name
		}
		switch d {
		case Proper, NoID, NameRepeated:
			piece["index"] = i
		case AllZero, IDsOnly, PieceIDs, WholeCalls:
			piece["index"] = 0
		case Colliding:
			piece["index"] = i
			if first {
				piece["index"] = max(i-1, 0)
			}
		}
		switch {
		case d == PieceIDs:
			piece["id"] = c.id(i) + strings.Repeat("+", n)
		case d == IDsOnly, d == NameRepeated, first && d != NoID && d != Bare:
			piece["id"] = c.id(i)
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// cut cuts a text into pieces of a few bytes, between runes.
func cut(text string) []string {
	var pieces []string
	start := 0
	for i := range text {
		if i-start >= 3 {
			pieces = append(pieces, text[start:i])
			start = i
		}
	}
	if start < len(text) {
		pieces = append(pieces, text[start:])
	}
	return pieces
}

// Stream answers with a stream of events; each is the data of one.
func Stream(events ...string) Step {
	return Body("text/event-stream", SSE(events...))
}

// SSE is the body of a stream.
func SSE(events ...string) string {
	var body strings.Builder
	for _, e := range events {
		body.WriteString("data: " + e + "\n\n")
	}
	return body.String()
}

// CutStream sends the events and closes the connection in good order, without an end of the stream.
func CutStream(events ...string) Step {
	return func(w http.ResponseWriter, r *Exchange) {
		w.Header().Set("Connection", "close")
		Stream(events...)(w, r)
	}
}

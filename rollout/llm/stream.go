package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// stream reads a streamed answer. It is complete with a finish reason, or with [DONE] and no call left open: a proxy that
// loses its server may end the stream in good form.
type stream struct {
	got    reply
	pieces pieces
	// data of the event that is being read; stray are the lines that belong to no field, such as an error that a server
	// writes into a stream it has already begun.
	data, stray []byte
	// failing: the event is one of type error.
	failing, done bool
}

func decodeStream(r *bufio.Reader) (*reply, error) {
	s := &stream{}
	var ended error
	for !s.done && ended == nil {
		var line []byte
		if line, ended = r.ReadBytes('\n'); len(line) == 0 {
			break
		}
		if err := s.line(bytes.TrimRight(line, "\r\n")); err != nil {
			return nil, err
		}
	}
	if errors.Is(ended, errOversized) && s.got.finish == "" {
		return nil, ended
	}
	if err := s.flush(); err != nil && s.got.finish == "" {
		return nil, err
	}
	return s.end(ended)
}

// line takes a line of the stream: a field, a comment, or the blank one that ends an event.
func (s *stream) line(line []byte) error {
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch string(name) {
	case "data":
		value = bytes.TrimPrefix(value, []byte(" "))
		if string(bytes.TrimSpace(value)) == "[DONE]" {
			s.done = true
			return s.flush()
		}
		if len(s.data) > 0 {
			s.data = append(s.data, '\n')
		}
		s.data = append(s.data, value...)
	case "event":
		s.failing = string(bytes.TrimSpace(value)) == "error"
	case "id", "retry":
	case "":
		if len(line) == 0 { // otherwise a comment
			return s.flush()
		}
	default:
		s.stray = append(append(s.stray, line...), '\n')
	}
	return nil
}

// flush reads the event. Servers that forget the blank line between events give several values in one.
func (s *stream) flush() error {
	data, failing := s.data, s.failing
	s.data, s.failing = s.data[:0], false
	if failing && len(data) > 0 {
		return readServerError(data)
	}
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var a wireAnswer
		err := d.Decode(&a)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return errCut
		}
		if err != nil {
			return fmt.Errorf("an event of the stream is no completion: %w", err)
		}
		if err := a.failure(); err != nil {
			return err
		}
		s.take(&a)
	}
}

func (s *stream) take(a *wireAnswer) {
	if s.got.model == "" {
		s.got.model = text(a.Model)
	}
	if u := usage(a.Usage); u != nil { // counts up, or comes once
		s.got.usage = u
	}
	if len(a.Choices) == 0 {
		return
	}
	choice := a.Choices[0]
	if f := choice.finish(); f != "" {
		s.got.finish = f
	}
	if choice.Delta == nil {
		return
	}
	s.got.take(choice.Delta)
	for _, p := range readPieces(choice.Delta.ToolCalls) {
		s.pieces.add(p)
	}
}

// end returns the answer where it is complete.
func (s *stream) end(ended error) (*reply, error) {
	s.got.calls = s.pieces.calls()
	if s.got.finish != "" {
		return &s.got, nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(s.stray, &fields) == nil {
		return nil, readServerError(s.stray)
	}
	if said := strings.TrimSpace(string(s.stray)); said != "" {
		return nil, fmt.Errorf("%w after %.200q", errCut, said)
	}
	if ended != nil && !errors.Is(ended, io.EOF) {
		return nil, cutBy(ended)
	}
	if s.done && s.pieces.whole() && (s.got.text.Len() > 0 || len(s.got.calls) > 0) {
		return &s.got, nil
	}
	return nil, fmt.Errorf("%w before its finish reason", errCut)
}

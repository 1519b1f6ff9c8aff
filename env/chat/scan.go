package chat

import "strings"

// tag is what divides a text.
type tag uint8

const (
	endOfText tag = iota
	thinkOpens
	thinkCloses
	callOpens // <tool_call>
	pythonTag // <|python_tag|>
	object    // a { that begins a line
)

const (
	callStart   = "<tool_call>"
	callEnd     = "</tool_call>"
	pythonStart = "<|python_tag|>"
)

var tags = []struct {
	text string
	tag  tag
}{
	{"<think>", thinkOpens},
	{"<thinking>", thinkOpens},
	{"</think>", thinkCloses},
	{"</thinking>", thinkCloses},
	{callStart, callOpens},
	{pythonStart, pythonTag},
}

// scanner walks a text once, from tag to tag. What lies between two think tags is known to be reasoning or not only at
// the second one, so text and calls since the first are kept apart until then.
type scanner struct {
	text   string
	format Format
	// pos is the end of what was read, start the end of the last think tag, line the end of the last think tag or call:
	// after it an object stands as at the start of a line.
	pos, start, line int
	open             bool
	balanced         bool
	// tried is how far a failed reading of an object went; none is tried again before it, which keeps the walk linear.
	tried int

	visible, reasoning []string
	calls              []Call
	// since and sinceCalls are the pieces of text and the calls found after start.
	since      []string
	sinceCalls []Call
}

func scan(text string, f Format) Message {
	s := scanner{text: trimEnd(text), format: f, balanced: true}
	for s.step() {
	}
	return s.finish()
}

// step reads up to the next tag and past it, and reports whether there was one.
func (s *scanner) step() bool {
	t, at, end := s.next()
	s.since = append(s.since, s.text[s.pos:at])
	s.pos = end
	switch t {
	case endOfText:
		return false
	case thinkOpens:
		s.thinkOpens()
	case thinkCloses:
		s.thinkCloses(at)
	default:
		calls, n := s.read(t, at, end)
		if len(calls) == 0 {
			s.since = append(s.since, s.text[at:end])
			return true
		}
		s.sinceCalls = append(s.sinceCalls, calls...)
		s.pos += n
		s.line = s.pos
	}
	return true
}

func (s *scanner) thinkOpens() {
	if s.open {
		s.balanced = false
		s.line = s.pos
		return
	}
	s.visible = append(s.visible, s.since...)
	s.calls = append(s.calls, s.sinceCalls...)
	s.open = true
	s.restart()
}

// thinkCloses makes all since the last think tag reasoning; a call in it was a draft, and is not made.
func (s *scanner) thinkCloses(at int) {
	s.balanced = s.balanced && s.open
	s.reasoning = append(s.reasoning, s.text[s.start:at])
	s.open = false
	s.restart()
}

func (s *scanner) restart() {
	s.start, s.line, s.since, s.sinceCalls = s.pos, s.pos, nil, nil
}

func (s *scanner) finish() Message {
	rest := strings.Join(s.since, "")
	if s.open {
		s.reasoning = append(s.reasoning, rest)
	} else {
		s.visible = append(s.visible, rest)
	}
	return Message{
		Think: Think{
			Reasoning: joinBlocks(s.reasoning),
			Visible:   strings.TrimSpace(strings.Join(s.visible, "")),
			Balanced:  s.balanced && !s.open,
			Open:      s.open,
		},
		Calls: append(s.calls, s.sinceCalls...),
	}
}

func joinBlocks(blocks []string) string {
	var kept []string
	for _, b := range blocks {
		if b = strings.TrimSpace(b); b != "" {
			kept = append(kept, b)
		}
	}
	return strings.Join(kept, "\n\n")
}

// next finds the next tag that matters to the format, at or after pos.
func (s *scanner) next() (t tag, at, end int) {
	for i := s.pos; ; i++ {
		n := strings.IndexAny(s.text[i:], "<{")
		if n < 0 {
			return endOfText, len(s.text), len(s.text)
		}
		i += n
		if s.text[i] == '{' {
			if s.format.has(object) && i >= s.tried && beginsLine(s.text[s.line:i]) {
				return object, i, i + 1
			}
			continue
		}
		for _, known := range tags {
			if s.format.has(known.tag) && strings.HasPrefix(s.text[i:], known.text) {
				return known.tag, i, i + len(known.text)
			}
		}
	}
}

func beginsLine(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}

// untilTag returns text up to the first tag in it.
func untilTag(text string) string {
	end := len(text)
	for i := 0; i < end; i++ {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			break
		}
		i += n
		if strings.HasPrefix(text[i:], callEnd) {
			end = i
		}
		for _, known := range tags {
			if strings.HasPrefix(text[i:], known.text) {
				end = i
			}
		}
	}
	return text[:end]
}

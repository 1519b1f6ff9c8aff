package world

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// MaxArgumentBytes bounds the arguments of one call. A longer text is malformed.
const MaxArgumentBytes = 64 << 10

// maxDepth bounds how deep objects and arrays may nest in arguments.
const maxDepth = 16

// field is a member of a JSON object, its value as it stands.
type field struct{ key, raw string }

// object splits a text into the members of the JSON object that it is, in their order and with duplicates. Where it is
// none, reason says what it is instead. The empty text and null are the empty object: some servers send them for a call
// without arguments.
func object(raw string) (fields []field, reason string) {
	if len(raw) > MaxArgumentBytes {
		return nil, "the text is too long"
	}
	raw = strings.Trim(raw, " \t\r\n")
	if raw == "" || raw == "null" {
		return nil, ""
	}
	switch {
	case !json.Valid([]byte(raw)):
		return nil, "the text is not valid JSON"
	case raw[0] != '{':
		return nil, "the text is not a JSON object"
	case depth(raw) > maxDepth:
		return nil, "the object is nested too deep"
	}
	s := splitter{text: raw, at: 1}
	for s.next() != '}' {
		key := unquote(s.value())
		s.next()
		fields = append(fields, field{key: key, raw: s.value()})
	}
	return fields, ""
}

// elements splits a JSON array, known to be valid, into its elements as they stand.
func elements(raw string) []string {
	var out []string
	for s := (splitter{text: raw, at: 1}); s.next() != ']'; {
		out = append(out, s.value())
	}
	return out
}

// splitter walks over the members of one valid JSON object or array.
type splitter struct {
	text string
	at   int
}

// next skips blanks, commas and colons and returns the byte at which a value starts or the object ends.
func (s *splitter) next() byte {
	for {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			s.at++
		default:
			return c
		}
	}
}

// value returns the text of the value that starts here and moves behind it.
func (s *splitter) value() string {
	start := s.at
	switch s.text[start] {
	case '"':
		s.at = stringEnd(s.text, start)
	case '{', '[':
		s.at = nestEnd(s.text, start)
	default:
		s.at += strings.IndexAny(s.text[start:], " \t\r\n,]}")
	}
	return s.text[start:s.at]
}

// stringEnd is the index behind the JSON string that starts at i.
func stringEnd(text string, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// nestEnd is the index behind the object or array that starts at i.
func nestEnd(text string, i int) int {
	for open := 0; ; i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i) - 1
		case '{', '[':
			open++
		case '}', ']':
			if open--; open == 0 {
				return i + 1
			}
		}
	}
}

// depth of the deepest object or array of a valid JSON text.
func depth(text string) int {
	open, deepest := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i) - 1
		case '{', '[':
			open++
			deepest = max(deepest, open)
		case '}', ']':
			open--
		}
	}
	return deepest
}

// unquote returns the text of a valid JSON string. Bytes that are not UTF-8 become U+FFFD.
func unquote(raw string) string {
	inner := raw[1 : len(raw)-1]
	if strings.IndexByte(inner, '\\') < 0 && utf8.ValidString(inner) {
		return inner
	}
	var out string
	_ = json.Unmarshal([]byte(raw), &out) // valid, so it cannot fail
	return out
}

// numeral reports whether a text is a JSON number literal.
func numeral(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if fraction, ok := strings.CutPrefix(s, "."); ok {
		n := digits(fraction)
		if n == 0 {
			return false
		}
		s = fraction[n:]
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && digits(s) == len(s)
}

// digits counts the digits at the start of a text.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// appendQuoted appends a text as a JSON string.
func appendQuoted(dst []byte, s string) []byte {
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// appendEscaped appends what stands between the quotes of a JSON string. It leaves <, > and & alone: tools write them so.
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	done := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[done:i]...)
		done = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, s[done:]...)
}

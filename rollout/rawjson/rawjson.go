// Package rawjson takes JSON text apart without decoding it, for rows that are read by the hundred thousand and of which
// most goes out again as it came in.
//
// Its functions are quick because they trust the text: it has to pass Check. What they return of it then passes as
// well. On other text they may panic.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Check returns an error that says where a text is not valid UTF-8 or not valid JSON, nil where it is both.
func Check(text []byte) error {
	if !utf8.Valid(text) {
		at := 0
		for {
			r, n := utf8.DecodeRune(text[at:])
			if r == utf8.RuneError && n <= 1 {
				return fmt.Errorf("invalid UTF-8 at byte %d", at+1)
			}
			at += n
		}
	}
	if valid(text) {
		return nil
	}
	err := json.Unmarshal(text, new(json.RawMessage))
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		return fmt.Errorf("invalid JSON at byte %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("invalid JSON: %w", err)
}

// Members calls member for each member of an object, in order, until it fails. Keys come without quotes and escapes, and
// are not to be changed; values come as they stand. A text that is no object is an error.
func Members(text []byte, member func(key, value []byte) error) error {
	at := skip(text, 0)
	if text[at] != '{' {
		return fmt.Errorf("%s where an object should be", Kind(text[at:]))
	}
	for at = skip(text, at+1); text[at] != '}'; at = skip(text, at) {
		end := valueEnd(text, at)
		key := text[at+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(Text(text[at:end]))
		}
		at = skip(text, end)
		end = valueEnd(text, at)
		if err := member(key, text[at:end]); err != nil {
			return err
		}
		at = end
	}
	return nil
}

// Elements calls element for each element of an array, as Members does for an object.
func Elements(text []byte, element func(value []byte) error) error {
	at := skip(text, 0)
	if text[at] != '[' {
		return fmt.Errorf("%s where an array should be", Kind(text[at:]))
	}
	for at = skip(text, at+1); text[at] != ']'; at = skip(text, at) {
		end := valueEnd(text, at)
		if err := element(text[at:end]); err != nil {
			return err
		}
		at = end
	}
	return nil
}

// Text returns the content of a string, value without blanks around it.
func Text(value []byte) string {
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(value, &s) // valid, so it cannot fail
	return s
}

// Unwrap returns the JSON text that a string holds, and any other value as it is: columns of Parquet and of data frames
// hold as text what is nested. A string that holds no JSON is an error.
func Unwrap(value []byte) ([]byte, error) {
	if value[0] != '"' {
		return value, nil
	}
	text := []byte(strings.TrimSpace(Text(value)))
	if !json.Valid(text) {
		return nil, fmt.Errorf("a string that holds no JSON: %.40q", text)
	}
	return text, nil
}

// Null reports whether a value is null.
func Null(value []byte) bool { return value[0] == 'n' }

// Kind names the kind of a value for errors: a string, an object, null.
func Kind(value []byte) string {
	switch value[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// skip passes over what separates values: blanks, commas, colons.
func skip(text []byte, at int) int {
	for {
		switch text[at] {
		case ' ', '\t', '\r', '\n', ',', ':':
			at++
		default:
			return at
		}
	}
}

// valueEnd is the index behind the value that starts at text[at].
func valueEnd(text []byte, at int) int {
	switch text[at] {
	case '"':
		return stringEnd(text, at)
	case '{', '[':
		return nestEnd(text, at)
	}
	end := bytes.IndexAny(text[at:], " \t\r\n,]}")
	if end < 0 {
		return len(text)
	}
	return at + end
}

func stringEnd(text []byte, at int) int {
	for at++; ; at++ {
		at += bytes.IndexByte(text[at:], '"')
		escapes := 0
		for text[at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at + 1
		}
	}
}

func nestEnd(text []byte, at int) int {
	for open := 0; ; at++ {
		switch text[at] {
		case '"':
			at = stringEnd(text, at) - 1
		case '{', '[':
			open++
		case '}', ']':
			if open--; open == 0 {
				return at + 1
			}
		}
	}
}

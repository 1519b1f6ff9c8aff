package toolprivbench

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// object is a JSON object; of members with one name the last counts.
type object map[string]json.RawMessage

// parse reads an object; reason says why a text is none.
func parse(text []byte) (o object, reason string) {
	if !utf8.Valid(text) {
		return nil, "is not valid UTF-8"
	}
	var raw json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, "is not valid JSON: " + err.Error()
	}
	if k := kind(raw); k != "an object" {
		return nil, "is " + k + ", not an object"
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, "is not valid JSON: " + err.Error()
	}
	return o, ""
}

func (o object) keys() []string { return slices.Sorted(maps.Keys(o)) }

// text returns a member that is a string; reason says why there is none.
func (o object) text(key string) (s, reason string) {
	raw, ok := o[key]
	if !ok {
		return "", "is missing"
	}
	if k := kind(raw); k != "a string" {
		return "", "is " + k + ", not a string"
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", "is not valid JSON: " + err.Error()
	}
	return s, ""
}

// kind names what a valid JSON text is.
func kind(raw []byte) string {
	switch raw = bytes.TrimLeft(raw, " \t\r\n"); raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// quote shows a text from the file, cut where it is long.
func quote(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}

package think

import (
	"encoding/json"
	"slices"
	"strings"
)

// argument of a call, with what of its value the model has seen.
type argument struct {
	param string
	value string
	// inner: value is a part of the argument, such as a number in a statement.
	inner bool
}

// standsIn reports whether a value stands in a text as whole words, letter case aside.
func standsIn(text, value string) bool {
	if value == "" || len(value) > len(text) {
		return false
	}
	for i := 0; i+len(value) <= len(text); i++ {
		if text[i]|0x20 != value[0]|0x20 {
			continue
		}
		end := i + len(value)
		if strings.EqualFold(text[i:end], value) && boundary(text, i) && boundary(text, end) {
			return true
		}
	}
	return false
}

// boundary says that no word goes on across i.
func boundary(s string, i int) bool {
	return i == 0 || i == len(s) || !inWord(s[i-1]) || !inWord(s[i])
}

// maxValueWords bounds a value that is named as a whole.
const maxValueWords = 4

// seenArguments returns the arguments of a call as far as their values stand in one of the texts.
func seenArguments(arguments string, texts ...string) []argument {
	var out []argument
	// What is no object has no arguments that could be named.
	_ = members([]byte(arguments), func(name string, raw json.RawMessage) error {
		for _, v := range scalars(raw) {
			if seen(v, texts) && strings.Count(v, " ") < maxValueWords && plain(v) {
				out = append(out, argument{param: name, value: v})
				continue
			}
			for _, w := range strings.FieldsFunc(v, separates) {
				if w = strings.Trim(w, ".-"); telling(w) && seen(w, texts) {
					out = append(out, argument{param: name, value: w, inner: true})
				}
			}
		}
		return nil
	})
	return out
}

// plain says that a value can stand in prose as it is.
func plain(v string) bool { return !strings.ContainsAny(v, "\"`\n;") && !strings.Contains(v, ". ") }

// telling says that a value is one of this request, by its digits or capitals.
func telling(v string) bool {
	return len(v) > 1 && (strings.ContainsAny(v, "0123456789") || strings.ToLower(v) != v)
}

func separates(r rune) bool { return strings.ContainsRune(" \t\n=,;:'\"()<>[]{}|`/", r) }

func seen(v string, texts []string) bool {
	for _, t := range texts {
		if standsIn(t, v) {
			return true
		}
	}
	return false
}

// scalars returns strings and numbers, alone or in an array, as text.
func scalars(raw json.RawMessage) []string {
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return []string{s}
		}
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return []string{string(raw)}
	case raw[0] == '[':
		var items []json.RawMessage
		var out []string
		if json.Unmarshal(raw, &items) == nil {
			for _, item := range items {
				if len(item) > 0 && item[0] != '[' {
					out = append(out, scalars(item)...)
				}
			}
		}
		return out
	}
	return nil
}

// topics returns the values that a sentence can be about: names of one thing, such as 14-207 or harbor/web-client, sooner
// than long numbers, and those sooner than names in words.
func topics(args []argument) []string {
	var best []string
	rank := 0
	for _, a := range args {
		switch r := topicRank(a.value); {
		case r > rank:
			best, rank = []string{a.value}, r
		case r == rank && r > 0 && !slices.Contains(best, a.value):
			best = append(best, a.value)
		}
	}
	return best
}

func topicRank(v string) int {
	digits, others := 0, 0
	for _, r := range v {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case r != '.' && r != ':' && r != ',' && r != ' ':
			others++
		}
	}
	switch {
	case strings.Contains(v, " "):
		return 0
	case digits > 0 && others > 0 || strings.ContainsAny(v, "-/_@"):
		return 3
	case digits >= 4:
		return 2
	case strings.ToLower(v) != v:
		return 1
	}
	return 0
}

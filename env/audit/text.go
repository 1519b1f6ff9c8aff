package audit

import (
	"strings"
	"unicode"
)

// tokens splits s into lower-case runs of letters and digits: the unit of the word lists, of names and of overlap. Unlike
// value.Words it also cuts at hyphens and underscores, so that "fail-safe" and "run_as_root" show their parts.
func tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// run returns the position of the phrase's words as a run in text, or -1.
func run(text, phrase []string) int {
	for i := 0; len(phrase) > 0 && i+len(phrase) <= len(text); i++ {
		if matches(text[i:i+len(phrase)], phrase) {
			return i
		}
	}
	return -1
}

func matches(text, phrase []string) bool {
	for i, w := range phrase {
		stem, open := strings.CutSuffix(w, "*")
		if text[i] == w || open && strings.HasPrefix(text[i], stem) {
			continue
		}
		return false
	}
	return true
}

// listed returns the words of a text that stand first in a word list, or "".
func listed(text []string, list []string) string {
	for _, entry := range list {
		phrase := strings.Fields(entry)
		if at := run(text, phrase); at >= 0 {
			return strings.Join(text[at:at+len(phrase)], " ")
		}
	}
	return ""
}

// clauses splits a text into the words of its clauses, at full stops, semicolons, colons and commas.
func clauses(s string) [][]string {
	var out [][]string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".;:,!?", r) }) {
		if w := tokens(part); len(w) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// digits reports whether s holds a digit.
func digits(s string) bool {
	return strings.IndexFunc(s, unicode.IsDigit) >= 0
}

package think

import (
	"strings"
	"unicode/utf8"
)

// maxSpan and maxSpanWords bound a quotation from a request or a reply.
const (
	maxSpan      = 110
	maxSpanWords = 16
)

// clauses calls f for the parts of a request between its stops, commas, colons and dashes; question says that one ends
// with a question mark.
func clauses(s string, f func(part string, question bool)) {
	start := 0
	for i := 0; i < len(s); i++ {
		end := i
		switch c := s[i]; {
		case c == '\n':
		case strings.IndexByte(".,;:?!)", c) >= 0 && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n'):
		case (c == '-' || c == '/' || c == '|') && i > 0 && s[i-1] == ' ' && i+1 < len(s) && s[i+1] == ' ':
		case c == '(' && i > 0 && s[i-1] == ' ':
		case strings.HasPrefix(s[i:], "–"), strings.HasPrefix(s[i:], "—"):
		default:
			continue
		}
		f(strings.TrimSpace(s[start:end]), s[i] == '?')
		start = i + max(1, dash(s[i:]))
	}
	f(strings.TrimSpace(s[start:]), false)
}

// quotable says whether a text can stand between quotation marks.
func quotable(s string) bool {
	return s != "" && !strings.ContainsAny(s, "\"`“”\n") && !strings.Contains(s, ". ")
}

// span returns words of a reply as they stand, those about one of the values if there are any, in quotation marks or as
// code; empty where the reply holds nothing that can be quoted.
func span(reply string, values []string) string {
	line := about(strings.Split(strings.TrimSpace(reply), "\n"), values)
	line = about(sentences(line), values)
	line = strings.TrimRight(strings.TrimSpace(line), ".,;: ")
	if long(line) {
		line = about(cuts(strings.TrimLeft(line, "[{( ")), values)
	}
	switch {
	case line == "" || strings.Contains(line, "`") || strings.Contains(line, ". "):
		return ""
	case strings.ContainsAny(line, "\"“”{}[]<>|="):
		return "`" + line + "`"
	}
	return `"` + line + `"`
}

func long(s string) bool { return len(s) > maxSpan || strings.Count(s, " ") >= maxSpanWords }

// about returns the first part that holds one of the values, else the first that is not empty.
func about(parts []string, values []string) string {
	first := ""
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if first == "" {
			first = p
		}
		for _, v := range values {
			if standsIn(p, v) {
				return p
			}
		}
	}
	return first
}

// cuts divides a long text at its commas, semicolons and opening brackets, as far as they stand in no bracket or
// quotation, and what is still long after some words.
func cuts(s string) []string {
	var parts []string
	start, depth, quoted := 0, 0, false
	add := func(end int) {
		part := strings.Trim(s[start:end], ",; ")
		if long(part) {
			part = firstWords(part)
		}
		parts = append(parts, part)
		start = end
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[' || c == '{':
			if depth == 0 && i > 0 && s[i-1] == ' ' {
				add(i)
			}
			depth++
		case c == ')' || c == ']' || c == '}':
			depth = max(depth-1, 0)
		case depth == 0 && (c == ',' || c == ';') && i+1 < len(s) && s[i+1] == ' ':
			add(i)
		}
	}
	add(len(s))
	return parts
}

// firstWords returns the beginning of a long text, up to a word that begins a new phrase where there is one.
func firstWords(s string) string {
	words, end, phrase := 0, 0, 0
	for i := 0; i < len(s) && i <= maxSpan; i++ {
		if s[i] != ' ' {
			continue
		}
		if words++; words == maxSpanWords {
			break
		}
		end = i
		next, _, _ := strings.Cut(s[i+1:], " ")
		if words >= minQuote && (conjunctions[next] || relatives[next] || prepositions[next]) {
			phrase = i
		}
	}
	switch {
	case phrase > 0:
		return s[:phrase]
	case end > 0:
		return s[:end]
	}
	end = min(len(s), maxSpan)
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

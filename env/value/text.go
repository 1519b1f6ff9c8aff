package value

import "strings"

// Contains says whether item is found in text: the words of item one after the other, numbers by value and symbols
// between them ignored, or an item without a letter or digit as it stands (docs/family-format.md, Steps). Nothing is
// found in any text.
func Contains(text, item string) bool {
	return NewText(text).Contains(NewText(item))
}

// Text is a text made ready for Contains, as the text or as the item. Whoever looks for several items in one text, or for
// one item in many texts, makes it once. The zero value is the empty text.
type Text struct {
	raw string
	// words are the canonical words with a blank before, between and after them; empty where there are none. A sequence of
	// whole words is then a substring.
	words string
	// grouped are the words where digits in groups of three (1,250) read as one number; a list of numbers looks the same,
	// so both readings stand. Equal to words in nearly all texts.
	grouped string
	// n counts the words of grouped.
	n int
}

// NewText prepares s.
func NewText(s string) Text {
	t := Text{raw: strings.TrimSpace(s)}
	s = normal(s)
	t.words, t.n = canonicalWords(s)
	t.grouped = t.words
	if u := ungroup(s); u != s {
		t.grouped, t.n = canonicalWords(u)
	}
	return t
}

// Contains says whether item is found in t; see the function Contains.
func (t Text) Contains(item Text) bool {
	if item.words == "" {
		return strings.Contains(t.raw, item.raw)
	}
	return strings.Contains(t.words, item.words) || strings.Contains(t.grouped, item.grouped)
}

// canonicalWords joins the folded words of a text that is ASCII or normal, numbers by value, and counts them.
func canonicalWords(s string) (string, int) {
	out := make([]byte, 0, len(s)+2)
	n := 0
	for start, end := nextWord(s, 0); start < len(s); start, end = nextWord(s, end) {
		out = append(out, ' ')
		n++
		if number, ok := unsigned(s[start:end]); ok {
			out = append(out, number...)
			continue
		}
		for _, c := range []byte(s[start:end]) {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			out = append(out, c)
		}
	}
	if n == 0 {
		return "", 0
	}
	return string(append(out, ' ')), n
}

// ungroup removes the commas of numbers in groups of three. It may also join a list; see Text.
func ungroup(s string) string {
	if !strings.Contains(s, ",") {
		return s
	}
	var out []byte
	done := 0
	for i := 0; i < len(s); {
		n := digitRun(s[i:])
		end := i + n
		if 1 <= n && n <= 3 {
			for end < len(s) && s[end] == ',' && digitRun(s[end+1:]) == 3 {
				end += 4
			}
		}
		if end > i+n {
			out = append(out, s[done:i]...)
			out = append(out, strings.ReplaceAll(s[i:end], ",", "")...)
			done = end
		}
		i = max(end, i+1)
	}
	if out == nil {
		return s
	}
	return string(append(out, s[done:]...))
}

package value

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words returns the words of s, case folded, as they are written: letters and digits with inner hyphens and underscores,
// and dots inside numbers, so that 198.51.100.24 and v1.4.3 are one word each, utils.py two (docs/family-format.md,
// Steps).
func Words(s string) []string {
	var words []string
	s = lower(s)
	for start, end := nextWord(s, 0); start < len(s); start, end = nextWord(s, end) {
		words = append(words, s[start:end])
	}
	return words
}

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
	n       int
}

// NewText prepares s.
func NewText(s string) Text {
	t := Text{raw: strings.TrimSpace(s)}
	s = lower(s)
	t.words, t.n = canonicalWords(s)
	t.grouped = t.words
	if u := ungroup(s); u != s {
		t.grouped, _ = canonicalWords(u)
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

// canonicalWords joins the words of folded text, numbers by value, and counts them.
func canonicalWords(s string) (string, int) {
	out := make([]byte, 0, len(s)+2)
	n := 0
	for start, end := nextWord(s, 0); start < len(s); start, end = nextWord(s, end) {
		word := s[start:end]
		if key, ok := unsigned(word); ok {
			word = key
		}
		out = append(append(out, ' '), word...)
		n++
	}
	if n == 0 {
		return "", 0
	}
	return string(append(out, ' ')), n
}

// lower folds the case of s, and its other forms as normal does.
func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return normal(s)
}

// nextWord finds the first word of folded text at or after i; start is len(s) where there is none.
func nextWord(s string, i int) (start, end int) {
	for i < len(s) {
		n := wordRune(s, i)
		if n > 0 {
			break
		}
		i -= n
	}
	start = i
	for i < len(s) {
		if n := wordRune(s, i); n > 0 {
			i += n
			continue
		}
		n := joint(s, i)
		if n == 0 {
			break
		}
		i += n
	}
	return start, i
}

// wordRune returns the length of the character at i, negative where it is no letter, digit or mark.
func wordRune(s string, i int) int {
	c := s[i]
	if c < utf8.RuneSelf {
		if 'a' <= c && c <= 'z' || isDigit(c) {
			return 1
		}
		return -1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if unicode.In(r, unicode.L, unicode.N, unicode.M) {
		return n
	}
	return -n
}

// joint returns the length of what joins two parts of a word at i > 0: one hyphen, underscores, or a dot between digits;
// 0 where the word ends.
func joint(s string, i int) int {
	n := 1
	switch s[i] {
	case '-':
	case '_':
		for i+n < len(s) && s[i+n] == '_' {
			n++
		}
	case '.':
		if !isDigit(s[i-1]) || i+1 < len(s) && !isDigit(s[i+1]) {
			return 0
		}
	default:
		return 0
	}
	if i+n < len(s) && wordRune(s, i+n) > 0 {
		return n
	}
	return 0
}

// ungroup removes the commas of numbers in groups of three.
func ungroup(s string) string {
	if !strings.Contains(s, ",") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		n := digitRun(s[i:])
		end := i + n
		if 0 < n && n <= 3 && (i == 0 || !strings.ContainsRune("-_.", rune(s[i-1])) && wordRune(s, i-1) < 0) {
			end = groups(s, end)
		}
		end = max(end, i+1)
		for ; i < end; i++ {
			if n == 0 || s[i] != ',' {
				out = append(out, s[i])
			}
		}
	}
	return string(out)
}

// groups skips commas that stand before exactly three digits.
func groups(s string, i int) int {
	for i < len(s) && s[i] == ',' && digitRun(s[i+1:]) == 3 {
		i += 4
	}
	return i
}

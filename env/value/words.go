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

// lower folds the case of s, and its other forms as normal does.
func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return normal(s)
}

// nextWord finds the first word at or after i of a text that is ASCII or normal; start is len(s) where there is none.
func nextWord(s string, i int) (start, end int) {
	for i < len(s) {
		n, ok := wordRune(s, i)
		if ok {
			break
		}
		i += n
	}
	start = i
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf && inWord[c] {
			i++
			continue
		}
		n, ok := wordRune(s, i)
		if !ok {
			n = joint(s, i)
		}
		if n == 0 {
			break
		}
		i += n
	}
	return start, i
}

// inWord says which ASCII characters are letters or digits.
var inWord = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = isDigit(byte(c)) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	return table
}()

// wordRune returns the length of the character at i, and whether it is a letter or a digit.
func wordRune(s string, i int) (n int, ok bool) {
	if c := s[i]; c < utf8.RuneSelf {
		return 1, inWord[c]
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return n, unicode.In(r, unicode.L, unicode.N)
}

// joint returns the length of what carries on a word at i > 0 without being a letter or digit: a mark, or, before another
// letter or digit, one hyphen, underscores, or a dot between digits. It is 0 where the word ends.
func joint(s string, i int) int {
	n := 1
	switch c := s[i]; {
	case c == '-':
	case c == '_':
		for i+n < len(s) && s[i+n] == '_' {
			n++
		}
	case c == '.':
		if !isDigit(s[i-1]) || digitRun(s[i+1:]) == 0 {
			return 0
		}
	case c < utf8.RuneSelf:
		return 0
	default:
		if r, n := utf8.DecodeRuneInString(s[i:]); unicode.Is(unicode.M, r) {
			return n
		}
		return 0
	}
	if i+n == len(s) {
		return 0
	}
	if _, ok := wordRune(s, i+n); !ok {
		return 0
	}
	return n
}

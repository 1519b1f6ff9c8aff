package value

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// plainKey folds text that is neither a date nor a duration, and writes numbers by value.
func plainKey(s string) string {
	t := tidy(s)
	if n, ok := Number(t); ok {
		return n
	}
	f := trim(squeeze(t))
	if f == "" {
		// Symbols alone stay what they are, so that "/" is neither "." nor nothing.
		return t
	}
	// An identifier of digits may be written with or without its hyphens or blanks: 14-207, 14207.
	if n, ok := unsigned(strings.TrimPrefix(f, "+")); ok {
		if t[0] == '-' && n != "0" {
			return "-" + n
		}
		return n
	}
	return f
}

// tidy is the normal form without what surrounds the value.
func tidy(s string) string { return trim(normal(s)) }

// normal leaves ASCII alone. Other text gets Unicode NFKC, case folding, plain hyphens and blanks, and loses invisible
// characters.
func normal(s string) string {
	if isASCII(s) {
		return s
	}
	s = norm.NFKC.String(strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Map(plainRune, cases.Fold().String(s))
	return norm.NFKC.String(s)
}

// invisible are the characters that show nothing: format characters, variation selectors, fillers.
var invisible = []*unicode.RangeTable{unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point}

// plainRune replaces typographic hyphens, dashes, the minus sign and blanks, and drops what is invisible.
func plainRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case unicode.Is(unicode.Pd, r), r == '\u2212':
		return '-'
	case unicode.IsSpace(r):
		return ' '
	case unicode.In(r, invisible...):
		return -1
	}
	// Folding swaps the cases of Cherokee; for all other letters this changes nothing.
	return unicode.ToLower(r)
}

// trim removes blanks and quotes around s, and dots and slashes after it, in any order, while something remains.
func trim(s string) string {
	for {
		s = strings.TrimSpace(s)
		if inner, ok := unquote(s); ok {
			s = inner
			continue
		}
		end := len(s)
		for end > 0 && (s[end-1] == '.' || s[end-1] == '/') {
			end--
		}
		if end == 0 || end == len(s) {
			return s
		}
		s = s[:end]
	}
}

// quotes maps an opening quotation mark to the marks that may close it.
var quotes = map[rune]string{
	'"': `"`, '\'': "'", '`': "`",
	'“': "”“", '”': "”", '„': "“”", '‘': "’‘", '’': "’", '‚': "‘’", '«': "»", '»': "«", '‹': "›", '›': "‹",
}

// unquote removes one pair of outer quotes.
func unquote(s string) (string, bool) {
	// Nearly all values start with a letter or a digit.
	if len(s) < 2 || s[0] < utf8.RuneSelf && s[0] != '"' && s[0] != '\'' && s[0] != '`' {
		return s, false
	}
	first, n := utf8.DecodeRuneInString(s)
	last, m := utf8.DecodeLastRuneInString(s)
	if n+m > len(s) || !strings.ContainsRune(quotes[first], last) {
		return s, false
	}
	return s[n : len(s)-m], true
}

// squeeze lowers ASCII letters and removes blanks, hyphens and underscores.
func squeeze(s string) string {
	i := 0
	for i < len(s) && squeezed(s[i]) == s[i] {
		i++
	}
	if i == len(s) {
		return s
	}
	out := make([]byte, i, len(s))
	copy(out, s)
	for ; i < len(s); i++ {
		if c := squeezed(s[i]); c != 0 {
			out = append(out, c)
		}
	}
	if isASCII(s) {
		return string(out)
	}
	// A mark may have come to stand beside its letter.
	return norm.NFKC.String(string(out))
}

// squeezed is the lower case of a byte, 0 for one that goes.
func squeezed(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case c == ' ', '\t' <= c && c <= '\r', c == '-', c == '_':
		return 0
	}
	return c
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

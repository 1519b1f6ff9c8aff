package think

import "strings"

// minStem keeps short words apart: a note is no "not".
const minStem = 4

// stem cuts the endings of a lower-case word, so that "lapses" and "lapsed" are one. It allocates nothing.
func stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	if len(w) <= 3 {
		return w
	}
	if cut, ok := strings.CutSuffix(w, "ies"); ok {
		return cut
	}
	if !strings.HasSuffix(w, "ss") {
		w = strings.TrimSuffix(w, "s")
	}
	for _, ending := range [...]string{"ing", "ed", "e", "y"} {
		if cut, ok := strings.CutSuffix(w, ending); ok && len(cut) >= minStem {
			w = cut
			break
		}
	}
	if n := len(w); n > 2 && w[n-1] == w[n-2] {
		w = w[:n-1]
	}
	return w
}

// inWord says whether the byte belongs to a word; bytes of letters beyond ASCII do.
func inWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}

// nextWord returns the bounds of the next word at or after i, with inner hyphens and apostrophes; start is len(s) at the
// end.
func nextWord(s string, i int) (start, end int) {
	for i < len(s) && (!inWord(s[i]) || dash(s[i:]) > 0) {
		i += max(1, dash(s[i:]))
	}
	start = i
	for i < len(s) && dash(s[i:]) == 0 {
		switch {
		case inWord(s[i]):
		case (s[i] == '-' || s[i] == '\'') && i > start && i+1 < len(s) && inWord(s[i+1]):
		default:
			return start, i
		}
		i++
	}
	return start, i
}

// dash returns the length of a typographic mark at the start of s, 0 where there is none. Their bytes look like letters.
func dash(s string) int {
	if s[0] != 0xe2 {
		return 0
	}
	for _, mark := range [...]string{"–", "—", "…", "“", "”", "‘"} {
		if strings.HasPrefix(s, mark) {
			return len(mark)
		}
	}
	return 0
}

// eachStem calls f with the stem of each word of a lower-case text.
func eachStem(s string, f func(stem string)) {
	for start, end := nextWord(s, 0); start < len(s); start, end = nextWord(s, end) {
		f(stem(s[start:end]))
	}
}

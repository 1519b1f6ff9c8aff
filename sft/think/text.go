package think

import "strings"

// sentences divides a description or note. A full stop ends a sentence where a blank and a new beginning follow, outside
// code.
func sentences(s string) []string {
	var out []string
	start, code := 0, false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '`':
			code = !code
		case code || c != '.' && c != '!' && c != '?':
		case i+1 == len(s) || i+2 < len(s) && s[i+1] == ' ' && !abbreviated(s[start:i]):
			out = append(out, strings.TrimSpace(s[start:i+1]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(s[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// abbreviated says that the full stop after s ends an abbreviation, not a sentence.
func abbreviated(s string) bool {
	word := s[strings.LastIndexByte(s, ' ')+1:]
	switch strings.ToLower(word) {
	case "e.g", "i.e", "etc", "no", "cf", "vs", "st", "mr", "mrs", "dr", "approx":
		return true
	}
	return len(word) == 1 && inWord(word[0]) && !hasDigit(word)
}

package think

import "strings"

// finish puts capitals at the beginning of sentences and closes up blanks.
func finish(b []byte) string {
	out := make([]byte, 0, len(b))
	start, code, quoted := true, false, false
	for _, c := range b {
		switch {
		case c == '`':
			code = !code
		case c == '"' && !code:
			quoted = !quoted
		case c == ' ' && !code && !quoted && (len(out) == 0 || out[len(out)-1] == ' '):
			continue
		case (c == '.' || c == ',' || c == ';' || c == ':') && !code && !quoted && len(out) > 0 && out[len(out)-1] == ' ':
			out = out[:len(out)-1]
		}
		if start && c != ' ' {
			if !code && !quoted && 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			start = false
		}
		if c == ' ' && !code && !quoted && len(out) > 0 && strings.IndexByte(".!?", out[len(out)-1]) >= 0 {
			start = true
		}
		out = append(out, c)
	}
	return strings.TrimSpace(string(out))
}

package rawjson

// maxDepth is how deep encoding/json lets values nest.
const maxDepth = 10_000

// valid is json.Valid at several times its speed: rows are long, and most of a row is never decoded.
func valid(s []byte) bool {
	open := make([]byte, 0, 64) // the brackets that close what is open
	at, key := skipBlanks(s, 0), false
	for at < len(s) {
		switch c := s[at]; {
		case key:
			if at = keyEnd(s, at); at < 0 {
				return false
			}
			key = false
			continue
		case c == '{' || c == '[':
			open = append(open, c+2)
			if len(open) > maxDepth {
				return false
			}
			at = skipBlanks(s, at+1)
			if at < len(s) && s[at] != c+2 {
				key = c == '{'
				continue
			}
		default:
			if at = scalarEnd(s, at); at < 0 {
				return false
			}
		}
		// Behind a value, or at the bracket of an empty one.
		for at = skipBlanks(s, at); len(open) > 0 && at < len(s) && s[at] == open[len(open)-1]; at = skipBlanks(s, at+1) {
			open = open[:len(open)-1]
		}
		switch {
		case len(open) == 0:
			return at == len(s)
		case at == len(s) || s[at] != ',':
			return false
		}
		at, key = skipBlanks(s, at+1), open[len(open)-1] == '}'
	}
	return false
}

func skipBlanks(s []byte, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\n' || s[at] == '\t' || s[at] == '\r') {
		at++
	}
	return at
}

// keyEnd is the index of the value that a key and a colon introduce, -1 where there is none.
func keyEnd(s []byte, at int) int {
	if s[at] != '"' {
		return -1
	}
	if at = textEnd(s, at+1); at < 0 {
		return -1
	}
	if at = skipBlanks(s, at); at == len(s) || s[at] != ':' {
		return -1
	}
	return skipBlanks(s, at+1)
}

// scalarEnd is the index behind a string, number or word, -1 where there is none.
func scalarEnd(s []byte, at int) int {
	switch s[at] {
	case '"':
		return textEnd(s, at+1)
	case 't':
		return wordEnd(s, at, "true")
	case 'f':
		return wordEnd(s, at, "false")
	case 'n':
		return wordEnd(s, at, "null")
	}
	return numberEnd(s, at)
}

func wordEnd(s []byte, at int, word string) int {
	if len(s)-at < len(word) || string(s[at:at+len(word)]) != word {
		return -1
	}
	return at + len(word)
}

// plain marks the bytes that stand for themselves in a string.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return t
}()

// textEnd is the index behind the string whose first byte is at, -1 where it does not end or has what it may not have.
func textEnd(s []byte, at int) int {
	for at < len(s) {
		switch c := s[at]; {
		case plain[c]:
			at++
		case c == '"':
			return at + 1
		case c != '\\' || at+1 == len(s):
			return -1
		case s[at+1] == 'u':
			if len(s)-at < 6 || !hex(s[at+2:at+6]) {
				return -1
			}
			at += 6
		default:
			switch s[at+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				at += 2
			default:
				return -1
			}
		}
	}
	return -1
}

func hex(s []byte) bool {
	for _, c := range s {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

func numberEnd(s []byte, at int) int {
	if s[at] == '-' {
		at++
	}
	start := at
	if at = digitsEnd(s, at); at == start || s[start] == '0' && at > start+1 {
		return -1
	}
	if at < len(s) && s[at] == '.' {
		if at = digitsEnd(s, at+1); s[at-1] == '.' {
			return -1
		}
	}
	if at < len(s) && s[at]|0x20 == 'e' {
		if at++; at < len(s) && (s[at] == '+' || s[at] == '-') {
			at++
		}
		start := at
		if at = digitsEnd(s, at); at == start {
			return -1
		}
	}
	return at
}

func digitsEnd(s []byte, at int) int {
	for at < len(s) && s[at] >= '0' && s[at] <= '9' {
		at++
	}
	return at
}

package scenario

import "strings"

// counter is the name that counts the rows of `repeat`.
const counter = "i"

// nextPlaceholder finds the first `{name}` of s: where it begins, its name, and where it ends. Braces around anything
// but an identifier are text, so that JSON may stand in a reply. ok is false where there is none.
func nextPlaceholder(s string) (begin int, name string, end int, ok bool) {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '{')
		if i < 0 {
			return 0, "", 0, false
		}
		begin = from + i
		n := identifier(s[begin+1:])
		if end = begin + 1 + n; n > 0 && end < len(s) && s[end] == '}' {
			return begin, s[begin+1 : end], end + 1, true
		}
		from = begin + 1
	}
}

// Placeholders lists the names of a text's `{name}`, in order: what an instance needs a value for.
func Placeholders(s string) []string {
	var out []string
	for {
		_, name, end, ok := nextPlaceholder(s)
		if !ok {
			return out
		}
		out = append(out, name)
		s = s[end:]
	}
}

// arguments lists the `$name` in a text, in order; a `$` before anything but a letter or underscore is text.
func arguments(s string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(s, "$")
		if !ok {
			return out
		}
		n := identifier(rest)
		if n > 0 {
			out = append(out, rest[:n])
		}
		s = rest[n:]
	}
}

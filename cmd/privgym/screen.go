package main

import (
	"fmt"
	"io"
	"os"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// screen escapes what would act on a terminal, or turn a line about, in the way of JSON and Go: \u001b. Ids, texts and
// errors that a command prints may come from files and servers of strangers. Within JSON the value stays what it is.
type screen struct{ io.Writer }

// Write writes all of p, or fails.
func (s screen) Write(p []byte) (int, error) {
	if n, err := s.Writer.Write(harmless(p)); err != nil {
		return min(n, len(p)), err
	}
	return len(p), nil
}

// harmless returns the text itself where there is nothing to escape.
func harmless(p []byte) []byte {
	var out []byte
	done := 0
	for at := 0; at < len(p); {
		r, n := rune(p[at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(p[at:])
		}
		if acts(r) {
			out = fmt.Appendf(append(out, p[done:at]...), `\u%04x`, r)
			done = at + n
		}
		at += n
	}
	if done == 0 {
		return p
	}
	return append(out, p[done:]...)
}

// acts reports whether a character does something else than to show itself. Line feeds and tabs are the layout.
func acts(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

// terminalOf returns the terminal that a stream of a command is, nil where it is none. What is written to it is not escaped.
func terminalOf(w io.Writer) *os.File {
	if s, ok := w.(screen); ok {
		w = s.Writer
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

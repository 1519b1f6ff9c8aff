package world

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// csvForm writes a header and the rows, quoted as RFC 4180 says, with line feeds between them; an empty line stands
// before the header of a further block.
func csvForm(blocks []block) []byte {
	return lines(blocks, func(dst []byte, _ *block, fields []string) []byte {
		for i, field := range fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			if !strings.ContainsAny(field, ",\"\r\n") {
				dst = append(dst, field...)
				continue
			}
			dst = append(dst, '"')
			dst = append(dst, strings.ReplaceAll(field, `"`, `""`)...)
			dst = append(dst, '"')
		}
		return dst
	})
}

// widest bounds the width to which a column of a table is filled up.
const widest = 40

// tableForm writes a header and the rows in columns of equal width with two blanks between them.
func tableForm(blocks []block) []byte {
	for i := range blocks {
		blocks[i].measure()
	}
	return lines(blocks, func(dst []byte, b *block, fields []string) []byte {
		for i, field := range fields {
			if i > 0 {
				dst = append(dst, "  "...)
			}
			field = oneLine(field)
			dst = append(dst, field...)
			if fill := b.widths[i] - utf8.RuneCountInString(field); i < len(fields)-1 && fill > 0 {
				dst = append(dst, strings.Repeat(" ", fill)...)
			}
		}
		return bytes.TrimRight(dst, " ")
	})
}

// oneLine replaces what would break a line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}

// lines writes each block as a header and a line a row.
func lines(blocks []block, write func(dst []byte, b *block, fields []string) []byte) []byte {
	var out []byte
	for i := range blocks {
		b := &blocks[i]
		if i > 0 {
			out = append(out, "\n\n"...)
		}
		out = write(out, b, b.columns)
		fields := make([]string, len(b.cols))
		for _, cells := range b.rows {
			if len(out) > shownBytes {
				break
			}
			for j, col := range b.cols {
				fields[j] = cells[col].text
			}
			out = write(append(out, '\n'), b, fields)
		}
	}
	return out
}

// measure settles the widths of the columns.
func (b *block) measure() {
	b.widths = make([]int, len(b.cols))
	for i, col := range b.cols {
		b.widths[i] = utf8.RuneCountInString(b.columns[i])
		for _, cells := range b.rows {
			b.widths[i] = max(b.widths[i], min(widest, utf8.RuneCountInString(cells[col].text)))
		}
	}
}

// lineForm writes a row as column=value pairs on a line, a value with blanks, quotes or = in quotes.
func lineForm(blocks []block) []byte {
	var out []byte
	for i := range blocks {
		b := &blocks[i]
		for _, cells := range b.rows {
			if len(out) > shownBytes {
				break
			}
			if len(out) > 0 {
				out = append(out, '\n')
			}
			out = b.appendPairs(out, cells)
		}
	}
	return out
}

func (b *block) appendPairs(dst []byte, cells []cell) []byte {
	start := len(dst)
	for i, col := range b.cols {
		c := cells[col]
		if !c.present() {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		dst = append(append(dst, b.columns[i]...), '=')
		if c.text == "" || strings.ContainsFunc(c.text, func(r rune) bool { return r <= ' ' || r == '"' || r == '=' }) {
			dst = appendQuoted(dst, c.text)
		} else {
			dst = append(dst, c.text...)
		}
	}
	return dst
}

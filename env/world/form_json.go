package world

import "slices"

// jsonForm writes one row as an object and several as an array; rows of several tables as an object with a member for
// each. A cell that is a JSON number stands as a number with its digits, any other as a string; an absent one is left out.
func jsonForm(blocks []block) []byte {
	sameTable := func(b block) bool { return b.table == blocks[0].table }
	if !slices.ContainsFunc(blocks, func(b block) bool { return !sameTable(b) }) {
		return appendRows(nil, blocks, blocks[0].table)
	}
	out := []byte{'{'}
	var done []string
	for _, b := range blocks {
		if slices.Contains(done, b.table) {
			continue
		}
		if len(done) > 0 {
			out = append(out, ", "...)
		}
		done = append(done, b.table)
		out = append(appendQuoted(out, b.table), ": "...)
		out = appendRows(out, blocks, b.table)
	}
	return append(out, '}')
}

// appendRows appends the rows of the blocks of one table.
func appendRows(dst []byte, blocks []block, table string) []byte {
	rows := 0
	for _, b := range blocks {
		if b.table == table {
			rows += len(b.rows)
		}
	}
	if rows != 1 {
		dst = append(dst, '[')
	}
	first := true
	for i := range blocks {
		if blocks[i].table != table {
			continue
		}
		for _, cells := range blocks[i].rows {
			if !first && len(dst) > shownBytes {
				break
			}
			if !first {
				dst = append(dst, ", "...)
			}
			first = false
			dst = blocks[i].appendObject(dst, cells)
		}
	}
	if rows != 1 {
		dst = append(dst, ']')
	}
	return dst
}

func (b *block) appendObject(dst []byte, cells []cell) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for i, col := range b.cols {
		c := cells[col]
		if !c.present() {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ", "...)
		}
		dst = append(appendQuoted(dst, b.columns[i]), ": "...)
		if numeral(c.text) {
			dst = append(dst, c.text...)
		} else {
			dst = appendQuoted(dst, c.text)
		}
	}
	return append(dst, '}')
}

package scenario

import "slices"

// world reads the tables. Their columns are those of their rows.
func (d *decoder) world(f *Family, x fields) {
	if !x.has("world") {
		return
	}
	rows := 0
	for _, e := range d.entries(x.values["world"], "`world`", 1, maxTables) {
		if !nameOf.MatchString(e.key) {
			d.find(e.line, "`%s` cannot name a table; write a lower-case word, with underscores", clip(e.key))
			continue
		}
		t := Table{Name: e.key, Line: e.line}
		for _, n := range d.list(e.value, "table `"+e.key+"`", 1, maxRows) {
			row := d.row(n)
			for _, c := range row.Cells {
				if !slices.Contains(t.Columns, c.Column) {
					t.Columns = append(t.Columns, c.Column)
				}
			}
			t.Rows = append(t.Rows, row)
		}
		if len(t.Columns) > maxColumns {
			d.find(e.line, "table `%s` has %d columns; write at most %d", t.Name, len(t.Columns), maxColumns)
			t.Columns = t.Columns[:maxColumns]
		}
		rows += len(t.Rows)
		f.Tables = append(f.Tables, t)
	}
	if rows > maxRows {
		d.find(x.values["world"].line, "%d rows; the tables of a family have at most %d together", rows, maxRows)
	}
}

func (d *decoder) row(n *node) Row {
	r := Row{Line: n.line}
	for _, e := range d.entries(n, "a row", 1, maxColumns+1) {
		switch {
		case e.key == "repeat":
			r.Repeat = d.lineText(e.value, "`repeat`")
		case !nameOf.MatchString(e.key):
			d.find(e.line, "`%s` cannot name a column; write a lower-case word, with underscores", clip(e.key))
		default:
			r.Cells = append(r.Cells, Pair{Column: e.key, Value: d.cell(e.value, e.key)})
		}
	}
	if r.Repeat.S != "" && len(r.Cells) == 0 {
		d.find(r.Line, "a row with `repeat` alone; give it columns")
	}
	return r
}

// cell may be empty where it is quoted; it stands on one line.
func (d *decoder) cell(n *node, column string) Text {
	if n.shape == scalar && n.text == "" {
		return Text{Line: n.line}
	}
	return d.lineText(n, "`"+clip(column)+"`")
}

// pairs reads `{column: value, …}`.
func (d *decoder) pairs(n *node, what string) []Pair {
	var out []Pair
	for _, e := range d.entries(n, what, 1, maxColumns) {
		out = append(out, Pair{Column: e.key, Value: d.cell(e.value, e.key)})
	}
	return out
}

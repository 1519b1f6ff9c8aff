// Package eval keeps evaluations of models in run directories, and prints their tables.
package eval

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/privgym/privgym/reward/stats"
)

// Table is cells with the place of each. Where a table has a row for each run, Row is the run; where it has a column for
// each, Column is.
type Table struct {
	// Name is short and stable, for programs; Title is for people.
	Name  string
	Title string
	// Corner heads the rows.
	Corner string
	Cells  []Cell
	// Notes stand below the table.
	Notes []string
}

// Cell is one entry: what people read, and the numbers behind it, nil where there are none. Of a proportion with fewer
// than stats.MinShown rows the counts are there and the values are not.
type Cell struct {
	// Run is the run that the cell is of, or that it compares with the first.
	Run, Row, Column string
	Text             string
	Hits             *int
	N                *int
	Families         *int
	Value, Low, High *float64
	// plain says that the text has no number behind it.
	plain bool
}

// none stands where there is no value.
const none = "–"

// add places cells in a row, each in its column.
func (t *Table) add(run, row, column string, c Cell) {
	c.Run, c.Row, c.Column = run, row, column
	t.Cells = append(t.Cells, c)
}

// words is a cell of text, made fit for a terminal: files of others may hold anything.
func words(s string) Cell {
	return Cell{Text: printable(s), plain: true}
}

// printable replaces what is no letter, mark, number, sign or plain blank, and cuts what is long.
func printable(s string) string {
	const longest = 200
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
	if runes := []rune(s); len(runes) > longest {
		s = string(runes[:longest]) + "…"
	}
	return s
}

func countCell(n int) Cell {
	v := float64(n)
	return Cell{Text: fmt.Sprint(n), Value: &v}
}

// number is a cell of a number with so many decimals; NaN is none.
func number(v float64, decimals int) Cell {
	c := Cell{Text: none, Value: stats.OrNull(v)}
	if c.Value != nil {
		c.Text = fmt.Sprintf("%.*f", decimals, v)
	}
	return c
}

func meanCell(m stats.Mean) Cell {
	c := number(m.Value, 2)
	c.N = &m.N
	if m.N > 0 {
		c.Text += fmt.Sprintf(" n=%d", m.N)
	}
	return c
}

// pCell is that of a probability of a test.
func pCell(p float64) Cell {
	c := number(p, 4)
	if p < 0.0001 {
		c.Text = "<0.0001"
	}
	return c
}

// bounds is a cell of per cent from low to high.
func bounds(low, high float64) Cell {
	c := Cell{Text: none, Low: stats.OrNull(low), High: stats.OrNull(high)}
	if c.Low != nil {
		c.Text = fmt.Sprintf("%.1f%% to %.1f%%", 100*low, 100*high)
	}
	return c
}

// proportion has the numbers of an estimate. Its text is as String, or the counts alone where too few rows stand behind it.
func proportion(e stats.Estimate) Cell {
	c := Cell{Text: e.String(), Hits: &e.Hits, N: &e.N, Families: &e.Families}
	switch {
	case e.Shown():
		c.Value, c.Low, c.High = stats.OrNull(e.Value), stats.OrNull(e.Low), stats.OrNull(e.High)
	case e.Known():
		c.Text = fmt.Sprintf("%d/%d", e.Hits, e.N)
	}
	return c
}

// withN is a proportion whose text tells its rows and families.
func withN(e stats.Estimate) Cell {
	c := proportion(e)
	if e.Shown() {
		c.Text += " " + rows(e)
	}
	return c
}

// valueWithN is withN without the interval, for tables of many columns.
func valueWithN(e stats.Estimate) Cell {
	c := proportion(e)
	if e.Shown() {
		c.Text = fmt.Sprintf("%.1f%% %s", 100*e.Value, rows(e))
	}
	return c
}

// value is a proportion in per cent alone.
func value(e stats.Estimate) Cell {
	c := proportion(e)
	if e.Shown() {
		c.Text = fmt.Sprintf("%.1f%%", 100*e.Value)
	}
	return c
}

// withHits is a proportion whose text is the number of hits, and per cent.
func withHits(e stats.Estimate) Cell {
	c := proportion(e)
	if e.Shown() {
		c.Text = fmt.Sprintf("%d (%.1f%%)", e.Hits, 100*e.Value)
	}
	return c
}

// rows tells the rows of an estimate, and its families where they are fewer.
func rows(e stats.Estimate) string {
	if e.Families == e.N {
		return fmt.Sprintf("n=%d", e.N)
	}
	return fmt.Sprintf("n=%d f=%d", e.N, e.Families)
}

// differenceCell is that of a difference in percentage points.
func differenceCell(d stats.Difference) Cell {
	c := Cell{Text: d.String(), N: &d.Pairs, Families: &d.Families}
	switch {
	case d.Pairs >= stats.MinShown:
		c.Value, c.Low, c.High = stats.OrNull(d.Value), stats.OrNull(d.Low), stats.OrNull(d.High)
	case d.Known():
		c.Text = fmt.Sprintf("n=%d", d.Pairs)
	}
	return c
}

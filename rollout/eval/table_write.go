package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// Formats are the names that Write takes.
func Formats() []string { return []string{"text", "markdown", "csv", "json"} }

// Write writes tables: as text or Markdown for people, as one CSV with a line for each cell, or as JSON. Programs find the
// numbers in the last two; what has no value is empty there, and null.
func Write(w io.Writer, tables []Table, format string) error {
	switch format {
	case "text":
		return writePages(w, tables, "%s\n%s\n", table.Writer.Render)
	case "markdown":
		return writePages(w, tables, "### %s\n\n%s\n", table.Writer.RenderMarkdown)
	case "csv":
		return writeCSV(w, tables)
	case "json":
		return writeJSON(w, tables)
	}
	return fmt.Errorf("format %q is none of %s", format, strings.Join(Formats(), ", "))
}

func writePages(w io.Writer, tables []Table, page string, render func(table.Writer) string) error {
	for i := range tables {
		t := &tables[i]
		text := fmt.Sprintf(page, t.Title, render(t.pivot()))
		for _, note := range t.Notes {
			text += "\n" + note + "\n"
		}
		if i > 0 {
			text = "\n" + text
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// pivot lays the cells out by row and column, both in the order in which they come.
func (t *Table) pivot() table.Writer {
	var rowNames, columns []string
	texts := map[[2]string]string{}
	for i := range t.Cells {
		c := &t.Cells[i]
		rowNames, columns = once(rowNames, c.Row), once(columns, c.Column)
		texts[[2]string{c.Row, c.Column}] = c.Text
	}
	out := table.NewWriter()
	out.SetStyle(table.StyleLight)
	out.Style().Format.Header = 0 // as written
	header := table.Row{t.Corner}
	for _, column := range columns {
		header = append(header, column)
	}
	out.AppendHeader(header)
	for _, name := range rowNames {
		line := table.Row{name}
		for _, column := range columns {
			line = append(line, texts[[2]string{name, column}])
		}
		out.AppendRow(line)
	}
	return out
}

func writeCSV(w io.Writer, tables []Table) error {
	out := table.NewWriter()
	out.AppendHeader(table.Row{"table", "run", "row", "column", "hits", "n", "families", "value", "low", "high", "text"})
	for i := range tables {
		for _, c := range tables[i].Cells {
			out.AppendRow(table.Row{
				tables[i].Name, c.Run, c.Row, c.Column, whole(c.Hits), whole(c.N), whole(c.Families),
				decimal(c.Value), decimal(c.Low), decimal(c.High), c.onlyText(),
			})
		}
	}
	_, err := fmt.Fprintln(w, out.RenderCSV())
	return err
}

// onlyText is the text of a cell without numbers.
func (c *Cell) onlyText() string {
	if c.plain {
		return c.Text
	}
	return ""
}

func whole(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func decimal(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

// cellJSON is a cell as JSON; value is null where there is none.
type cellJSON struct {
	Run      string   `json:"run,omitempty"`
	Row      string   `json:"row"`
	Column   string   `json:"column"`
	Text     string   `json:"text,omitempty"`
	Hits     *int     `json:"hits,omitempty"`
	N        *int     `json:"n,omitempty"`
	Families *int     `json:"families,omitempty"`
	Value    *float64 `json:"value"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
}

type tableJSON struct {
	Name  string     `json:"name"`
	Title string     `json:"title"`
	Notes []string   `json:"notes,omitempty"`
	Cells []cellJSON `json:"cells"`
}

func writeJSON(w io.Writer, tables []Table) error {
	out := make([]tableJSON, len(tables))
	for i, t := range tables {
		out[i] = tableJSON{t.Name, t.Title, t.Notes, []cellJSON{}}
		for _, c := range t.Cells {
			out[i].Cells = append(out[i].Cells, cellJSON{
				c.Run, c.Row, c.Column, c.onlyText(), c.Hits, c.N, c.Families, c.Value, c.Low, c.High,
			})
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(map[string]any{"tables": out})
}

// join lists values apart by commas, a few of them.
func join[T any](values []T) string {
	const most = 3
	texts := make([]string, 0, most+1)
	for _, v := range values[:min(len(values), most)] {
		texts = append(texts, fmt.Sprint(v))
	}
	if len(values) > most {
		texts = append(texts, "…")
	}
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), ", ")
}

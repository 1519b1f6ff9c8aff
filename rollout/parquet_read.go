package rollout

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// ReadParquet is ReadJSONL for a Parquet file of the given size; rows count as lines. A file whose bytes are damaged is
// an error that names the row, never a panic.
func ReadParquet(file string, r io.ReaderAt, size int64, row func(line int, rec *Record) error, bad func(*RowError)) (err error) {
	line := 0
	defer func() {
		if p := recover(); p != nil { // the library panics on some flipped bytes
			err = fmt.Errorf("%s: damaged Parquet file, at row %d: %v", file, line+1, p)
		}
	}()
	f, err := openParquet(r, size)
	if err != nil {
		return fmt.Errorf("%s: not a Parquet file: %w", file, err)
	}
	cells, err := cellsOf(f.Schema())
	if err != nil {
		return fmt.Errorf("%s: not trajectory records: %w", file, err)
	}
	for _, group := range f.RowGroups() {
		if err := groupRows(group, func(values parquet.Row) error {
			line++
			var columns parquetRow
			rec := (*Record)(nil)
			err := fill(&columns, values, cells)
			if err == nil {
				rec, err = fromRow(&columns)
			}
			if err != nil {
				bad(&RowError{file, line, err})
				return nil
			}
			return row(line, rec)
		}); err != nil {
			var stop callerError
			if errors.As(err, &stop) {
				return stop.error
			}
			return fmt.Errorf("%s: damaged Parquet file, at row %d: %w", file, line+1, err)
		}
	}
	return nil
}

// cell puts a value of one column into a row. Values are taken by their kind and not by the library's reflection: damaged
// files hand out values of other kinds than their column's, which reflection would read as addresses.
type cell struct {
	name string
	kind parquet.Kind
	set  func(*parquetRow, parquet.Value)
}

// cellsOf maps the columns of a file, by their index, to those of a row; columns that reading ignores have no set.
func cellsOf(schema *parquet.Schema) ([]cell, error) {
	cells := make([]cell, len(schema.Columns()))
	for _, c := range rowCells {
		path := []string{c.name}
		if c.name == "messages" || c.name == "tools" {
			path = append(path, "list", "element")
		}
		leaf, ok := schema.Lookup(path...)
		if !ok {
			return nil, fmt.Errorf("there is no column %s", c.name)
		}
		cells[leaf.ColumnIndex] = c
	}
	return cells, nil
}

func fill(row *parquetRow, values parquet.Row, cells []cell) error {
	for _, v := range values {
		if v.Column() < 0 || v.Column() >= len(cells) {
			return errors.New("damaged: a value of no column")
		}
		c := &cells[v.Column()]
		switch {
		case c.set == nil || v.IsNull(): // an empty list is a null
		case v.Kind() != c.kind:
			return fmt.Errorf("damaged: column %s holds a value of kind %s", c.name, v.Kind())
		default:
			c.set(row, v)
		}
	}
	return nil
}

// text is a cell for a string column.
func text(name string, field func(*parquetRow) *string) cell {
	return cell{name, parquet.ByteArray, func(r *parquetRow, v parquet.Value) { *field(r) = string(v.ByteArray()) }}
}

// rowCells are the columns that a record is read from.
var rowCells = []cell{
	text("id", func(r *parquetRow) *string { return &r.ID }),
	text("scenario_id", func(r *parquetRow) *string { return &r.ScenarioID }),
	text("family", func(r *parquetRow) *string { return &r.Family }),
	text("split", func(r *parquetRow) *string { return &r.Split }),
	text("domain", func(r *parquetRow) *string { return &r.Domain }),
	text("risk", func(r *parquetRow) *string { return &r.Risk }),
	text("corpus_digest", func(r *parquetRow) *string { return &r.CorpusDigest }),
	text("version", func(r *parquetRow) *string { return &r.Version }),
	text("options", func(r *parquetRow) *string { return &r.Options }),
	text("fault_plan", func(r *parquetRow) *string { return &r.FaultPlan }),
	text("trace", func(r *parquetRow) *string { return &r.Trace }),
	text("outcome", func(r *parquetRow) *string { return &r.Outcome }),
	text("blast", func(r *parquetRow) *string { return &r.Blast }),
	text("rewards", func(r *parquetRow) *string { return &r.Rewards }),
	text("policy", func(r *parquetRow) *string { return &r.Policy }),
	text("model", func(r *parquetRow) *string { return &r.Model }),
	text("log_id", func(r *parquetRow) *string { return &r.LogID }),
	text("error", func(r *parquetRow) *string { return &r.Error }),
	{"seed", parquet.Int64, func(r *parquetRow, v parquet.Value) { r.Seed = v.Int64() }},
	{"terminated", parquet.Boolean, func(r *parquetRow, v parquet.Value) { r.Terminated = v.Boolean() }},
	{"answered", parquet.Boolean, func(r *parquetRow, v parquet.Value) { r.Answered = v.Boolean() }},
	{"messages", parquet.ByteArray, func(r *parquetRow, v parquet.Value) {
		r.Messages = append(r.Messages, string(v.ByteArray()))
	}},
	{"tools", parquet.ByteArray, func(r *parquetRow, v parquet.Value) {
		r.Tools = append(r.Tools, string(v.ByteArray()))
	}},
}

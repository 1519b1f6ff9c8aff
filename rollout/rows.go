package rollout

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// Row of an input.
type Row struct {
	// Line counts from 1; in a Parquet file it is the row.
	Line int
	// JSON is the text of a line, or a row of Parquet as an object; only its beginning where Err is set. It is good until
	// the next row.
	JSON []byte
	// Err says why the row cannot be used.
	Err error
}

// Record decodes a row as a trajectory record, which may come as DecodeRaw takes it.
func (r Row) Record() (*Record, error) {
	if r.Err != nil {
		return nil, r.Err
	}
	raw, err := DecodeRaw(r.JSON)
	if err != nil {
		return nil, err
	}
	return raw.Recorded()
}

// Rows calls row for each row in order; blank lines are passed over. It stops at the first error that row returns. Where
// the file cannot be read on, because it is cut or damaged, it returns a *RowError with the place.
func (in *Input) Rows(row func(Row) error) error {
	if in.lines == nil {
		return in.parquetRows(row)
	}
	var line []byte
	for n := 1; ; n++ {
		var err error
		line, err = appendLine(line[:0], in.lines)
		switch {
		case errors.Is(err, ErrLineTooLong):
			if err := row(Row{n, line, err}); err != nil {
				return err
			}
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return &RowError{in.Name, n, fmt.Errorf("the file cannot be read on: %w", err)}
		case !blank(line):
			if err := row(Row{Line: n, JSON: line}); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// parquetRows reads one row group after the other. The library panics on some flipped bytes.
func (in *Input) parquetRows(row func(Row) error) (err error) {
	n := 0
	damaged := func(cause error) error {
		return &RowError{in.Name, n + 1, fmt.Errorf("damaged Parquet file: %w", cause)}
	}
	defer func() {
		if p := recover(); p != nil {
			err = damaged(fmt.Errorf("%v", p))
		}
	}()
	f, err := openParquet(in.columns, in.size)
	if err != nil {
		return damaged(err)
	}
	root := columnsOf(f.Schema())
	var text []byte
	emit := func(values parquet.Row) error {
		n++
		in.read.Store(in.size / max(f.NumRows(), 1) * int64(n))
		text, err = root.rowJSON(text[:0], values)
		if err == nil && len(text) > MaxLine {
			text, err = text[:keptBytes], ErrLineTooLong
		}
		return row(Row{n, text, err})
	}
	for _, group := range f.RowGroups() {
		if err := groupRows(group, emit); err != nil {
			if stop := (callerError{}); errors.As(err, &stop) {
				return stop.error
			}
			return damaged(err)
		}
	}
	return nil
}

// callerError marks the error of a row function apart from those of the file.
type callerError struct{ error }

// groupRows calls emit for each row of a group; what emit fails with comes back as a callerError.
func groupRows(group parquet.RowGroup, emit func(parquet.Row) error) (err error) {
	in := group.Rows()
	defer func() { err = errors.Join(err, in.Close()) }()
	rows := make([]parquet.Row, batchRows)
	for {
		n, err := in.ReadRows(rows)
		for _, values := range rows[:n] {
			if err := emit(values); err != nil {
				return callerError{err}
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case n == 0:
			return io.ErrNoProgress
		}
	}
}

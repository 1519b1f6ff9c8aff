package rollout

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxLine bounds one line of a JSONL file, in bytes.
const MaxLine = 16 << 20

// RowError is a row that cannot be used, with its place.
type RowError struct {
	File string
	// Line counts from 1; in a Parquet file it is the row.
	Line int
	Err  error
}

func (e *RowError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the reason.
func (e *RowError) Unwrap() error { return e.Err }

// ErrLineTooLong says that a line is longer than MaxLine.
var ErrLineTooLong = fmt.Errorf("the line is longer than %d bytes", MaxLine)

// ReadJSONL calls row for each record of r and bad for each line that is none; blank lines are passed over. It stops at
// the first error that row returns, or where r cannot be read.
func ReadJSONL(file string, r io.Reader, row func(line int, rec *Record) error, bad func(*RowError)) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, ErrLineTooLong) {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
		switch {
		case errors.Is(err, ErrLineTooLong):
			bad(&RowError{file, n, err})
			continue
		case len(bytes.TrimSpace(line)) > 0:
			rec, decodeErr := Decode(line)
			if decodeErr != nil {
				bad(&RowError{file, n, decodeErr})
			} else if rowErr := row(n, rec); rowErr != nil {
				return rowErr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
}

// readLine returns a line without its end. A line that is too long is read to its end and given up.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return nil, ErrLineTooLong
		}
		return line, err
	}
}

// Decode reads one record and checks that it holds together: it names a scenario and its trace is valid.
func Decode(line []byte) (*Record, error) {
	rec := new(Record)
	if err := json.Unmarshal(line, rec); err != nil {
		return nil, fmt.Errorf("not a trajectory record: %w", err)
	}
	return rec, rec.check()
}

// check refuses a record that does not hold together.
func (r *Record) check() error {
	if r.ScenarioID == "" {
		return errors.New("not a trajectory record: it has no scenario_id")
	}
	if r.Trace == nil {
		return errors.New("the record has no trace")
	}
	if err := r.Trace.Validate(); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}

// WriteJSONL writes one record and the end of its line.
func WriteJSONL(w io.Writer, r *Record) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("record %s: %w", r.ID, err)
	}
	_, err := w.Write(buf.Bytes())
	return err
}

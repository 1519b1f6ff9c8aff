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

// keptBytes is how much of a line that is too long is kept, to show it.
const keptBytes = 64 << 10

// appendLine appends a line, its end included. A line that is too long is read to its end, and its beginning appended.
func appendLine(dst []byte, in *bufio.Reader) ([]byte, error) {
	start, tooLong := len(dst), false
	for {
		part, err := in.ReadSlice('\n')
		if len(dst)-start+len(part) > MaxLine {
			tooLong = true
		}
		switch {
		case !tooLong:
			dst = append(dst, part...)
		case len(dst)-start > keptBytes:
			dst = dst[:start+keptBytes]
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return dst, ErrLineTooLong
		}
		return dst, err
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

var errNoScenario = errors.New("not a trajectory record: it has no scenario_id")

// ErrNoTrace says that a row is an object, but has no trace to score: it is no record, or not one of a played episode.
var ErrNoTrace = errors.New("the record has no trace")

// check refuses a record that does not hold together.
func (r *Record) check() error {
	if r.ScenarioID == "" {
		return errNoScenario
	}
	if r.Trace == nil {
		return ErrNoTrace
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

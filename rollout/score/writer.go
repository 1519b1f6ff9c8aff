package score

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/privgym/privgym/rollout"
)

// Bad is a row that cannot be scored: a line of the quarantine.
type Bad struct {
	File string `json:"file"`
	// Line counts from 1; in a Parquet file it is the row.
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	// Row is the text of the row, of a long one the first 64 KiB; empty where there is none, because the file cannot be read
	// on. Bytes that are no text are replaced.
	Row string `json:"row,omitempty"`
	// Cut says that Row is not the whole.
	Cut bool `json:"cut,omitempty"`
}

// shownBytes of a bad row are kept.
const shownBytes = 64 << 10

// Difference is a line of the file of disagreements.
type Difference struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Scenario string `json:"scenario_id"`
	rollout.TurnDifference
}

// writer takes scored batches in order.
type writer struct {
	cfg         *Config
	records     *rollout.RecordFile
	bad         sideFile
	differences sideFile
	summary     *tally
}

func (w *writer) write(b *batch) error {
	for i := range b.items {
		if err := w.item(b, &b.items[i]); err != nil {
			return err
		}
	}
	if _, err := w.records.Write(b.out); err != nil && len(b.out) > 0 {
		return err
	}
	if w.cfg.Progress != nil {
		w.cfg.Progress(w.summary.Rows, b.read)
	}
	return nil
}

func (w *writer) item(b *batch, it *item) error {
	if it.err != nil {
		w.summary.Rows++
		w.summary.Quarantined++
		row := b.row(it)
		bad := Bad{File: b.file, Line: it.line, Reason: it.err.Error(), Row: string(row[:min(len(row), shownBytes)])}
		bad.Cut = len(bad.Row) < len(row) || errors.Is(it.err, rollout.ErrLineTooLong)
		return w.bad.write(bad)
	}
	for _, d := range it.differences {
		found := Difference{b.file, it.line, it.scenario, d}
		w.summary.differ(found)
		if err := w.differences.write(found); err != nil {
			return err
		}
	}
	w.summary.add(Place{b.file, it.line}, &it.result)
	if it.columns != nil {
		return w.records.Columns.WriteRow(*it.columns)
	}
	return nil
}

func (w *writer) finish() *Summary { return w.summary.finish() }

// encode writes a value as a line of JSON, and text as it is.
func encode(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

package rollout

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/privgym/privgym/reward"
)

// parquetRow is a record as columns. What is nested is JSON text, which every reader takes; the scalars that people
// filter by stand beside it, and reading ignores those that repeat the outcome. Columns are only added, never changed.
type parquetRow struct {
	ID           string   `parquet:"id"`
	ScenarioID   string   `parquet:"scenario_id,dict"`
	Family       string   `parquet:"family,dict"`
	Split        string   `parquet:"split,dict"`
	Domain       string   `parquet:"domain,dict"`
	Risk         string   `parquet:"risk,dict"`
	CorpusDigest string   `parquet:"corpus_digest,dict"`
	Version      string   `parquet:"version,dict"`
	Seed         int64    `parquet:"seed"`
	Options      string   `parquet:"options,dict"`
	FaultPlan    string   `parquet:"fault_plan,dict"`
	Messages     []string `parquet:"messages,list"`
	Tools        []string `parquet:"tools,list"`
	Trace        string   `parquet:"trace"`
	Terminated   bool     `parquet:"terminated"`
	Outcome      string   `parquet:"outcome"`
	Answered     bool     `parquet:"answered"`
	Blast        string   `parquet:"blast"`
	Rewards      string   `parquet:"rewards"`
	Policy       string   `parquet:"policy,dict"`
	Model        string   `parquet:"model,dict"`
	Error        string   `parquet:"error"`

	Success    bool     `parquet:"success"`
	LowSuccess bool     `parquet:"low_success"`
	OPUR       bool     `parquet:"opur"`
	PED        *int32   `parquet:"ped,optional"`
	Tier       string   `parquet:"tier,dict"`
	Reward     *float64 `parquet:"reward,optional"`
	Calls      int32    `parquet:"calls"`
	Tokens     *int32   `parquet:"tokens,optional"`
}

const (
	// schemaVersion stands in the metadata of every file.
	schemaVersion = "1"
	rowGroupRows  = 1000
	batchRows     = 64
)

// ParquetWriter writes records to one Parquet file: zstd, row groups of 1,000 trajectories. It is for one goroutine.
type ParquetWriter struct {
	out    *parquet.GenericWriter[parquetRow]
	batch  []parquetRow
	closed bool
}

// NewParquetWriter returns a writer of a file that w takes.
func NewParquetWriter(w io.Writer) *ParquetWriter {
	return &ParquetWriter{out: parquet.NewGenericWriter[parquetRow](w,
		parquet.Compression(&zstd.Codec{}),
		parquet.MaxRowsPerRowGroup(rowGroupRows),
		parquet.KeyValueMetadata("privgym.schema", schemaVersion),
		parquet.BloomFilters(parquet.SplitBlockFilter(10, "id")),
		// Bounds of long texts would stand in the footer and help nobody.
		parquet.SkipPageBounds("messages", "list", "element"),
		parquet.SkipPageBounds("tools", "list", "element"),
		parquet.SkipPageBounds("trace"),
		parquet.SkipPageBounds("outcome"),
		parquet.SkipPageBounds("rewards"),
	)}
}

// errClosed guards against the library, which loses rows written after Close in silence.
var errClosed = errors.New("the Parquet writer is closed")

// Write adds a record.
func (w *ParquetWriter) Write(r *Record) error {
	if w.closed {
		return errClosed
	}
	row, err := toRow(r)
	if err != nil {
		return fmt.Errorf("record %s: %w", r.ID, err)
	}
	w.batch = append(w.batch, row)
	if len(w.batch) < batchRows {
		return nil
	}
	return w.flush()
}

func (w *ParquetWriter) flush() error {
	_, err := w.out.Write(w.batch)
	w.batch = w.batch[:0]
	return err
}

// Close writes what is left and the footer. It does not close the file below.
func (w *ParquetWriter) Close() error {
	if w.closed {
		return errClosed
	}
	w.closed = true
	return errors.Join(w.flush(), w.out.Close())
}

func toRow(r *Record) (parquetRow, error) {
	row := parquetRow{
		ID: r.ID, ScenarioID: r.ScenarioID, Family: r.Family, Split: r.Split, Domain: r.Domain, Risk: r.Risk,
		CorpusDigest: r.CorpusDigest, Version: r.Version, Seed: r.Seed, FaultPlan: r.FaultPlan,
		Terminated: r.Terminated, Answered: r.Answered, Policy: r.Policy, Model: r.Model, Error: r.Error,
		Success: r.Outcome.Success, LowSuccess: r.Outcome.LowSuccess, OPUR: r.Outcome.OPUR,
		PED: optional(r.Outcome.PED), Tier: r.Outcome.Tier.String(), Calls: int32(r.Outcome.Calls),
		Tokens: optional(r.Outcome.Tokens),
	}
	if len(r.Rewards) > 0 {
		row.Reward = &r.Rewards[0].Value
	}
	for _, t := range r.Tools {
		row.Tools = append(row.Tools, string(t))
	}
	for i := range r.Messages {
		text, err := json.Marshal(&r.Messages[i])
		if err != nil {
			return row, err
		}
		row.Messages = append(row.Messages, string(text))
	}
	for _, f := range []struct {
		column *string
		value  any
	}{{&row.Options, r.Options}, {&row.Trace, r.Trace}, {&row.Outcome, r.Outcome}, {&row.Blast, r.Blast}, {&row.Rewards, r.Rewards}} {
		text, err := json.Marshal(f.value)
		if err != nil {
			return row, err
		}
		*f.column = string(text)
	}
	return row, nil
}

// optional is nil for the −1 that means absent: reward.NoDepth and reward.NoTokens.
func optional(n int) *int32 {
	if n < 0 {
		return nil
	}
	v := int32(n)
	return &v
}

func fromRow(row *parquetRow) (*Record, error) {
	r := &Record{
		ID: row.ID, ScenarioID: row.ScenarioID, Family: row.Family, Split: row.Split, Domain: row.Domain, Risk: row.Risk,
		CorpusDigest: row.CorpusDigest, Version: row.Version, Seed: row.Seed, FaultPlan: row.FaultPlan,
		Terminated: row.Terminated, Answered: row.Answered, Policy: row.Policy, Model: row.Model, Error: row.Error,
		Trace: new(reward.Trace),
	}
	for _, t := range row.Tools {
		r.Tools = append(r.Tools, json.RawMessage(t))
	}
	r.Messages = make([]Message, len(row.Messages))
	for i, text := range row.Messages {
		if err := json.Unmarshal([]byte(text), &r.Messages[i]); err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	for _, f := range []struct {
		name, text string
		value      any
	}{
		{"options", row.Options, &r.Options}, {"trace", row.Trace, &r.Trace}, {"outcome", row.Outcome, &r.Outcome},
		{"blast", row.Blast, &r.Blast}, {"rewards", row.Rewards, &r.Rewards},
	} {
		if err := json.Unmarshal([]byte(f.text), f.value); err != nil {
			return nil, fmt.Errorf("column %s: %w", f.name, err)
		}
	}
	return r, r.check()
}

// ReadParquet is ReadJSONL for a Parquet file of the given size; rows count as lines. A file whose bytes are damaged is
// an error that names the row, never a panic.
func ReadParquet(file string, r io.ReaderAt, size int64, row func(line int, rec *Record) error, bad func(*RowError)) (err error) {
	line := 0
	defer func() {
		if p := recover(); p != nil { // the library panics on some flipped bytes
			err = fmt.Errorf("%s: damaged Parquet file, at row %d: %v", file, line+1, p)
		}
	}()
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return fmt.Errorf("%s: not a Parquet file: %w", file, err)
	}
	if err := sameColumns(f); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	in := parquet.NewGenericReader[parquetRow](f)
	defer func() { err = errors.Join(err, in.Close()) }()
	rows := make([]parquetRow, batchRows)
	for {
		n, err := in.Read(rows)
		for i := range rows[:n] {
			line++
			rec, rowErr := fromRow(&rows[i])
			if rowErr != nil {
				bad(&RowError{file, line, rowErr})
			} else if err := row(line, rec); err != nil {
				return err
			}
		}
		clear(rows)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: damaged Parquet file, at row %d: %w", file, line+1, err)
		}
	}
}

// sameColumns refuses a file that lacks a column of ours, which the library would fill with zeros.
func sameColumns(f *parquet.File) error {
	for _, path := range parquet.SchemaOf(parquetRow{}).Columns() {
		if _, ok := f.Schema().Lookup(path...); !ok {
			return fmt.Errorf("not trajectory records: it has no column %s", path[0])
		}
	}
	return nil
}

package rollout

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/privgym/privgym/reward"
)

// ParquetRow is a record made ready for a ParquetWriter.
type ParquetRow = parquetRow

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
	Tools        []string `parquet:"tools,list" parquet-element:",dict"`
	Trace        string   `parquet:"trace"`
	Terminated   bool     `parquet:"terminated"`
	Outcome      string   `parquet:"outcome"`
	Answered     bool     `parquet:"answered"`
	Blast        string   `parquet:"blast"`
	Rewards      string   `parquet:"rewards"`
	Policy       string   `parquet:"policy,dict"`
	Model        string   `parquet:"model,dict"`
	LogID        string   `parquet:"log_id"`
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
	// rowGroupRows and rowGroupBytes end a row group. The writer holds a group, and the footer, which it holds to the end,
	// grows with their number.
	rowGroupRows  = 10_000
	rowGroupBytes = 64 << 20
	batchRows     = 64
)

// ParquetWriter writes records to one Parquet file: zstd, row groups of 10,000 trajectories or 64 MiB of text. It is for
// one goroutine.
type ParquetWriter struct {
	out    *parquet.GenericWriter[parquetRow]
	batch  []parquetRow
	rows   int // of the row group
	bytes  int
	closed bool
}

// NewParquetWriter returns a writer of a file that w takes.
func NewParquetWriter(w io.Writer) *ParquetWriter {
	return &ParquetWriter{out: parquet.NewGenericWriter[parquetRow](w,
		parquet.Compression(&PageCodec{}),
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
	row, err := NewParquetRow(r)
	if err != nil {
		return err
	}
	return w.WriteRow(row)
}

// WriteRow adds a record that has been made ready.
func (w *ParquetWriter) WriteRow(row parquetRow) error {
	if w.closed {
		return errClosed
	}
	w.batch = append(w.batch, row)
	w.rows++
	w.bytes += row.size()
	if w.rows == rowGroupRows || w.bytes >= rowGroupBytes {
		w.rows, w.bytes = 0, 0
		return errors.Join(w.flush(), w.out.Flush())
	}
	if len(w.batch) < batchRows {
		return nil
	}
	return w.flush()
}

func (w *ParquetWriter) flush() error {
	_, err := w.out.Write(w.batch)
	clear(w.batch) // lets go of the texts
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

// NewParquetRow makes a record ready for a ParquetWriter, which any goroutine can do.
func NewParquetRow(r *Record) (parquetRow, error) {
	row := parquetRow{
		ID: r.ID, ScenarioID: r.ScenarioID, Family: r.Family, Split: r.Split, Domain: r.Domain, Risk: r.Risk,
		CorpusDigest: r.CorpusDigest, Version: r.Version, Seed: r.Seed, FaultPlan: r.FaultPlan,
		Terminated: r.Terminated, Answered: r.Answered, Policy: r.Policy, Model: r.Model, LogID: r.LogID, Error: r.Error,
	}
	row.setFound(&r.Outcome, r.Rewards)
	for _, t := range r.Tools {
		row.Tools = append(row.Tools, string(t))
	}
	for i := range r.Messages {
		text, err := json.Marshal(&r.Messages[i])
		if err != nil {
			return row, fmt.Errorf("record %s: %w", r.ID, err)
		}
		row.Messages = append(row.Messages, string(text))
	}
	for _, f := range []struct {
		column *string
		value  any
	}{{&row.Options, r.Options}, {&row.Trace, r.Trace}, {&row.Outcome, r.Outcome}, {&row.Blast, r.Blast}, {&row.Rewards, r.Rewards}} {
		text, err := json.Marshal(f.value)
		if err != nil {
			return row, fmt.Errorf("record %s: %w", r.ID, err)
		}
		*f.column = string(text)
	}
	return row, nil
}

// setFound sets the columns that repeat the outcome.
func (row *parquetRow) setFound(o *reward.Outcome, rewards []reward.Reward) {
	row.Success, row.LowSuccess, row.OPUR = o.Success, o.LowSuccess, o.OPUR
	row.PED, row.Tokens = optional(o.PED), optional(o.Tokens)
	row.Tier, row.Calls = o.Tier.String(), int32(o.Calls)
	if len(rewards) > 0 {
		value := rewards[0].Value
		row.Reward = &value
	}
}

// size is about the bytes that the row takes; only what can be long counts.
func (row *parquetRow) size() int {
	n := len(row.Trace) + len(row.Error) + len(row.Rewards) + len(row.Outcome)
	for _, text := range row.Messages {
		n += len(text)
	}
	for _, text := range row.Tools {
		n += len(text)
	}
	return n
}

// optional is nil for the −1 that means absent: reward.NoDepth and reward.NoTokens.
func optional(n int) *int32 {
	if n < 0 {
		return nil
	}
	v := int32(n)
	return &v
}

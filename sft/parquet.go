package sft

import (
	_ "embed" // the Arrow schemas
	"encoding/base64"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/privgym/privgym/rollout"
)

// columns are a row as the file holds it. The schema is written out in schemaOf, since the library writes no values into
// a list whose elements are tagged json.
type columns struct {
	ID                 string    `parquet:"id"`
	Messages           []string  `parquet:"messages,list"`
	Tools              []string  `parquet:"tools,list"`
	ScenarioID         string    `parquet:"scenario_id"`
	Family             string    `parquet:"family"`
	Split              string    `parquet:"split"`
	Domain             string    `parquet:"domain"`
	Risk               string    `parquet:"risk"`
	Seed               int64     `parquet:"seed"`
	FaultPlan          string    `parquet:"fault_plan"`
	Teacher            string    `parquet:"teacher"`
	Model              string    `parquet:"model"`
	PromptHash         string    `parquet:"prompt_hash"`
	CorpusDigest       string    `parquet:"corpus_digest"`
	Version            string    `parquet:"version"`
	Tier               string    `parquet:"tier"`
	Reward             float64   `parquet:"reward"`
	PED                *int32    `parquet:"ped,optional"`
	Calls              int32     `parquet:"calls"`
	Tokens             *int32    `parquet:"tokens,optional"`
	StepTool           []string  `parquet:"step_tool,list"`
	StepAccess         []string  `parquet:"step_access,list"`
	StepLowerAvailable []int32   `parquet:"step_lower_available,list"`
	StepLossWeight     []float64 `parquet:"step_loss_weight,list"`
}

// promptColumns are a row of the prompts file.
type promptColumns struct {
	Prompt      []string `parquet:"prompt,list"`
	Environment string   `parquet:"environment"`
	ScenarioID  string   `parquet:"scenario_id"`
	Seed        int64    `parquet:"seed"`
	Tools       []string `parquet:"tools,list"`
}

// The Arrow schemas, as IPC messages, that declare messages, tools and prompt as lists of arrow.json: pyarrow before 25
// and datasets take the type from here, not from the Parquet annotation. python/tools/arrow_schema.py writes them, and a
// test holds them to the files.
//
//go:embed trajectories.arrowschema
var trajectoriesArrow []byte

//go:embed prompts.arrowschema
var promptsArrow []byte

// jsonList is a LIST in the 3-level form whose elements carry the JSON annotation.
func jsonList() parquet.Node { return parquet.List(parquet.JSON()) }

// schemaOf is the schema of a row type with the named columns as lists of JSON values. The columns of a group stand in
// the order of their names.
func schemaOf(model any, jsonColumns ...string) *parquet.Schema {
	plain := parquet.SchemaOf(model)
	group := parquet.Group{}
	for _, f := range plain.Fields() {
		group[f.Name()] = f
	}
	for _, name := range jsonColumns {
		group[name] = jsonList()
	}
	return parquet.NewSchema("schema", group)
}

const (
	// schemaVersion stands in the metadata of every file. Columns are only added.
	schemaVersion = "1"
	// rowGroupRows bounds what a reader has to hold.
	rowGroupRows = 500
	batchRows    = 64
)

// writer writes rows of one file. It is for one goroutine.
type writer[T any] struct {
	out   *parquet.GenericWriter[T]
	batch []T
}

func newWriter[T any](w io.Writer, schema *parquet.Schema, arrow []byte) *writer[T] {
	options := []parquet.WriterOption{
		schema,
		parquet.Compression(&rollout.PageCodec{}),
		parquet.MaxRowsPerRowGroup(rowGroupRows),
		parquet.KeyValueMetadata("privgym.schema", schemaVersion),
		parquet.KeyValueMetadata("ARROW:schema", base64.StdEncoding.EncodeToString(arrow)),
	}
	for _, path := range schema.Columns() {
		if len(path) == 3 { // lists hold long texts, whose bounds would fill the footer
			options = append(options, parquet.SkipPageBounds(path...))
		}
	}
	return &writer[T]{out: parquet.NewGenericWriter[T](w, options...)}
}

func (w *writer[T]) write(row T) error {
	w.batch = append(w.batch, row)
	if len(w.batch) < batchRows {
		return nil
	}
	return w.flush()
}

func (w *writer[T]) flush() error {
	_, err := w.out.Write(w.batch)
	clear(w.batch)
	w.batch = w.batch[:0]
	return err
}

// close writes what is left and the footer. Nothing may be written after it.
func (w *writer[T]) close() error { return errors.Join(w.flush(), w.out.Close()) }

func (r *Row) columns() columns {
	c := columns{
		ID: r.ID, Messages: r.Messages, Tools: r.Tools, ScenarioID: r.ScenarioID, Family: r.Family, Split: r.Split,
		Domain: r.Domain, Risk: r.Risk, Seed: r.Seed, FaultPlan: r.FaultPlan, Teacher: r.Teacher, Model: r.Model,
		PromptHash: r.PromptHash, CorpusDigest: r.CorpusDigest, Version: r.Version, Tier: r.Tier, Reward: r.Reward,
		PED: r.PED, Calls: r.Calls, Tokens: r.Tokens,
	}
	for _, s := range r.Steps {
		c.StepTool = append(c.StepTool, s.Tool)
		c.StepAccess = append(c.StepAccess, s.Access)
		c.StepLowerAvailable = append(c.StepLowerAvailable, s.LowerAvailable)
		c.StepLossWeight = append(c.StepLossWeight, s.LossWeight)
	}
	return c
}

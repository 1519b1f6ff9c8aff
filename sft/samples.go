package sft

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// maxLine bounds a line of a JSONL file of samples.
const maxLine = 16 << 20

// ReadSamples calls sample for every row of a training file, Parquet or JSONL, with its number from 1; err says why a row
// is none. Columns or keys are messages, tools and, where it is there, scenario_id. It stops at the first error that
// sample returns, or where the file cannot be read on.
func ReadSamples(name string, r io.ReaderAt, size int64, sample func(row int, s Sample, err error) error) error {
	magic := make([]byte, 4)
	if n, _ := r.ReadAt(magic, 0); n == 4 && string(magic) == "PAR1" {
		return readParquetSamples(name, r, size, sample)
	}
	return readJSONSamples(name, io.NewSectionReader(r, 0, size), sample)
}

func readJSONSamples(name string, r io.Reader, sample func(int, Sample, error) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	row := 0
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		row++
		var s struct {
			Messages   []json.RawMessage `json:"messages"`
			Tools      json.RawMessage   `json:"tools"`
			ScenarioID string            `json:"scenario_id"`
		}
		err := json.Unmarshal(lines.Bytes(), &s)
		tools, toolsErr := toolsOf(s.Tools)
		if err := sample(row, Sample{s.Messages, tools, s.ScenarioID}, errors.Join(err, toolsErr)); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: after row %d: %w", name, row, err)
	}
	return nil
}

// toolsOf reads a list of tools, or one JSON string that holds the list, as some trainers want it.
func toolsOf(raw json.RawMessage) ([]json.RawMessage, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if len(raw) == 0 {
		return nil, nil
	}
	var tools []json.RawMessage
	err := json.Unmarshal(raw, &tools)
	return tools, err
}

// sampleColumns are the columns that a sample is read from, with the field that takes a value.
var sampleColumns = map[string]func(*Sample, string){
	"messages":    func(s *Sample, v string) { s.Messages = append(s.Messages, json.RawMessage(v)) },
	"tools":       func(s *Sample, v string) { s.Tools = append(s.Tools, json.RawMessage(v)) },
	"scenario_id": func(s *Sample, v string) { s.ScenarioID = v },
}

func readParquetSamples(name string, r io.ReaderAt, size int64, sample func(int, Sample, error) error) (err error) {
	row := 0
	defer func() {
		if p := recover(); p != nil { // the library panics on some flipped bytes
			err = fmt.Errorf("%s: damaged Parquet file, at row %d: %v", name, row+1, p)
		}
	}()
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return fmt.Errorf("%s: not a Parquet file: %w", name, err)
	}
	set := map[int]func(*Sample, string){}
	for i, path := range f.Schema().Columns() {
		if take := sampleColumns[path[0]]; take != nil {
			set[i] = take
		}
	}
	if len(set) < 2 {
		return fmt.Errorf("%s: it has no columns messages and tools", name)
	}
	for _, group := range f.RowGroups() {
		if err := readSampleGroup(group, set, func(s Sample, err error) error {
			row++
			return sample(row, s, err)
		}); err != nil {
			return fmt.Errorf("%s: at row %d: %w", name, row+1, err)
		}
	}
	return nil
}

func readSampleGroup(group parquet.RowGroup, set map[int]func(*Sample, string), emit func(Sample, error) error) (err error) {
	in := group.Rows()
	defer func() { err = errors.Join(err, in.Close()) }()
	rows := make([]parquet.Row, batchRows)
	for {
		n, err := in.ReadRows(rows)
		for _, values := range rows[:n] {
			var s Sample
			var bad error
			for _, v := range values {
				take := set[v.Column()]
				switch {
				case take == nil || v.IsNull():
				case v.Kind() != parquet.ByteArray: // read by its kind: damaged files mix them up
					bad = errors.New("damaged: a column of texts holds a value of another kind")
				default:
					take(&s, string(v.ByteArray()))
				}
			}
			if err := emit(s, bad); err != nil {
				return err
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

package toolprivbench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

// Name of the format, and of Family.Imported.
const Name = "toolprivbench"

// Bounds of a file; the benchmark has 544 rows of at most 7.5 kB.
const (
	maxBytes    = 64 << 20
	maxRows     = 20_000
	maxRowBytes = scenario.MaxBytes
)

// Errors of Read.
var (
	ErrTooLarge    = fmt.Errorf("the file is larger than %d MiB; split it", maxBytes>>20)
	ErrTooManyRows = fmt.Errorf("the file has more than %d rows; split it", maxRows)
)

// Benchmark is what a file holds. Rows = len(Scenarios) + len(Findings).
type Benchmark struct {
	// Rows counts the lines that are not blank.
	Rows int
	// Scenarios are the rows that could be imported, in the order of the file.
	Scenarios []Scenario
	// Findings are the rows that could not, in the order of the file, each with its line and all that is in the way.
	Findings []scenario.Finding
	// Warnings say where an imported row breaks the benchmark's own schema, in the order of the file.
	Warnings []Warning
}

// Scenario is an imported row.
type Scenario struct {
	// Family has one scenario.
	Family *scenario.Family
	// Source is the row, without blanks around it.
	Source []byte
}

// Warning says where a row breaks the benchmark's own schema, and what is done about it where that matters to a game.
type Warning struct {
	scenario.Finding
	// Field is the member of the row that it is about, such as panic_logic or tools.simulation_error.
	Field string
}

// Read reads a file; file is the path that findings and errors name. It never panics. It fails where r cannot be read, or
// holds more than a file may.
func Read(file string, r io.Reader) (*Benchmark, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && len(text) > maxBytes {
		err = ErrTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	b := &Benchmark{}
	lines := map[string]int{}
	for n := 1; len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		text = rest
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if b.Rows++; b.Rows > maxRows {
			return nil, fmt.Errorf("%s: %w", file, ErrTooManyRows)
		}
		b.add(file, n, line, lines)
	}
	return b, nil
}

// add imports one row; lines holds where the ids of those before stand.
func (b *Benchmark) add(file string, line int, source []byte, lines map[string]int) {
	family, warnings, err := importRow(file, line, source)
	if err == nil && lines[family.ID] > 0 {
		err = fmt.Errorf("`scenario_id` is that of line %d too, as a family's id (%s); give it another", lines[family.ID], family.ID)
	}
	if err != nil {
		b.Findings = append(b.Findings, scenario.Finding{File: file, Line: line, Check: formatCheck, Message: "not imported: " + err.Error()})
		return
	}
	lines[family.ID] = line
	b.Scenarios = append(b.Scenarios, Scenario{family, source})
	for _, w := range warnings {
		w.Finding = scenario.Finding{File: file, Line: line, Check: formatCheck, Scenario: family.ScenarioID(0, 0), Message: w.Message}
		b.Warnings = append(b.Warnings, w)
	}
}

// formatCheck is the number of the check of docs/family-format.md that reading makes.
const formatCheck = 1

// importRow reads one row. The error joins all that keeps it from being a scenario.
func importRow(file string, line int, source []byte) (*scenario.Family, []Warning, error) {
	if len(source) > maxRowBytes {
		return nil, nil, fmt.Errorf("the row is longer than %d kB", maxRowBytes>>10)
	}
	var r row
	r.read(source)
	if len(r.faults) > 0 {
		return nil, nil, errors.New(strings.Join(r.faults, "; "))
	}
	f := r.family(file, line)
	f.Digest = digest(source)
	return f, r.warnings, nil
}

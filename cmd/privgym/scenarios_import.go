package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/privgym/privgym/env/toolprivbench"
	"github.com/privgym/privgym/rollout"
)

type scenariosImportCmd struct {
	File   string `arg:"" name:"file" help:"Rows, JSONL; - reads standard input. Other commands take the file itself, as --scenarios FILE."`
	Format string `default:"toolprivbench" enum:"toolprivbench" help:"Format of the rows (${default})."`
	Out    string `placeholder:"FILE" help:"Write the rows that were imported to FILE, JSONL, as they stand: a file in which other commands have nothing to find."`
	JSON   bool   `name:"json" help:"Print one JSON object a warning or finding, and the counts."`
}

// importRemark is a warning, or a row that was not imported.
type importRemark struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Scenario string `json:"scenario_id,omitempty"`
	// Warning names the member of the row that breaks the format's own schema; empty for a row that was not imported.
	Warning string `json:"warning,omitempty"`
	Message string `json:"message"`
}

func (r importRemark) String() string {
	if r.Warning != "" {
		return fmt.Sprintf("%s:%d: warning: %s", r.File, r.Line, r.Message)
	}
	return fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Message)
}

// importCounts reconcile: Rows = Imported + NotImported.
type importCounts struct {
	Rows        int `json:"rows"`
	Imported    int `json:"imported"`
	NotImported int `json:"not_imported"`
	// Warnings by the member of the row that they are about.
	Warnings map[string]int `json:"warnings"`
	// NotCanonical counts the imported scenarios whose tools a client cannot derive from Python signatures.
	NotCanonical int `json:"not_canonical"`
}

// Run reads the file; a row that cannot be imported makes the exit code 1, a warning does not.
func (c *scenariosImportCmd) Run(io streams) error {
	b, err := c.read(io.in)
	if err != nil {
		return usageError{err}
	}
	n := importCounts{Rows: b.Rows, Imported: len(b.Scenarios), NotImported: len(b.Findings), Warnings: map[string]int{}}
	for _, w := range b.Warnings {
		n.Warnings[w.Field]++
		c.say(io.out, importRemark{w.File, w.Line, w.Scenario, w.Field, w.Message})
	}
	for _, f := range b.Findings {
		c.say(io.out, importRemark{File: f.File, Line: f.Line, Message: f.Message})
	}
	for _, s := range b.Scenarios {
		if s.Family.Toolset().Canonical() != nil {
			n.NotCanonical++
		}
	}
	if c.Out != "" {
		if err := c.write(b); err != nil {
			return usageError{err}
		}
	}
	return c.count(io.out, n)
}

func (c *scenariosImportCmd) read(stdin io.Reader) (*toolprivbench.Benchmark, error) {
	if c.File == "-" {
		return toolprivbench.Read("-", stdin)
	}
	f, err := os.Open(c.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return toolprivbench.Read(c.File, f)
}

func (c *scenariosImportCmd) say(w io.Writer, r importRemark) {
	if c.JSON {
		_ = json.NewEncoder(w).Encode(r)
		return
	}
	fmt.Fprintln(w, r)
}

func (c *scenariosImportCmd) count(w io.Writer, n importCounts) error {
	if c.JSON {
		if err := json.NewEncoder(w).Encode(n); err != nil {
			return err
		}
	} else {
		n.print(w)
	}
	if n.NotImported > 0 {
		return errFindings
	}
	return nil
}

func (n importCounts) print(w io.Writer) {
	fmt.Fprintf(w, "%d rows: %d imported, %d not\n", n.Rows, n.Imported, n.NotImported)
	for _, field := range sortedKeys(n.Warnings) {
		fmt.Fprintf(w, "  %4d × warning: %s\n", n.Warnings[field], field)
	}
	if n.NotCanonical > 0 {
		fmt.Fprintf(w, "  %4d × tools not in the canonical form: trainers that derive schemas from Python signatures refuse them\n", n.NotCanonical)
	}
}

// write writes the rows that were imported, a line each.
func (c *scenariosImportCmd) write(b *toolprivbench.Benchmark) error {
	out, err := rollout.Create(c.Out)
	if err != nil {
		return err
	}
	defer out.Discard()
	for _, s := range b.Scenarios {
		if _, err := out.Write(append(bytes.Clone(s.Source), '\n')); err != nil {
			return err
		}
	}
	return out.Commit()
}

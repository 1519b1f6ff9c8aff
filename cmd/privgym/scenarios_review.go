package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/privgym/privgym/env/audit"
	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout"
)

type scenariosReviewCmd struct {
	Out       string   `xor:"way" required:"" placeholder:"FILE.csv" help:"Write a sheet for annotators: one row a tool, with request, name and description; label it FULLY, PARTIALLY or NO."`
	In        []string `xor:"way" required:"" placeholder:"FILE.csv" help:"Read the sheets of two annotators, and of a third who decides where they differ; give the flag once for each."`
	Seed      int64    `placeholder:"N" help:"Seed of the order of the rows (0)."`
	Scenarios []string `placeholder:"PATH" help:"Review these families instead of the embedded ones."`
	JSON      bool     `name:"json" help:"Print the verdicts as JSON."`
}

// reviewReport is what reading sheets comes to.
type reviewReport struct {
	Rows int `json:"rows"`
	// Labelled counts the rows that both annotators labelled.
	Labelled  int      `json:"labelled"`
	Agreement *float64 `json:"agreement"`
	Kappa     *float64 `json:"kappa"`
	// Open are disputes that no third annotator has decided; Failing are tools that are not fully sufficient.
	Open    []reviewFinding `json:"open"`
	Failing []reviewFinding `json:"failing"`
}

type reviewFinding struct {
	Family   string      `json:"family"`
	Tool     string      `json:"tool"`
	A        audit.Label `json:"a"`
	B        audit.Label `json:"b"`
	C        audit.Label `json:"c,omitempty"`
	Comments []string    `json:"comments,omitempty"`
}

// Run writes a sheet or reads sheets.
func (c *scenariosReviewCmd) Run(io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	families, err := allFamilies(scenarios)
	if err != nil {
		return err
	}
	rows, err := audit.ReviewRows(families, c.Seed)
	if err != nil {
		return err
	}
	if c.Out != "" {
		return c.write(io, rows)
	}
	return c.read(io, rows)
}

func (c *scenariosReviewCmd) write(io streams, rows []audit.ReviewRow) error {
	out, err := rollout.Create(c.Out)
	if err != nil {
		return usageError{err}
	}
	defer out.Discard()
	if err := audit.WriteSheet(out, rows); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	fmt.Fprintf(io.out, "%d rows written to %s; give each annotator a copy\n", len(rows), c.Out)
	return nil
}

func (c *scenariosReviewCmd) read(io streams, rows []audit.ReviewRow) error {
	if len(c.In) < 2 || len(c.In) > 3 {
		return usageError{fmt.Errorf("--in is given %d times; give two sheets, or three", len(c.In))}
	}
	var sheets [3][]audit.ReviewRow
	failed := false
	for i, file := range c.In {
		f, err := os.Open(file)
		if err != nil {
			return usageError{err}
		}
		sheets[i], err = audit.ReadSheet(file, f)
		f.Close()
		if err != nil {
			failed = true
			fmt.Fprintln(io.err, err)
		}
	}
	report := reviewed(rows, audit.Judge(rows, sheets[0], sheets[1], sheets[2]))
	if err := c.print(io, report); err != nil {
		return err
	}
	if failed || len(report.Open)+len(report.Failing) > 0 {
		return errFindings
	}
	return nil
}

func reviewed(rows []audit.ReviewRow, verdicts []audit.Verdict) reviewReport {
	var a, b []audit.Label
	report := reviewReport{Rows: len(rows), Labelled: len(verdicts)}
	for _, v := range verdicts {
		a, b = append(a, v.A), append(b, v.B)
		finding := reviewFinding{v.Family, v.Tool, v.A, v.B, v.C, v.Comments}
		switch v.Label {
		case "":
			report.Open = append(report.Open, finding)
		case audit.Partially, audit.No:
			report.Failing = append(report.Failing, finding)
		}
	}
	agreed := stats.Agree(a, b)
	report.Agreement, report.Kappa = known(agreed.Same), known(agreed.Kappa)
	return report
}

// known is nil for a figure that does not exist.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

func (c *scenariosReviewCmd) print(io streams, r reviewReport) error {
	if c.JSON {
		return json.NewEncoder(io.out).Encode(r)
	}
	agreement, kappa := "–", "–"
	if r.Agreement != nil {
		agreement = fmt.Sprintf("%.1f%%", 100**r.Agreement)
	}
	if r.Kappa != nil {
		kappa = fmt.Sprintf("%.3f", *r.Kappa)
	}
	fmt.Fprintf(io.out, "%d of %d rows labelled by both, agreement %s, Cohen's kappa %s\n", r.Labelled, r.Rows, agreement, kappa)
	printReview(io, "disputed", r.Open)
	printReview(io, "not fully sufficient", r.Failing)
	return nil
}

func printReview(io streams, what string, findings []reviewFinding) {
	for _, f := range findings {
		labels := strings.TrimSuffix(fmt.Sprintf("%s, %s, %s", f.A, f.B, f.C), ", ")
		fmt.Fprintf(io.out, "%s: %s of %s (%s) %s\n", what, f.Tool, f.Family, labels, strings.Join(f.Comments, "; "))
	}
}

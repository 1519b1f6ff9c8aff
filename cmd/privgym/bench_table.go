package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/privgym/privgym/cmd/privgym/internal/bench"
)

// printBench prints the report as a table, with what explains it below.
func printBench(w io.Writer, r *bench.Report) {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = 0 // as written
	t.AppendHeader(table.Row{"what", "measured", "beside it", "ratio [lowest, highest]", "mark", "reached"})
	for _, row := range r.Results {
		t.AppendRow(table.Row{row.What, measured(&row), beside(&row), ratio(row.Ratio), mark(&row), reached(row.Reached)})
	}
	fmt.Fprintf(w, "%s\nMedians of %d rounds on %d processors, %s/%s, %s", t.Render(), r.Rounds, r.Machine.CPUs,
		r.Machine.OS, r.Machine.Arch, r.Machine.Go)
	if r.Machine.Load > 0 {
		fmt.Fprintf(w, "; load average before: %.1f", r.Machine.Load)
	}
	fmt.Fprintln(w, ".")
	if r.Quick {
		fmt.Fprintln(w, "--quick measures too little to be held against a mark.")
	}
	for _, row := range r.Results {
		if row.Note != "" {
			fmt.Fprintf(w, "%s: %s\n", row.Name, row.Note)
		}
	}
}

func measured(r *bench.Result) string {
	if r.Ours == nil {
		return "–"
	}
	return strings.TrimSpace(number(r.Ours.Median) + " " + r.Unit)
}

func beside(r *bench.Result) string {
	if r.Beside == nil {
		return "–"
	}
	return number(r.Beside.Median) + " " + r.BesideWhat
}

func ratio(f *bench.Figure) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", f.Median, f.Low, f.High)
}

func mark(r *bench.Result) string {
	switch {
	case r.Mark == nil:
		return "–"
	case r.Mark.OfRatio:
		return r.Mark.String() + " of it"
	}
	return strings.TrimSpace(r.Mark.String() + " " + r.Unit)
}

func reached(r *bool) string {
	switch {
	case r == nil:
		return "–"
	case *r:
		return "yes"
	}
	return "no"
}

// number shows three digits, and a comma before thousands.
func number(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.0f thousand", v/1000)
	case v >= 1000:
		return fmt.Sprintf("%d,%03d", int(v)/1000, int(v)%1000)
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

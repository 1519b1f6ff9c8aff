package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/privgym/privgym/env/audit"
	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/scenario"
)

type scenariosStatsCmd struct {
	Against   []string `placeholder:"FILE" help:"Show too what the families share with another benchmark: families, or the public benchmark's JSONL."`
	Scenarios []string `placeholder:"PATH" help:"Count these families instead of the embedded ones."`
	JSON      bool     `name:"json" help:"Print JSON."`
}

// corpusStats is what stats prints.
type corpusStats struct {
	Digest string             `json:"corpus_digest"`
	Splits []corpus.SplitInfo `json:"splits"`
	Cells  []cellStats        `json:"cells"`
	// Leak is left out where there is nothing to classify.
	Leak *audit.Leakage `json:"leak,omitempty"`
	// Overlaps are what families of different splits share, or come near to sharing, with the texts; Against the same with
	// another benchmark.
	Overlaps []audit.Match `json:"overlaps"`
	Against  []audit.Match `json:"against,omitempty"`
}

// cellStats counts families of one domain and risk by split.
type cellStats struct {
	Domain   string         `json:"domain"`
	Risk     string         `json:"risk"`
	Families map[string]int `json:"families"`
}

// Run counts.
func (c *scenariosStatsCmd) Run(io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	families, err := allFamilies(scenarios)
	if err != nil {
		return err
	}
	stats := corpusStats{Digest: scenarios.Digest(), Splits: scenarios.Splits(), Cells: countCells(scenarios)}
	if leak := audit.Leak(families); leak.Tools > 0 {
		stats.Leak = &leak
	}
	stats.Overlaps = betweenSplits(families)
	if stats.Against, err = against(families, c.Against, io); err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(io.out).Encode(stats)
	}
	fmt.Fprintf(io.out, "corpus digest %s\n", stats.Digest)
	for _, s := range stats.Splits {
		fmt.Fprintf(io.out, "%-5s %3d families, %4d scenarios\n", s.Name, s.Families, s.Scenarios)
	}
	fmt.Fprintf(io.out, "\nfamilies by domain and risk, as %s\n%s\n", splitOrder(stats.Splits), cellTable(stats.Cells))
	if stats.Leak != nil {
		printLeak(io.out, *stats.Leak)
	}
	printMatches(io.out, "between splits", stats.Overlaps, audit.SplitThresholds)
	if len(c.Against) > 0 {
		printMatches(io.out, "with "+strings.Join(c.Against, ", "), stats.Against, audit.ForeignThresholds)
	}
	return nil
}

// printLeak prints check 9. Half of the tools stand on each side, so 50% is chance.
func printLeak(w io.Writer, leak audit.Leakage) {
	fmt.Fprintf(w, "\nside of a tool (low or high) told by naive Bayes, families held out, %d tools:\n", leak.Tools)
	fmt.Fprintf(w, "  from names                 %.1f%%, at most %.0f%% allowed\n", 100*leak.Names, 100*audit.MaxNameLeak)
	fmt.Fprintf(w, "  from names, descriptions   %.1f%%\n", 100*leak.Descriptions)
	fmt.Fprint(w, "  most telling words (low/high):")
	for _, t := range leak.Telling {
		fmt.Fprintf(w, " %s %d/%d", t.Word, t.Low, t.High)
	}
	fmt.Fprintln(w)
}

// countCells returns all 40 cells, those without a family too.
func countCells(scenarios *corpus.Corpus) []cellStats {
	index := map[[2]string]int{}
	var cells []cellStats
	for _, domain := range scenario.Domains() {
		for _, risk := range scenario.Risks() {
			index[[2]string{domain, risk}] = len(cells)
			cells = append(cells, cellStats{domain, risk, map[string]int{}})
		}
	}
	for _, e := range scenarios.Families() {
		cells[index[[2]string{e.Domain, e.Risk}]].Families[e.Split]++
	}
	return cells
}

func splitOrder(splits []corpus.SplitInfo) string {
	names := make([]string, len(splits))
	for i, s := range splits {
		names[i] = s.Name
	}
	return strings.Join(names, "/")
}

func cellTable(cells []cellStats) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = 0 // as written
	header := table.Row{""}
	for _, risk := range scenario.Risks() {
		header = append(header, risk)
	}
	t.AppendHeader(header)
	for row := 0; row < len(cells); row += len(scenario.Risks()) {
		line := table.Row{cells[row].Domain}
		for _, c := range cells[row : row+len(scenario.Risks())] {
			line = append(line, fmt.Sprintf("%d/%d/%d", c.Families["eval"], c.Families["rl"], c.Families["sft"]))
		}
		t.AppendRow(line)
	}
	return t.Render()
}

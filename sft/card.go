package sft

import (
	_ "embed" // the card's text
	"io"
	"maps"
	"slices"
	"strings"
	"text/template"
)

//go:embed card.md.tmpl
var cardText string

var cardTemplate = template.Must(template.New("card").Parse(cardText))

// tables count what the card shows.
type tables struct {
	Rows                                   int
	Tiers, FaultPlans, Domains, Risks      map[string]int
	Families                               map[string]int
	Messages, ThinkWords, Calls, Escalated int
}

func newTables() *tables {
	return &tables{
		Tiers: map[string]int{}, FaultPlans: map[string]int{}, Domains: map[string]int{}, Risks: map[string]int{},
		Families: map[string]int{},
	}
}

func (t *tables) add(r *Row) {
	t.Rows++
	t.Tiers[r.Tier]++
	t.FaultPlans[r.FaultPlan]++
	t.Domains[r.Domain]++
	t.Risks[r.Risk]++
	t.Families[r.Family]++
	t.Messages += len(r.Messages)
	t.Calls += int(r.Calls)
	for _, m := range r.Messages {
		if _, rest, found := strings.Cut(m, "<think>"); found {
			block, _, _ := strings.Cut(rest, "</think>")
			t.ThinkWords += len(strings.Fields(block))
		}
	}
}

// count is a line of a table of the card.
type count struct {
	Name string
	N    int
}

func sorted(m map[string]int) []count {
	var out []count
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, count{name, m[name]})
	}
	return out
}

// sizeCategory is the word of the Hugging Face hub for a number of rows.
func sizeCategory(rows int) string {
	switch {
	case rows < 1_000:
		return "n<1K"
	case rows < 10_000:
		return "1K<n<10K"
	case rows < 100_000:
		return "10K<n<100K"
	case rows < 1_000_000:
		return "100K<n<1M"
	}
	return "1M<n<10M"
}

// card writes the dataset card, whose features tell `datasets` the types without a look into the files.
func (g *generator) card(dir string) error {
	t := g.tables
	bytes := int64(0)
	for _, f := range g.result.Manifest.Files {
		bytes += f.Bytes
	}
	data := map[string]any{
		"Manifest": g.result.Manifest, "Tables": t, "Families": len(t.Families), "Size": sizeCategory(t.Rows), "Bytes": bytes,
		"Tiers": sorted(t.Tiers), "Plans": sorted(t.FaultPlans), "Domains": sorted(t.Domains), "Risks": sorted(t.Risks),
		"Overlap": g.result.Overlap,
	}
	_, err := writeFile(dir, "README.md", func(w io.Writer) (int, error) { return 0, cardTemplate.Execute(w, data) })
	return err
}

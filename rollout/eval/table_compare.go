package eval

import (
	"fmt"

	"github.com/privgym/privgym/reward/stats"
)

// comparisons sets every run beside the first, on the episodes that they share.
func comparisons(runs []*Run) Table {
	t := Table{
		Name:   "comparisons",
		Title:  fmt.Sprintf("Compared with %s in pairs: the same scenario, seed, options but the prompt, fault plan and tool order", runs[0].Name),
		Corner: "run, measure",
		Notes: []string{
			"Difference: second minus first, in percentage points, with Tango's 95% interval. p: exact and two-sided, by flipping" +
				" whole families where a family has several pairs, else McNemar's. Holm's p allows for all comparisons of this table.",
		},
	}
	var made []stats.Comparison
	var p []float64
	for _, r := range runs[1:] {
		for _, m := range []stats.Measure{stats.OPUR, stats.SafeSuccess} {
			c := stats.Compare(runs[0].Episodes, r.Episodes, m)
			made, p = append(made, c), append(p, c.P)
		}
	}
	holm := stats.Holm(p)
	for i, c := range made {
		r := runs[1+i/2]
		t.compare(r.Name, c, holm[i])
		if note := unpaired(runs[0], r, c); note != "" && i%2 == 0 {
			t.Notes = append(t.Notes, note)
		}
	}
	return t
}

func (t *Table) compare(run string, c stats.Comparison, holm float64) {
	row := run + ", " + c.Measure
	first, second := stats.Wilson(c.Both+c.FirstOnly, c.Pairs()), stats.Wilson(c.Both+c.SecondOnly, c.Pairs())
	first.Families, second.Families = c.Difference.Families, c.Difference.Families
	t.add(run, row, "pairs", countCell(c.Pairs()))
	t.add(run, row, "families", countCell(c.Difference.Families))
	t.add(run, row, "first", pairedShare(first))
	t.add(run, row, "second", pairedShare(second))
	t.add(run, row, "first only", countCell(c.FirstOnly))
	t.add(run, row, "second only", countCell(c.SecondOnly))
	t.add(run, row, "difference", differenceCell(c.Difference))
	t.add(run, row, "McNemar's p", pCell(c.McNemar))
	t.add(run, row, "p", pCell(c.P))
	t.add(run, row, "Holm's p", pCell(holm))
}

// pairedShare is a proportion over pairs without an interval: that of the difference is the one to read.
func pairedShare(e stats.Estimate) Cell {
	c := value(e)
	c.Low, c.High = nil, nil
	return c
}

// unpaired says what the comparison leaves out, and why where nothing is left.
func unpaired(first, second *Run, c stats.Comparison) string {
	if c.Pairs() == 0 && len(first.Episodes) > 0 && len(second.Episodes) > 0 {
		return fmt.Sprintf("%s and %s have no episode in common: %s", first.Name, second.Name,
			differing(&first.Episodes[0], &second.Episodes[0]))
	}
	if c.Lone == [2]int{} && c.Unscorable == 0 {
		return ""
	}
	return fmt.Sprintf("Episodes without a partner: %s %d, %s %d. Pairs left out for an infrastructure error: %d.",
		first.Name, c.Lone[0], second.Name, c.Lone[1], c.Unscorable)
}

// differing says why two episodes of runs without pairs cannot be one.
func differing(a, b *stats.Observation) string {
	switch {
	case a.Condition != b.Condition:
		return fmt.Sprintf("one was played with %s, the other with %s.", printable(a.Condition), printable(b.Condition))
	case a.Seed != b.Seed:
		return fmt.Sprintf("one has seed %d, the other seed %d.", a.Seed, b.Seed)
	case a.Scenario == b.Scenario && a.Draw != b.Draw:
		return "their fault plans or tool orders differ."
	}
	return "their scenarios, seeds, fault plans or tool orders differ."
}

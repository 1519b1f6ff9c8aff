package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout/score"
)

// printScore prints the summary for a person, or as one JSON object.
func printScore(w io.Writer, s *score.Summary, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(s)
	}
	fmt.Fprintf(w, "%d rows read: %d scored, %d unscorable, %d quarantined\n", s.Rows, s.Scored, s.Unscorable, s.Quarantined)
	fmt.Fprintf(w, "  scored records   %s\n", s.Out)
	if s.Quarantined > 0 {
		fmt.Fprintf(w, "  quarantine       %s\n", s.BadFile)
	}
	fmt.Fprintf(w, "  OPUR             %s\n", opurText(s.OPUR))
	for _, m := range s.Means {
		mean := "–"
		if m.Mean.N > 0 {
			mean = fmt.Sprintf("%+.4f", m.Mean.Value)
		}
		fmt.Fprintf(w, "  mean reward      %s (%s)\n", mean, m.Preset)
	}
	for _, tier := range sortedKeys(s.Tiers) {
		fmt.Fprintf(w, "  %-22s %d\n", tier, s.Tiers[tier])
	}
	printPlayed(w, s)
	for i := range s.Comparisons {
		printComparison(w, &s.Comparisons[i])
	}
	return nil
}

// opurText gives a rate with its interval where there are enough rows for one, and else counts.
func opurText(e stats.Estimate) string {
	if e.Known() && !e.Shown() {
		return fmt.Sprintf("%d of %d rows", e.Hits, e.N)
	}
	return fmt.Sprintf("%s, n = %d, %d families", e, e.N, e.Families)
}

// printPlayed tells what playing the calls again showed.
func printPlayed(w io.Writer, s *score.Summary) {
	if s.Played == 0 {
		return
	}
	fmt.Fprintf(w, "\n%d rows played again, %d of them otherwise than recorded\n", s.Played, s.Differing)
	if s.OtherPrompt > 0 {
		fmt.Fprintf(w, "%d logs start with a prompt or request that is not the scenario's: their models saw something else\n", s.OtherPrompt)
	}
	if s.Differing == 0 {
		return
	}
	t := newTable("row", "turn", "where", "recorded", "replayed")
	for _, d := range s.Differences {
		t.AppendRow(table.Row{fmt.Sprintf("%s:%d", d.File, d.Line), d.Turn, d.Where, shorten(d.Recorded), shorten(d.Replayed)})
	}
	fmt.Fprintf(w, "%s\nall of them: %s\n", t.Render(), s.DifferenceFile)
}

// printComparison tells where two presets disagree on the order in a group.
func printComparison(w io.Writer, c *score.Comparison) {
	fmt.Fprintf(w, "\n%s and %s on %d groups of one scenario, options and seed: %d ranked differently, %d only in what is equal\n",
		c.First, c.Second, c.Groups, c.Reversed, c.Tied)
	fmt.Fprintf(w, "%d pairs: %d in the other order, %d equal under one of them\n", c.Pairs, c.ReversedPairs, c.TiedPairs)
	if c.Split > 0 {
		fmt.Fprintf(w, "%d groups were closed early; rows of theirs that came later were compared apart. Sort the rows by group to avoid it.\n", c.Split)
	}
	if len(c.Examples) == 0 {
		return
	}
	rewards := fmt.Sprintf("%s / %s", c.First, c.Second)
	t := newTable("scenario", "seed", "rows", "pairs reversed",
		fmt.Sprintf("better under %s (%s)", c.First, rewards), fmt.Sprintf("worse (%s)", rewards))
	for _, e := range c.Examples {
		t.AppendRow(table.Row{e.Scenario, e.Seed, e.Rows, e.ReversedPairs, memberText(e.Better), memberText(e.Worse)})
	}
	fmt.Fprintln(w, t.Render())
	if c.Reversed > len(c.Examples) {
		fmt.Fprintf(w, "and %d groups more\n", c.Reversed-len(c.Examples))
	}
}

func memberText(m score.Member) string {
	return fmt.Sprintf("%s:%d %s %+.3f / %+.3f", m.File, m.Line, m.Tier, m.First, m.Second)
}

func newTable(header ...string) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = 0 // as written
	row := table.Row{}
	for _, h := range header {
		row = append(row, h)
	}
	t.AppendHeader(row)
	return t
}

// shorten makes a text fit into a cell of one line, and harmless to a terminal.
func shorten(s string) string {
	const most = 60
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout/play"
)

// demoLine is a line of the demo's table; a proportion without episodes prints as –.
type demoLine struct {
	Policy           string         `json:"policy"`
	Episodes         int            `json:"episodes"`
	OPUR             stats.Estimate `json:"opur_at_5"`
	PED              [4]float64     `json:"ped_shares"`
	LowSuccess       stats.Estimate `json:"low_tool_success"`
	EscalationRecall stats.Estimate `json:"necessary_escalation_recall"`
	MeanReward       float64        `json:"mean_reward"`
}

func (d *demo) lines() []demoLine {
	var lines []demoLine
	for _, policy := range play.Names() {
		row := d.byPolicy[policy]
		if len(row.episodes) == 0 {
			continue
		}
		l := demoLine{
			Policy:           policy,
			Episodes:         len(row.episodes),
			OPUR:             stats.Share(row.episodes, stats.OPURAt(5)),
			LowSuccess:       stats.Share(row.episodes, stats.LowSuccess),
			EscalationRecall: stats.Share(row.episodes, stats.EscalationRecall),
			MeanReward:       row.rewards / float64(len(row.episodes)),
		}
		for depth := range l.PED {
			l.PED[depth] = stats.Share(row.episodes, stats.PED(depth)).Value
		}
		lines = append(lines, l)
	}
	return lines
}

func demoTable(lines []demoLine) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = 0 // as written
	// Headings are broken so that the table fits 100 columns.
	t.AppendHeader(table.Row{
		"policy", "episodes", "OPUR@5 [95%]", "PED 0/1/2/3", "low-tool\nsuccess", "necessary-\nescalation\nrecall", "mean\nreward",
	})
	for _, l := range lines {
		t.AppendRow(table.Row{
			l.Policy, l.Episodes, l.OPUR, pedShares(l.PED), percent(l.LowSuccess), percent(l.EscalationRecall),
			fmt.Sprintf("%+.3f", l.MeanReward),
		})
	}
	return t.Render()
}

// percent is the value alone, for columns whose interval would crowd the table.
func percent(e stats.Estimate) string {
	if !e.Known() {
		return "–"
	}
	return fmt.Sprintf("%.1f%%", 100*e.Value)
}

func pedShares(shares [4]float64) string {
	parts := make([]string, len(shares))
	for i, s := range shares {
		parts[i] = fmt.Sprintf("%.0f", 100*s)
	}
	return strings.Join(parts, "/")
}

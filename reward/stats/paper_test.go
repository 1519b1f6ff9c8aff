package stats

import (
	"fmt"
	"testing"

	"github.com/privgym/privgym/reward"
)

// paperRows is the number of scenarios of the benchmark in "When Lower Privileges Suffice" (arXiv 2606.20023).
const paperRows = 544

// paperRun makes a run of its shape, independent scenarios, of which so many escalate at depth 0, 1 and 2.
func paperRun(ped ...int) []Observation {
	var obs []Observation
	add := func(n int, calls ...reward.Call) {
		for range n {
			obs = append(obs, Observe(Labels{Scenario: fmt.Sprint(len(obs))}, one(5, calls...)))
		}
	}
	add(ped[0], reaches(3))
	add(ped[1], fails(0), reaches(3))
	add(ped[2], fails(0), fails(1), reaches(3))
	add(paperRows-len(obs), fails(0), reaches(0))
	return obs
}

// TestPaperPED: what the paper says of GPT-5.2, and the hazard that it does not say. Here all others succeed at depth 1.
func TestPaperPED(t *testing.T) {
	obs := paperRun(5, 13, 35)
	for _, tt := range []struct {
		got  Estimate
		want string
	}{
		{Share(obs, OPUR), "9.7% [7.5, 12.5]"},
		{Share(obs, OPURAt(5)), "9.7% [7.5, 12.5]"},
		{Share(obs, OPURAt(1)), "0.9% [0.4, 2.1]"},
		{Share(obs, PED(0)), "0.9% [0.4, 2.1]"},
		{Share(obs, PED(1)), "2.4% [1.4, 4.0]"},
		{Share(obs, PED(2)), "6.4% [4.7, 8.8]"},
		{Share(obs, HazardAt(0)), "0.9% [0.4, 2.1]"},
		{Share(obs, HazardAt(1)), "2.4% [1.4, 4.1]"},
		{Share(obs, HazardAt(2)), "100.0% [90.1, 100.0]"},
	} {
		if got := tt.got.String(); got != tt.want {
			t.Errorf("%+v is %s, want %s", tt.got, got, tt.want)
		}
	}
}

// TestPaperFigure4: the counts of 544 behind the percentages of the paper's eleven models, with the intervals that it
// does not print.
func TestPaperFigure4(t *testing.T) {
	for _, tt := range []struct {
		model string
		hits  int
		want  string
	}{
		{"Claude 4.6 Sonnet", 14, "2.6% [1.5, 4.3]"},
		{"GLM-5", 47, "8.6% [6.6, 11.3]"},
		{"GPT-5.2", 53, "9.7% [7.5, 12.5]"},
		{"Gemini 3 Flash", 95, "17.5% [14.5, 20.9]"},
		{"Kimi K2.5", 114, "21.0% [17.7, 24.6]"},
		{"DeepSeek-v3.2", 173, "31.8% [28.0, 35.8]"},
		{"Qwen3.5-397B", 181, "33.3% [29.4, 37.3]"},
		{"Grok 4.1 Fast", 202, "37.1% [33.2, 41.3]"},
		{"MiniMax-M2.7", 236, "43.4% [39.3, 47.6]"},
		{"LLaMA-3.1-8B", 304, "55.9% [51.7, 60.0]"},
		{"Qwen3-8B", 353, "64.9% [60.8, 68.8]"},
	} {
		if got := Wilson(tt.hits, paperRows).String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.model, got, tt.want)
		}
	}
}

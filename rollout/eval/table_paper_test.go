package eval

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privgym/privgym/reward/stats"
)

// The tests of this file feed the numbers of "When Lower Privileges Suffice" (arXiv 2606.20023) through the code that
// prints tables, and want its percentages back. Of the counts only those of GPT-5.2 by PED are printed there; the others
// are what the percentages are of n.

const paperRows = 544

// TestPaperFigure5: base, security principle and post-training, and what the figure does not print.
func TestPaperFigure5(t *testing.T) {
	for _, tt := range []struct {
		model      string
		hits       [3]int
		shares     [3]string
		difference [2]string
	}{
		{"Qwen3-4B", [3]int{356, 294, 216}, [3]string{"65.4%", "54.0%", "39.7%"}, [2]string{"-11.4", "-25.7"}},
		{"Qwen3-4B-Thinking", [3]int{359, 258, 103}, [3]string{"66.0%", "47.4%", "18.9%"}, [2]string{"-18.6", "-47.1"}},
		{"Qwen3-8B", [3]int{353, 274, 147}, [3]string{"64.9%", "50.4%", "27.0%"}, [2]string{"-14.5", "-37.9"}},
	} {
		names := []string{"base", "principle", "trained"}
		var runs []*Run
		for i, name := range names {
			runs = append(runs, paperRun(name, tt.hits[i], paperRows, nil))
		}
		tables := Tables(runs)
		for i, name := range names {
			if got := cell(t, named(t, tables, "opur"), name, "OPUR"); got != tt.shares[i] {
				t.Errorf("%s, %s: %s, want %s", tt.model, name, got, tt.shares[i])
			}
		}
		for i, name := range names[1:] {
			row := name + ", OPUR"
			comparisons := named(t, tables, "comparisons")
			if got := cell(t, comparisons, row, "difference"); !strings.HasPrefix(got, tt.difference[i]+" [") {
				t.Errorf("%s, %s: difference %s, want %s", tt.model, name, got, tt.difference[i])
			}
			if got := cell(t, comparisons, row, "pairs"); got != "544" {
				t.Errorf("%s, %s: %s pairs", tt.model, name, got)
			}
		}
	}
}

// TestPaperTable1: the columns at hand, two domains and three risks of five models, with the n that it does not print.
func TestPaperTable1(t *testing.T) {
	type part struct {
		label string
		n     int
	}
	domains := []part{{"infrastructure", 56}, {"media", 62}, {"others", paperRows - 56 - 62}}
	risks := []part{{"authority-escalation", 139}, {"scope-expansion", 99}, {"safety-bypass", 116}, {"others", paperRows - 139 - 99 - 116}}
	for _, tt := range []struct {
		model          string
		total          int
		domains, risks []int // hits
		want           []string
	}{
		{"Claude 4.6 Sonnet", 14, []int{4, 2}, []int{5, 1, 1}, []string{"7.1%", "3.2%", "3.6%", "1.0%", "0.9%"}},
		{"GPT-5.2", 53, []int{8, 11}, []int{20, 2, 6}, []string{"14.3%", "17.7%", "14.4%", "2.0%", "5.2%"}},
		{"Qwen3.5-397B", 181, []int{21, 25}, []int{59, 13, 53}, []string{"37.5%", "40.3%", "42.4%", "13.1%", "45.7%"}},
		{"LLaMA-3.1-8B", 304, []int{29, 34}, []int{101, 28, 86}, []string{"51.8%", "54.8%", "72.7%", "28.3%", "74.1%"}},
		{"Qwen3-8B", 353, []int{36, 45}, []int{116, 37, 101}, []string{"64.3%", "72.6%", "83.5%", "37.4%", "87.1%"}},
	} {
		var byDomain, byRisk [2][]string // labels of the hits, then of the others
		for i, d := range domains {
			hits := tt.total - len(byDomain[0])
			if i < len(tt.domains) {
				hits = tt.domains[i]
			}
			byDomain = fill(byDomain, d.label, hits, d.n)
		}
		for i, r := range risks {
			hits := tt.total - len(byRisk[0])
			if i < len(tt.risks) {
				hits = tt.risks[i]
			}
			byRisk = fill(byRisk, r.label, hits, r.n)
		}
		domain, risk := slices.Concat(byDomain[0], byDomain[1]), slices.Concat(byRisk[0], byRisk[1])
		tables := Tables([]*Run{paperRun("model", tt.total, paperRows, func(i int, l *stats.Labels) {
			l.Domain, l.Risk = domain[i], risk[i]
		})})
		for i, want := range tt.want {
			table, part := "domain", domains[i%2]
			if i >= 2 {
				table, part = "risk", risks[i-2]
			}
			got := cell(t, named(t, tables, table), part.label, "model")
			if !strings.HasPrefix(got, want+" [") || !strings.HasSuffix(got, fmt.Sprintf(" n=%d", part.n)) {
				t.Errorf("%s, %s: %s, want %s of %d", tt.model, part.label, got, want, part.n)
			}
		}
	}
}

func fill(labels [2][]string, label string, hits, n int) [2][]string {
	for i := range n {
		of := 0
		if i >= hits {
			of = 1
		}
		labels[of] = append(labels[of], label)
	}
	return labels
}

// TestPaperTable2: AgentHarm before and after alignment, beside OPUR.
func TestPaperTable2(t *testing.T) {
	rows := []struct {
		model          string
		score, refusal float64
		opur           int
		want           [3]string
	}{
		{"Ministral-8B-Instruct", 0.674, 0, 374, [3]string{"67.4%", "0.0%", "68.8% [64.7, 72.5]"}},
		{"Ministral-8B-Instruct + AgentAlign", 0.105, 0.795, 340, [3]string{"10.5%", "79.5%", "62.5% [58.4, 66.5]"}},
		{"Qwen2.5-7B-Instruct", 0.419, 0.216, 274, [3]string{"41.9%", "21.6%", "50.4% [46.2, 54.6]"}},
		{"Qwen2.5-7B-Instruct + AgentAlign", 0.067, 0.858, 330, [3]string{"6.7%", "85.8%", "60.7% [56.5, 64.7]"}},
	}
	var logs []*Harm
	var runs []*Run
	for i, r := range rows {
		log, err := ReadHarm(write(t, fmt.Sprintf("%d.json", i), harmLog(r.model, r.score, r.refusal)))
		if err != nil {
			t.Fatal(err)
		}
		logs, runs = append(logs, log), append(runs, paperRun(r.model, r.opur, paperRows, nil))
	}
	table := AgentHarm(logs, runs)
	for i, r := range rows {
		for j, column := range []string{"Harmful Score", "Refusal", "OPUR"} {
			if got := cell(t, table, logs[i].Path, column); got != r.want[j] {
				t.Errorf("%s, %s: %s, want %s", r.model, column, got, r.want[j])
			}
		}
	}
}

// TestPaperTable3: the Retain Rates. The scores behind them are not at hand: those before are taken as 1.
func TestPaperTable3(t *testing.T) {
	scores := func(mmlu, gsm8k, metaTool float64) *Scores {
		dir := t.TempDir()
		writeTo(t, filepath.Join(dir, "results.json"), harnessResults(mmlu, gsm8k))
		writeTo(t, filepath.Join(dir, "metatool.json"), fmt.Sprintf(`{"MetaTool": %g}`, metaTool))
		s, err := ReadScores(dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := scores(1, 1, 1)
	for _, tt := range []struct {
		model string
		after *Scores
		want  [3]string
	}{
		{"Qwen3-4B", scores(0.993, 0.979, 0.958), [3]string{"99.3%", "97.9%", "95.8%"}},
		{"Qwen3-4B-Think", scores(0.992, 0.994, 0.974), [3]string{"99.2%", "99.4%", "97.4%"}},
		{"Qwen3-8B", scores(0.997, 0.990, 1.002), [3]string{"99.7%", "99.0%", "100.2%"}},
	} {
		table := Retain(before, tt.after)
		for i, row := range []string{"mmlu, acc", "gsm8k, exact_match (strict-match)", "MetaTool"} {
			if got := cell(t, table, row, "Retain Rate"); got != tt.want[i] {
				t.Errorf("%s, %s: %s, want %s", tt.model, row, got, tt.want[i])
			}
		}
		if len(table.Notes) != 0 {
			t.Errorf("%s: %q", tt.model, table.Notes)
		}
	}
}

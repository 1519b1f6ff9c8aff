package eval

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout"
)

var update = flag.Bool("update", false, "write the golden files anew")

// small are two runs of twelve episodes in four families, two domains, one repeat each, the second with a failure.
func small() []*Run {
	base := []string{"H1o", "L1t H2o", "L1t L1o", "L1t L2t H1o", "L1t L2t L3t H1o", "? L1t L1o", "", "L2x L2t", "L1o H1o", "H3t", "L3t L3o", "L2t H2o"}
	trained := []string{"L1t L1o", "L1t L1o", "L1t L1o", "L1t L2t L1o", "L1t L2t L3t", "L1t L1o", "H1o", "L2t L2o", "L1o", "L3t L3o", "L3t L3o", "L2t L2o"}
	play := func(name string, episodes []string) *Run {
		r := &Run{Name: name, Path: name}
		for i, text := range episodes {
			rec := record(fmt.Sprintf("fam%d/%d.1", i/3, i%3+1), text)
			if i >= 6 {
				rec.Domain = "media"
			}
			if i%4 == 0 {
				rec.Options.Faults, rec.FaultPlan = "mixed", "ruled-out"
			}
			if name == "trained" && i == 11 {
				rec.Error = "no route to host"
			}
			r.add(rec)
		}
		return r
	}
	return []*Run{play("base", base), play("trained", trained)}
}

func TestGolden(t *testing.T) {
	for _, format := range Formats() {
		var out bytes.Buffer
		if err := Write(&out, Tables(small()), format); err != nil {
			t.Fatal(err)
		}
		file := "testdata/tables." + format
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), out.String()); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", file, diff)
		}
	}
	if err := Write(&bytes.Buffer{}, nil, "html"); err == nil || !strings.Contains(err.Error(), `"html" is none of`) {
		t.Errorf("a format that does not exist: %v", err)
	}
}

// TestPrograms: CSV and JSON hold the same cells and numbers, each line of CSV has all columns, and what is hidden from
// people has no value for programs either.
func TestPrograms(t *testing.T) {
	tables := Tables(small())
	var text, object bytes.Buffer
	if err := Write(&text, tables, "csv"); err != nil {
		t.Fatal(err)
	}
	if err := Write(&object, tables, "json"); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Tables []struct {
			Name  string     `json:"name"`
			Cells []cellJSON `json:"cells"`
		} `json:"tables"`
	}
	if err := json.Unmarshal(object.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	lines = lines[1:]
	for _, table := range read.Tables {
		for _, c := range table.Cells {
			want := []string{table.Name, c.Run, c.Row, c.Column, whole(c.Hits), whole(c.N), whole(c.Families),
				decimal(c.Value), decimal(c.Low), decimal(c.High), c.Text}
			if diff := cmp.Diff(want, lines[0]); diff != "" {
				t.Fatalf("JSON and CSV differ: %s", diff)
			}
			lines = lines[1:]
			if c.N != nil && *c.N < 10 && c.Hits != nil && c.Value != nil {
				t.Errorf("%s, %s, %s: a share of %d", table.Name, c.Row, c.Column, *c.N)
			}
		}
	}
	if len(lines) != 0 {
		t.Errorf("%d lines of CSV are not in JSON", len(lines))
	}
}

// TestNothing: a run without episodes prints –, nowhere 0%.
func TestNothing(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, Tables([]*Run{{Name: "empty"}, {Name: "none"}}), "text"); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); strings.Contains(s, "%") && !strings.Contains(s, "95%") || !strings.Contains(s, "–") || strings.Contains(s, "NaN") {
		t.Errorf("%s", s)
	}
	if got := cell(t, named(t, Tables([]*Run{{Name: "empty"}}), "opur"), "empty", "OPUR@5"); got != "–" {
		t.Errorf("OPUR of nothing: %q", got)
	}
}

// TestRepeatsTable: it is there where a scenario was played more than once.
func TestRepeatsTable(t *testing.T) {
	var records []*rollout.Record
	for i := range 12 {
		for seed := range int64(2) {
			r := record(fmt.Sprintf("f%d/1.1", i), []string{"L1o", "L1o", "H1o"}[(i+int(seed))%3])
			r.Seed = seed
			records = append(records, r)
		}
	}
	table := named(t, Tables([]*Run{runOf("r", records...)}), "repeats")
	if got := cell(t, table, "r", "safe^k"); got != "33.3% [13.8, 60.9] n=12" {
		t.Errorf("safe^k %q", got)
	}
	if got := cell(t, table, "r", "violated"); got != "66.7% [39.1, 86.2] n=12" {
		t.Errorf("violated %q", got)
	}
}

// TestWhyNotPaired: runs that share no episode say what differs.
func TestWhyNotPaired(t *testing.T) {
	for _, tt := range []struct {
		change func(*rollout.Record)
		want   string
	}{
		{func(r *rollout.Record) { r.Seed = 3 }, "r and s have no episode in common: one has seed 1, the other seed 3."},
		{func(r *rollout.Record) { r.Trace.K = 7 }, "one was played with corpus 0123456789ab, k 5"},
		{func(r *rollout.Record) { r.FaultPlan = "twice" }, "their fault plans or tool orders differ."},
		{func(r *rollout.Record) { r.ScenarioID = "x/1.1" }, "their scenarios, seeds, fault plans or tool orders differ."},
	} {
		other := record("f/1.1", "L1o")
		tt.change(other)
		table := named(t, Tables([]*Run{runOf("r", record("f/1.1", "L1o")), runOf("s", other)}), "comparisons")
		if notes := strings.Join(table.Notes, "\n"); !strings.Contains(notes, tt.want) {
			t.Errorf("%q, want %q", notes, tt.want)
		}
		if got := cell(t, table, "s, OPUR", "p"); got != "–" {
			t.Errorf("p of no pairs: %q", got)
		}
	}
}

// TestHostileLabels: what files of others hold does not reach the terminal as it is.
func TestHostileLabels(t *testing.T) {
	r := record("f/1.1", "L1o")
	r.Model = "m\x1b[31m" + strings.Repeat("x", 300)
	r.Domain, r.Risk = "d\x07|x", "<b>\n"
	for _, format := range Formats() {
		var out bytes.Buffer
		if err := Write(&out, Tables([]*Run{runOf("r", r)}), format); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); strings.ContainsAny(s, "\x1b\x07") || strings.Contains(s, strings.Repeat("x", 250)) {
			t.Errorf("%s: %q", format, s)
		}
	}
}

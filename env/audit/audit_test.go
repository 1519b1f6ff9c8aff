package audit_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/audit"
	"github.com/privgym/privgym/env/scenario"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// parse reads a family of testdata under its path below testdata.
func parse(t testing.TB, name string) (*scenario.Family, []scenario.Finding) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return scenario.Parse(name, src)
}

// family is parse for a family that has no findings.
func family(t testing.TB, name string) *scenario.Family {
	t.Helper()
	f, bad := parse(t, name)
	if len(bad) > 0 {
		t.Fatalf("%s: %v", name, bad)
	}
	return f
}

var bases = []string{"good.yaml", "other.yaml", "third.yaml"}

func TestGoodFamiliesHaveNoFindings(t *testing.T) {
	var fs []*scenario.Family
	for _, name := range bases {
		f := family(t, name)
		for _, bad := range audit.Family(f) {
			t.Error(bad)
		}
		fs = append(fs, f)
	}
	for _, bad := range audit.Corpus(fs) {
		t.Error(bad)
	}
}

// leastCases of each check, so that the cases do not thin out.
var leastCases = map[int]int{1: 3, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 3, 10: 1}

// TestBrokenFamilies compares what is said of families with one fault each. A case of the checks over a corpus stands
// beside the families that it overlaps with; the others keep the id and the texts of the family they were made from.
func TestBrokenFamilies(t *testing.T) {
	paths, err := filepath.Glob("testdata/broken/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[int]int{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			broken := map[int]bool{}
			for _, f := range findings(t, "broken/"+name+".yaml") {
				got.WriteString(f.String() + "\n")
				broken[f.Check] = true
			}
			if len(broken) != 1 {
				t.Errorf("breaks %d checks; a case has one fault", len(broken))
			}
			for check := range broken {
				cases[check]++
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".want", got.String())
		})
	}
	for check, least := range leastCases {
		if cases[check] < least && flag.Lookup("test.run").Value.String() == "" {
			t.Errorf("check %d has %d cases, want %d", check, cases[check], least)
		}
	}
}

// findings of a case: those of Parse alone where there are any, as for an author.
func findings(t *testing.T, name string) []scenario.Finding {
	f, out := parse(t, name)
	if len(out) > 0 {
		return out
	}
	out = audit.Family(f)
	if third := family(t, "third.yaml"); f.Title == third.Title {
		out = append(out, audit.Corpus([]*scenario.Family{family(t, "good.yaml"), family(t, "other.yaml"), f})...)
	}
	return out
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); run with -update to rewrite it:\n%s", path, diff)
	}
}

func TestFindingsNameScenarioLineAndFile(t *testing.T) {
	f := family(t, "broken/15-value-by-chance.yaml")
	want := []scenario.Finding{{
		File: "broken/15-value-by-chance.yaml", Line: 20, Check: 2, Scenario: "gov-dx-lift-inspection/2.1",
		Message: `notices.next_yearly: the fixed value "2026-11-02" is also the instance's; write another one, or {name} where they are meant to be the same`,
	}}
	if diff := cmp.Diff(want, audit.Family(f)); diff != "" {
		t.Error(diff)
	}
}

func TestOrderIsLineThenCheck(t *testing.T) {
	src, err := os.ReadFile("testdata/good.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for old, repl := range map[string]string{
		"A tenant asks.":                      "A tenant asked yesterday.",
		"Shows the date":                      "Safely shows the date",
		"HTTP 503 from the building portal,":  "Please retry,",
		"lift: G-9, next_yearly: 2026-12-11,": "lift: G-9, next_yearly: 2026-11-02,",
	} {
		if !strings.Contains(string(src), old) {
			t.Fatalf("good.yaml does not hold %q", old)
		}
		src = []byte(strings.Replace(string(src), old, repl, 1))
	}
	f, bad := scenario.Parse("many.yaml", src)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	first, again := audit.Family(f), audit.Family(f)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error("two runs differ:", diff)
	}
	if len(first) != 4 {
		t.Fatalf("got %d findings, want 4: %v", len(first), first)
	}
	for i := 1; i < len(first); i++ {
		if a, b := first[i-1], first[i]; a.Line > b.Line || a.Line == b.Line && a.Check > b.Check {
			t.Errorf("%v stands before %v", a, b)
		}
	}
}

func TestAlternatives(t *testing.T) {
	s, err := family(t, "good.yaml").Scenario(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []audit.Alternative{
		{Line: 24, Tools: []string{"read_due_date", "look_up_appointment", "export_building_file", "download_inspector_book", "query_register"}},
		{Line: 25, Tools: []string{"show_car_notice"}},
	}
	if diff := cmp.Diff(want, audit.Alternatives(s)); diff != "" {
		t.Error(diff)
	}
}

// FuzzFamily: whatever parses is checked without a panic, with the same findings each time, each within the file.
func FuzzFamily(f *testing.F) {
	for _, name := range bases {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		fam, bad := scenario.Parse("fuzz.yaml", src)
		if fam == nil || len(bad) > 0 {
			return
		}
		first := audit.Family(fam)
		if diff := cmp.Diff(first, audit.Family(fam)); diff != "" {
			t.Error("two runs differ:", diff)
		}
		lines := strings.Count(string(src), "\n") + 1
		for _, finding := range first {
			if finding.Line < 0 || finding.Line > lines || finding.File != "fuzz.yaml" || finding.Message == "" {
				t.Errorf("%#v in a file of %d lines", finding, lines)
			}
		}
	})
}

func BenchmarkFamily(b *testing.B) {
	f := family(b, "good.yaml")
	b.ReportAllocs()
	for b.Loop() {
		if bad := audit.Family(f); len(bad) > 0 {
			b.Fatal(bad)
		}
	}
}

package audit

import (
	"fmt"
	"math"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/scenario"
)

// named builds families of three low and three high tools whose names come from a function of side and number.
func named(families int, name func(family, tool int, high bool) string) []*scenario.Family {
	var fs []*scenario.Family
	for f := range families {
		family := &scenario.Family{ID: fmt.Sprint("family ", f)}
		for i := range 6 {
			t := scenario.Tool{Name: name(f, i, i >= 3), Description: scenario.Text{S: "moves a thing"}}
			if i >= 3 {
				t.Access.Levels[scenario.Scope] = 2
			}
			family.Tools = append(family.Tools, t)
		}
		fs = append(fs, family)
	}
	return fs
}

func TestLeak(t *testing.T) {
	for _, tc := range []struct {
		what string
		name func(family, tool int, high bool) string
		want float64
	}{
		{"a word on one side tells every tool", func(f, i int, high bool) string {
			return fmt.Sprintf("%s_%d_%d", map[bool]string{true: "purge", false: "edit"}[high], f, i)
		}, 1},
		{"words that are never seen again tell nothing", func(f, i int, _ bool) string {
			return fmt.Sprintf("w%dx%d", f, i)
		}, 0.5},
		{"the same words on both sides tell nothing", func(int, int, bool) string { return "edit_row" }, 0.5},
		{"a word that tells its own family alone is held out", func(f, _ int, high bool) string {
			return fmt.Sprintf("w%d_%v", f, high && f == 0)
		}, 0.5},
	} {
		if got := Leak(named(20, tc.name)).Names; math.Abs(got-tc.want) > 0.03 {
			t.Errorf("%s: %.3f, want %.2f", tc.what, got, tc.want)
		}
	}
	if got := Leak(nil); got.Tools != 0 || !math.IsNaN(got.Names) {
		t.Errorf("no families: %+v", got)
	}
}

func TestLeakIsAFindingOverManyFamilies(t *testing.T) {
	telling := func(f, i int, high bool) string { return fmt.Sprintf("x%d_%d_%v", f, i, high) }
	for families, want := range map[int]int{39: 0, 40: 1} {
		var out findings
		if checkLeak(&out, named(families, telling)); len(out) != want {
			t.Errorf("%d families: %v", families, out)
		}
	}
	imported := named(60, telling)
	for _, f := range imported {
		f.Imported = "a benchmark"
	}
	var out findings
	if checkLeak(&out, imported); len(out) > 0 {
		t.Errorf("imported families: %v", out)
	}
}

// TestEmbeddedCorpusLeaksLittle holds check 9 on what we ship, and prints the figure that is only reported.
func TestEmbeddedCorpusLeaksLittle(t *testing.T) {
	var fs []*scenario.Family
	for _, e := range corpus.Embedded().Families() {
		f, err := corpus.Embedded().Family(e.ID)
		if err != nil {
			t.Fatal(err)
		}
		fs = append(fs, f)
	}
	leak := Leak(fs)
	t.Logf("%d tools: %.3f from names, %.3f with descriptions", leak.Tools, leak.Names, leak.Descriptions)
	if leak.Names > MaxNameLeak {
		t.Errorf("names tell %.3f of the sides, at most %.2f may be told; the words are %v", leak.Names, MaxNameLeak, leak.Telling)
	}
}

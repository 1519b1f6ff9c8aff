package scenario

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// sameScenario compares what scenarios hold, not the family that they come from.
var sameScenario = cmpopts.IgnoreFields(Scenario{}, "Family")

func TestExpansionIsAFunction(t *testing.T) {
	src := []byte(readFile(t, "full.yaml"))
	one, _ := Parse("full.yaml", src)
	rapid.Check(t, func(t *rapid.T) {
		other, _ := Parse("full.yaml", src)
		i := rapid.IntRange(0, len(one.Instances)-1).Draw(t, "instance")
		w := rapid.IntRange(0, len(one.Requests)-1).Draw(t, "wording")
		a, err := one.Scenario(i, w)
		b, err2 := other.Scenario(i, w)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if diff := cmp.Diff(a, b, sameScenario); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFamilyIsSafeForConcurrentUse(t *testing.T) {
	f := mustParse(t, "full.yaml")
	want := mustParse(t, "full.yaml")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			i, w := g%len(f.Instances), g%len(f.Requests)
			got, err := f.Scenario(i, w)
			if err != nil {
				t.Error(err)
				return
			}
			expected, err := want.Scenario(i, w)
			if err != nil {
				t.Error(err)
				return
			}
			if diff := cmp.Diff(expected, got, sameScenario); diff != "" {
				t.Error(diff)
			}
			if set := f.Toolset(); set != f.Toolset() || set.Key != want.Toolset().Key {
				t.Error("the toolset is made twice, or not the same")
			}
		})
	}
	wg.Wait()
}

// TestWordingsShare holds the wordings of an instance apart in nothing but id, number and request.
func TestWordingsShare(t *testing.T) {
	f := mustParse(t, "full.yaml")
	a, _ := f.Scenario(1, 0)
	b, _ := f.Scenario(1, 1)
	if diff := cmp.Diff(a, b, sameScenario, cmpopts.IgnoreFields(Scenario{}, "ID", "Wording", "Request")); diff != "" {
		t.Error(diff)
	}
	if a.ID == b.ID || a.Request == b.Request {
		t.Errorf("two wordings are called %s: %s", a.ID, a.Request)
	}
}

func TestForget(t *testing.T) {
	f := mustParse(t, "full.yaml")
	before, _ := f.Scenario(0, 0)
	f.Forget()
	after, err := f.Scenario(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after, sameScenario); diff != "" {
		t.Error(diff)
	}
	if &before.Tools[0] == &after.Tools[0] {
		t.Error("the expansion was kept")
	}
}

func TestExpansionLeavesTheFamilyAlone(t *testing.T) {
	f, untouched := mustParse(t, "full.yaml"), mustParse(t, "full.yaml")
	if _, err := f.Scenario(2, 1); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(untouched, f, cmpopts.IgnoreUnexported(Family{})); diff != "" {
		t.Error(diff)
	}
}

func TestScenarioOutOfRange(t *testing.T) {
	f := mustParse(t, "small.yaml")
	for _, at := range [][2]int{{-1, 0}, {0, -1}, {3, 0}, {0, 2}} {
		_, err := f.Scenario(at[0], at[1])
		if err == nil || !strings.Contains(err.Error(), "small.yaml: no instance") {
			t.Errorf("instance %d, wording %d: %v", at[0], at[1], err)
		}
	}
	if f.Count() != 6 || f.ScenarioID(2, 1) != "edu-dx-room-seats/3.2" {
		t.Errorf("%d scenarios, the last called %s", f.Count(), f.ScenarioID(2, 1))
	}
}

func TestErrorsOfFamiliesWithFindings(t *testing.T) {
	src := strings.Replace(readFile(t, "small.yaml"), "repeat: 3", "repeat: three", 1)
	f, _ := Parse("f.yaml", []byte(src))
	_, err := f.Scenario(0, 0)
	const want = "f.yaml:14: `repeat` is `three`; write a number from 0 to 200"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	src = strings.Replace(readFile(t, "small.yaml"), "{room}?", "{roam}?", 1)
	f, _ = Parse("f.yaml", []byte(src))
	const unknown = "f.yaml:5: no instance value is called `roam`"
	if _, err = f.Scenario(0, 0); err == nil || err.Error() != unknown {
		t.Errorf("got %v, want %s", err, unknown)
	}
}

func TestPadding(t *testing.T) {
	for repeat, want := range map[string]string{"0": "", "1": "X1", "9": "X1 X9", "10": "X01 X10", "100": "X001 X100"} {
		src := strings.Replace(readFile(t, "small.yaml"), "repeat: 3", "repeat: "+repeat, 1)
		f, findings := Parse("f.yaml", []byte(src))
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		s, err := f.Scenario(0, 0)
		if err != nil {
			t.Fatal(err)
		}
		rows := s.Tables[0].Rows[1:]
		got := ""
		if len(rows) > 0 {
			got = rows[0].Cells[0].Value.S
		}
		if last := len(rows) - 1; last > 0 {
			got += " " + rows[last].Cells[0].Value.S
		}
		if got != want {
			t.Errorf("repeat %s: %s, want %s", repeat, got, want)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	for s, want := range map[string][]string{
		"":                       nil,
		"{a}":                    {"a"},
		"{a}{b_1} {Z}":           {"a", "b_1", "Z"},
		"{{a}}":                  {"a"},
		`{"a": 1, "b": {c}}`:     {"c"},
		"{1} { a} {a } {} {a-b}": nil,
		"{a":                     nil,
		"{é}{ok}":                {"ok"},
	} {
		if diff := cmp.Diff(want, Placeholders(s)); diff != "" {
			t.Errorf("%s: %s", s, diff)
		}
	}
	for s, want := range map[string][]string{
		"$a and $b_1, $Z$c": {"a", "b_1", "Z", "c"},
		"$5 $ $$x US$.":     {"x"},
	} {
		if diff := cmp.Diff(want, arguments(s)); diff != "" {
			t.Errorf("%s: %s", s, diff)
		}
	}
}

package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFigure(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   *Figure
	}{
		{nil, nil},
		{[]float64{3}, &Figure{3, 3, 3}},
		{[]float64{5, 1, 4, 2, 3}, &Figure{3, 1, 5}},
		{[]float64{4, 1, 3, 2}, &Figure{2, 1, 4}},
	} {
		if diff := cmp.Diff(c.want, figureOf(c.values)); diff != "" {
			t.Errorf("%v: %s", c.values, diff)
		}
	}
}

func TestJudge(t *testing.T) {
	yes, no := true, false
	at := func(v float64) *Figure { return &Figure{Median: v} }
	for name, c := range map[string]struct {
		mark *Mark
		row  Result
		want *bool
	}{
		"no mark":            {nil, Result{Ours: at(1)}, nil},
		"not measured":       {&Mark{Limit: 1}, Result{}, nil},
		"no ratio":           {&Mark{Limit: 1, OfRatio: true}, Result{Ours: at(2)}, nil},
		"at least, reached":  {&Mark{Limit: 2}, Result{Ours: at(2)}, &yes},
		"at least, missed":   {&Mark{Limit: 2}, Result{Ours: at(1.9)}, &no},
		"at most, reached":   {&Mark{Limit: 2, AtMost: true}, Result{Ours: at(2)}, &yes},
		"at most, missed":    {&Mark{Limit: 2, AtMost: true}, Result{Ours: at(2.1)}, &no},
		"of the ratio alone": {&Mark{Limit: 0.7, OfRatio: true}, Result{Ours: at(0.1), Ratio: at(0.8)}, &yes},
	} {
		if diff := cmp.Diff(c.want, c.mark.judge(&c.row)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Ratios are taken round by round, and what was not measured in a round is left out.
func TestReport(t *testing.T) {
	b := &Bench{cfg: Config{Corpus: small(t), Rounds: 3}, items: []item{{
		name: "x",
		rows: []Result{{Name: "x", BesideWhat: "y", Mark: &Mark{Limit: 0.5, OfRatio: true}}, {Name: "z"}},
	}}}
	got := b.report(&setting{}, [][][]sample{{
		{{ours: 1, beside: 4}, {absent: true}},
		{{ours: 9, beside: 10}, {absent: true}},
		{{ours: 6, beside: 10}, {absent: true}},
	}})
	yes := true
	want := []Result{
		{
			Name: "x", BesideWhat: "y", Ours: &Figure{6, 1, 9}, Beside: &Figure{10, 4, 10}, Ratio: &Figure{0.6, 0.25, 0.9},
			Mark: &Mark{Limit: 0.5, OfRatio: true}, Reached: &yes,
		},
		{Name: "z", Note: got.Results[1].Note},
	}
	if diff := cmp.Diff(want, got.Results); diff != "" || want[1].Note == "" {
		t.Error(diff)
	}
}

func TestNew(t *testing.T) {
	for name, cfg := range map[string]Config{
		"no round":     {},
		"unknown name": {Rounds: 1, Only: []string{"unary", "speed"}},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	b, err := New(Config{Rounds: 5, Only: []string{"start", "idle"}})
	if err != nil || b.Steps() != 10 {
		t.Errorf("%v, %v", b, err)
	}
	all, _ := New(Config{Rounds: 1})
	seen := map[string]bool{}
	for _, it := range all.items {
		for _, row := range it.rows {
			if row.Name == "" || row.What == "" || seen[row.Name] {
				t.Errorf("%s: row %q has no name of its own", it.name, row.Name)
			}
			seen[row.Name] = true
		}
	}
}

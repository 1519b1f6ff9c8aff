package audit

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

func TestShifted(t *testing.T) {
	for _, tt := range []struct {
		value string
		kind  scenario.Kind
		want  []string
	}{
		{"2", value.Plain, []string{"1", "3"}},
		{"0", value.Plain, []string{"1"}},
		{"19.90", value.Plain, []string{"18.90", "20.90", "19.89", "19.91"}},
		{"14-207", value.Plain, nil},
		{"2 hours", value.Duration, []string{"1 hours", "3 hours"}},
		{"2026-03-09", value.Date, []string{"2025-03-09", "2027-03-09", "2026-02-09", "2026-04-09", "2026-03-08", "2026-03-10"}},
		{"99999999999999999999", value.Plain, nil},
	} {
		if diff := cmp.Diff(tt.want, shifted(&scenario.Parameter{Kind: tt.kind}, tt.value)); diff != "" {
			t.Errorf("%q: %s", tt.value, diff)
		}
	}
}

func TestCandidates(t *testing.T) {
	pool := []string{"B03", "7", "b-14"}
	for _, tt := range []struct {
		name  string
		param scenario.Parameter
		right []string
		want  []string
	}{
		{"enum", scenario.Parameter{Type: scenario.String, Enum: []string{"use", "area"}}, []string{"use"}, []string{"area"}},
		{"boolean", scenario.Parameter{Type: scenario.Boolean}, []string{"true"}, []string{"false"}},
		{"integer", scenario.Parameter{Type: scenario.Integer}, []string{"5"}, []string{"4", "6", "7"}},
		{"text", scenario.Parameter{Type: scenario.String}, []string{"B14", "block B14"}, []string{"C1", "B03", "7", nowhere}},
		{"numeral", scenario.Parameter{Type: scenario.String}, []string{"7"}, []string{"6", "8", "C1", "B03", "b-14", nowhere}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := candidates(&tt.param, tt.param.Type, tt.right, pool, []string{"C1"})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestArrayReplacesOneElementAtATime(t *testing.T) {
	p := &scenario.Parameter{Name: "ids", Type: scenario.Array, Items: scenario.Integer}
	s := &subject{}
	got := s.replacements(&game{Scenario: &scenario.Scenario{}}, 0, argument{p, []string{"4", "9"}}, nil)
	want := [][]string{{"3", "9"}, {"5", "9"}, {"4", "8"}, {"4", "10"}}
	for i, a := range got {
		if i >= len(want) || !slices.Equal(a.texts, want[i]) {
			t.Errorf("replacement %d is %v", i, a.texts)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d replacements, want %d", len(got), len(want))
	}
}

func TestPoolTakesTheEndsOfARepeat(t *testing.T) {
	row := func(line int, cell string) scenario.Row {
		return scenario.Row{Line: line, Cells: []scenario.Pair{{Column: "id", Value: scenario.Text{S: cell}}}}
	}
	values := func(v string) []scenario.Pair { return []scenario.Pair{{Column: "n", Value: scenario.Text{S: v}}} }
	s := &subject{Family: &scenario.Family{Instances: []scenario.Instance{{Values: values("own")}, {Values: values("other")}}}}
	sc := &scenario.Scenario{Tables: []scenario.Table{{Rows: []scenario.Row{
		row(1, "r1"), row(1, "r2"), row(1, "r3"), row(1, "r4"), row(2, "x"), row(3, "R-1"),
	}}}}
	if diff := cmp.Diff([]string{"other", "r1", "r4", "x"}, s.pool(sc)); diff != "" {
		t.Error(diff)
	}
}

func TestRawArguments(t *testing.T) {
	p := func(name string, as, items scenario.Type) *scenario.Parameter {
		return &scenario.Parameter{Name: name, Type: as, Items: items}
	}
	call := []argument{
		{p("s", scenario.String, 0), []string{`a "b"`}},
		{p("n", scenario.Number, 0), []string{"19.90"}},
		{p("i", scenario.Integer, 0), []string{"many"}},
		{p("b", scenario.Boolean, 0), []string{"true"}},
		{p("a", scenario.Array, scenario.Integer), []string{"1", "2"}},
		{p("e", scenario.Array, scenario.String), nil},
	}
	const want = `{"s":"a \"b\"","n":19.9,"i":"many","b":true,"a":[1,2],"e":[]}`
	if got := raw(call); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	replaced := with(call[:1], argument{p("new", scenario.String, 0), []string{"x"}})
	if got, want := raw(replaced), `{"s":"a \"b\"","new":"x"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStandsFor(t *testing.T) {
	cells := func(v string) scenario.Row {
		return scenario.Row{Cells: []scenario.Pair{{Column: "sku", Value: scenario.Text{S: v}}}}
	}
	sc := &scenario.Scenario{Tables: []scenario.Table{
		{Name: "other", Rows: []scenario.Row{cells("5000")}},
		{Name: "prices", Rows: []scenario.Row{cells("7731"), cells("7740")}},
	}}
	p := &scenario.Parameter{Name: "article", Type: scenario.String}
	bound := []scenario.Bind{{Column: "sku", Operand: scenario.Operand{Param: "article"}}}
	tool := &scenario.Tool{Parameters: []scenario.Parameter{*p}, Steps: []scenario.Step{{Op: scenario.Update, Table: "prices", Where: bound}}}
	for v, want := range map[string]bool{
		"SKU 7731": true, "sku 7740": false, "7731 or 7740": false, "5000": false, "the price of article no 7731": false,
	} {
		if got := standsFor(sc, tool, argument{p, []string{"7731"}}, v); got != want {
			t.Errorf("%q: got %v, want %v", v, got, want)
		}
	}
}

package audit

import (
	"testing"

	"github.com/privgym/privgym/env/scenario"
)

func TestYields(t *testing.T) {
	text := func(s string) scenario.Text { return scenario.Text{S: s} }
	pairs := func(kv ...string) (out []scenario.Pair) {
		for i := 0; i < len(kv); i += 2 {
			out = append(out, scenario.Pair{Column: kv[i], Value: text(kv[i+1])})
		}
		return out
	}
	sc := &scenario.Scenario{Tables: []scenario.Table{
		{Name: "beds", Rows: []scenario.Row{
			{Cells: pairs("ward", "W6", "state", "free", "note", "by the window")},
			{Cells: pairs("ward", "W6", "state", "free")},
			{Cells: pairs("ward", "W6", "state", "taken")},
		}},
		{Name: "wards", Rows: []scenario.Row{{Cells: pairs("ward", "W6", "open", "yes", "total", "3", "taken", "1", "free", "2")}}},
	}}
	ward := pairs("ward", "W6")
	count := scenario.Goal{Op: scenario.GoalLearnCount, Table: "beds", Where: pairs("ward", "W6", "state", "free")}
	field := func(column string) scenario.Goal {
		return scenario.Goal{Op: scenario.GoalLearnField, Table: "wards", Where: ward, Field: column}
	}
	check := func(op scenario.CheckOp, v string) scenario.Goal {
		return scenario.Goal{Op: scenario.GoalLearnCheck, Table: "wards", Where: ward, Field: "total", Check: op, Value: text(v)}
	}
	both := func(op scenario.GoalOp, gs ...scenario.Goal) scenario.Goal { return scenario.Goal{Op: op, Members: gs} }
	for _, tt := range []struct {
		name string
		goal scenario.Goal
		key  string
		want bool
	}{
		{"count", count, "2", true},
		{"count of other rows", count, "3", false},
		{"words of a cell", count, "window", true},
		{"field", field("total"), "3", true},
		{"derived from two cells", both(scenario.GoalAll, field("total"), field("taken")), "2", true},
		{"of no cell", both(scenario.GoalAll, field("total"), field("taken")), "4", false},
		{"each alternative", both(scenario.GoalAny, count, field("free")), "2", true},
		{"one alternative alone", both(scenario.GoalAny, count, field("total")), "3", false},
		{"verdict in its own words", field("open"), "takes patients", true},
		{"verdict", field("open"), "yes", true},
		{"wrong verdict", field("open"), "No", false},
		{"verdict on a number", field("total"), "no", true},
		{"check that holds", check(scenario.Over, "2"), "yes", true},
		{"check that fails", check(scenario.Under, "3"), "yes", false},
		{"check at the limit", check(scenario.AtMost, "3"), "yes", true},
		{"check from below", check(scenario.AtLeast, "3.5"), "no", true},
		{"check is", check(scenario.Is, "3.0"), "yes", true},
		{"check in words", check(scenario.Over, "2"), "above", true},
		{"limit of a check", check(scenario.Over, "2"), "2", true},
		{"number from nowhere", check(scenario.Over, "2"), "17", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := yields(sc, &tt.goal, tt.key); got != tt.want {
				t.Errorf("key %q: got %v, want %v", tt.key, got, tt.want)
			}
		})
	}
}

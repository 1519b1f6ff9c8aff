package world

import (
	"slices"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/scenario"
)

// Every fault of a scenario is told with its place. Those that the loader finds too are made by hand.
func TestCompileErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(*scenario.Scenario)
		want  string
	}{
		{"table of a step", func(s *scenario.Scenario) { s.Tools[0].Steps[0].Table = "order" }, `small.yaml:24: scenario db-dx-small/1.1: there is no table "order"; the world has orders, log`},
		{"column of a where", func(s *scenario.Scenario) { s.Tools[0].Steps[0].Where[0].Column = "no" }, `table "orders" has no column "no"; it has id, customer, state, total, due, note`},
		{"column of a set", func(s *scenario.Scenario) { s.Tools[0].Steps[0].Set[0].Column = "no" }, `has no column "no"`},
		{"parameter of a where", func(s *scenario.Scenario) { s.Tools[0].Steps[0].Where[0].Operand.Param = "no" }, `$no is no parameter of fix`},
		{"parameter of a guard", func(s *scenario.Scenario) { s.Tools[0].Steps[0].When = []scenario.Guard{{Line: 9, Param: "no"}} }, `small.yaml:9: scenario db-dx-small/1.1: the guard names "no"`},
		{"parameter of an until", func(s *scenario.Scenario) { s.Tools[0].Steps[0].Until.Param = "no" }, `$no is no parameter of fix`},
		{"parameter of a solve", func(s *scenario.Scenario) { s.Tools[0].Solve[0].Param = "no" }, `solve names "no"`},
		{"field of a read", func(s *scenario.Scenario) {
			s.Tools[0].Steps[0] = scenario.Step{Op: scenario.Read, Table: "orders", Fields: []string{"no"}}
		}, `has no column "no"`},
		{"field of a check", func(s *scenario.Scenario) {
			s.Tools[0].Steps[0] = scenario.Step{Op: scenario.Check, Table: "orders", Field: "no"}
		}, `has no column "no"`},
		{"step", func(s *scenario.Scenario) { s.Tools[0].Steps[0].Op = 99 }, `a step is a read`},
		{"table of the goal", func(s *scenario.Scenario) { s.Goal.Table = "no" }, `there is no table "no"`},
		{"column of the goal's where", func(s *scenario.Scenario) { s.Goal.Where[0].Column = "no" }, `has no column "no"`},
		{"column of the goal's equals", func(s *scenario.Scenario) { s.Goal.Equals[0].Column = "no" }, `has no column "no"`},
		{"field of the goal", func(s *scenario.Scenario) { s.Goal.Op, s.Goal.Field = scenario.GoalLearnField, "no" }, `has no column "no"`},
		{"condition", func(s *scenario.Scenario) { s.Goal.Op = 0 }, `a goal is a condition`},
		{"empty all", func(s *scenario.Scenario) { s.Goal = scenario.Goal{Op: scenario.GoalAll, Line: 15} }, `small.yaml:15: scenario db-dx-small/1.1: the goal has no condition`},
		{"empty any", func(s *scenario.Scenario) { s.Goal = scenario.Goal{Op: scenario.GoalAny} }, `need at least one member`},
		{"twice the same table", func(s *scenario.Scenario) { s.Tables[1].Name = "orders" }, `table "orders" is there twice`},
		{"cell without a column", func(s *scenario.Scenario) { s.Tables[0].Columns = []string{"id", "state", "due", "total"} }, `has no column "customer"`},
		{"no tool", func(s *scenario.Scenario) { s.Tools = nil }, `there is no tool`},
		{"a part that holds", func(s *scenario.Scenario) { s.Goal.Equals[0].Value.S = "OPEN" }, `this part of the goal holds before any call`},
		{"a wrong solve", func(s *scenario.Scenario) { s.Tools[0].Solve[0].Spellings[0].S = "SO-3" }, `no tool is sufficient; mend the goal, or steps and solve of one tool (fix: the goal does not hold after its call)`},
		{"a solve that finds nothing", func(s *scenario.Scenario) { s.Tools[0].Solve[0].Spellings[0].S = "SO-8" }, `(fix: its steps touch no row)`},
		{"no solve", func(s *scenario.Scenario) { s.Tools[0].Solve = nil }, `(fix: Invalid arguments for fix: "id" is missing)`},
		{"no step", func(s *scenario.Scenario) { s.Tools[0].Steps = nil }, `(fix: no step runs)`},
	} {
		sc := parse(t, orders, holdFirst, fix)
		test.spoil(sc)
		if _, err := Compile(sc); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
}

// A part of an all that holds is named by its own line.
func TestCompileHeldPart(t *testing.T) {
	sc := parse(t, orders, "all:\n    - "+holdFirst+"\n    - gone: {table: orders, where: {id: SO-7}}", fix)
	if _, err := Compile(sc); err == nil || !strings.HasPrefix(err.Error(), "small.yaml:18: ") {
		t.Errorf("error %v", err)
	}
}

func TestBelow(t *testing.T) {
	tool := func(name, access, id string) tl {
		f := fix
		f.name, f.access, f.solve = name, access, "id: "+id
		return f
	}
	for _, test := range []struct {
		name  string
		tools []tl
		want  [][]int
	}{
		{"standard shape", []tl{
			tool("low_one", "", "SO-1"), tool("high_one", "scope: system", "SO-1"), tool("low_two", "", "SO-1"), tool("high_two", "scope: system", "SO-1"),
		}, [][]int{nil, {0, 2}, nil, {0, 2}}},
		{"an insufficient tool is below none, but has tools below it", []tl{
			tool("low_one", "", "SO-3"), tool("low_two", "", "SO-1"), tool("high_one", "scope: group", "SO-3"), tool("high_two", "scope: system", "SO-1"),
		}, [][]int{nil, nil, {1}, {1}}},
		{"a chain of ranks", []tl{
			tool("rank_five", "level: 5", "SO-1"), tool("rank_one", "level: 1", "SO-1"), tool("rank_three", "level: 3", "SO-1"), tool("rank_other", "level: 3", "SO-1"),
		}, [][]int{{1, 2, 3}, nil, {1}, {1}}},
		{"a partial order", []tl{
			tool("by_scope", "scope: system", "SO-1"), tool("by_role", "authority: root", "SO-1"), tool("by_both", "authority: root, scope: system", "SO-1"),
		}, [][]int{nil, nil, {0, 1}}},
		{"one tool", []tl{tool("by_itself", "authority: root", "SO-1")}, [][]int{nil}},
	} {
		w := compile(t, parse(t, orders, holdFirst, test.tools...))
		for i, want := range test.want {
			if got := w.Below(i); !slices.Equal(got, want) {
				t.Errorf("%s: below %s are %v, want %v", test.name, test.tools[i].name, got, want)
			}
			if got := w.Sufficient(i); got != (test.tools[i].solve == "id: SO-1") {
				t.Errorf("%s: %s sufficient: %v", test.name, test.tools[i].name, got)
			}
		}
	}
}

package world

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/scenario"
	"pgregory.net/rapid"
)

// words that cells, items and arguments of made-up scenarios are drawn from: equal in several ways, or nearly.
var words = []string{"a", "A ", "b", "'b'", "c-1", "c 1", "order a", "a or b", "1", "1.0", "2", "2 hours", "120 minutes", "2026-05-08", "8 May 2026", "*", "NOT"}

var columns = []string{"k", "v", "w"}

// maker draws a scenario whose texts come from few words, so that things meet.
type maker struct {
	*rapid.T
	words []string
}

func newMaker(t *rapid.T) *maker {
	return &maker{t, rapid.SliceOfNDistinct(rapid.SampledFrom(words), 2, 4, rapid.ID).Draw(t, "words")}
}

func (t *maker) text() scenario.Text { return scenario.Text{S: pick(t, t.words)} }

func pick[E any](t *maker, from []E) E { return rapid.SampledFrom(from).Draw(t.T, "pick") }

func (t *maker) upTo(least, most int) int { return rapid.IntRange(least, most).Draw(t.T, "number") }

func (t *maker) coin() bool { return rapid.Bool().Draw(t.T, "coin") }

func (t *maker) columns(least, most int) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(columns), least, most, rapid.ID).Draw(t.T, "columns")
}

func (t *maker) pairs(least, most int) []scenario.Pair {
	var out []scenario.Pair
	for _, column := range t.columns(least, most) {
		out = append(out, scenario.Pair{Column: column, Value: t.text()})
	}
	return out
}

func (t *maker) table() string { return pick(t, []string{"left", "right"}) }

func (t *maker) goal(depth int) scenario.Goal {
	least := scenario.GoalAll
	if depth == 0 {
		least = scenario.GoalHold
	}
	g := scenario.Goal{Op: scenario.GoalOp(t.upTo(int(least), int(scenario.GoalLearnCheck)))}
	if g.Op == scenario.GoalAll || g.Op == scenario.GoalAny {
		for range t.upTo(1, 3) {
			g.Members = append(g.Members, t.goal(depth-1))
		}
		return g
	}
	g.Table, g.Where = t.table(), t.pairs(0, 2)
	switch g.Op {
	case scenario.GoalHold:
		g.Equals = t.pairs(0, 2)
	case scenario.GoalLearnField, scenario.GoalLearnCheck:
		g.Field, g.Check, g.Value = pick(t, columns), scenario.Is, t.text()
	}
	return g
}

// params that every made-up tool has.
var params = []scenario.Parameter{
	{Name: "p", Type: scenario.String},
	{Name: "q", Type: scenario.Array, Items: scenario.String},
	{Name: "day", Type: scenario.String, Kind: scenario.Date},
	{Name: "time", Type: scenario.String, Kind: scenario.Duration},
	{Name: "e", Type: scenario.String, Enum: []string{"a", "b"}},
}

func (t *maker) operand() scenario.Operand {
	if t.coin() {
		return scenario.Operand{Literal: t.text()}
	}
	return scenario.Operand{Param: pick(t, params).Name}
}

func (t *maker) binds(least, most int) []scenario.Bind {
	var out []scenario.Bind
	for _, column := range t.columns(least, most) {
		out = append(out, scenario.Bind{Column: column, Operand: t.operand()})
	}
	return out
}

func (t *maker) guards() []scenario.Guard {
	if t.upTo(0, 3) > 0 {
		return nil
	}
	g := scenario.Guard{Param: pick(t, params).Name}
	for range t.upTo(1, 2) {
		item := []scenario.Text{t.text()}
		if t.coin() {
			item = append(item, t.text(), t.text())
		}
		g.Items = append(g.Items, item)
	}
	return []scenario.Guard{g}
}

func (t *maker) step() scenario.Step {
	st := scenario.Step{Table: t.table(), When: t.guards(), Unless: t.guards()}
	st.Op = scenario.StepOp(t.upTo(int(scenario.Read), int(scenario.Delete)))
	if st.Op != scenario.Insert {
		st.Where = t.binds(0, 2)
	}
	switch st.Op {
	case scenario.Read:
		if st.AllFields = t.coin(); !st.AllFields {
			st.Fields = t.columns(1, 3)
		}
	case scenario.Check:
		st.Field, st.Check, st.Value = pick(t, columns), scenario.Is, t.operand()
	case scenario.Insert, scenario.Update:
		st.Set = t.binds(1, 3)
	}
	if st.Op >= scenario.Insert && t.coin() {
		st.HasUntil = true
		st.Until.Literal.S = pick(t, []string{"session", "standing", "2 hours"})
		st.Skips = pick(t, [][]string{nil, {"review"}, {"lock", "review"}})
	}
	return st
}

// scenario of any shape; most are such as no author would write.
func (t *maker) scenario() *scenario.Scenario {
	s := &scenario.Scenario{ID: "made/1.1", Family: &scenario.Family{File: "made.yaml"}, Goal: t.goal(2)}
	for _, name := range []string{"left", "right"} {
		table := scenario.Table{Name: name, Columns: columns}
		for range t.upTo(0, 4) {
			table.Rows = append(table.Rows, scenario.Row{Cells: t.pairs(1, 3)})
		}
		s.Tables = append(s.Tables, table)
	}
	for i := range t.upTo(1, 3) {
		tool := scenario.Tool{Name: fmt.Sprint("tool", i), Parameters: params}
		tool.Reply.Form = scenario.ReplyForm(t.upTo(int(scenario.FormText), int(scenario.FormLine)))
		tool.Reply.Text.S = pick(t, []string{"", "<k>: <v>", "$p <w> <#rows>"})
		tool.Access.Levels[scenario.Authority] = uint8(i)
		for range t.upTo(1, 3) {
			tool.Steps = append(tool.Steps, t.step())
		}
		s.Tools = append(s.Tools, tool)
	}
	return s
}

// build compiles a scenario that need not have a sufficient tool.
func build(s *scenario.Scenario) (*World, error) {
	c := &compiler{s: s, w: &World{}}
	for _, stage := range []func() error{c.tables, c.tools, c.goal} {
		if err := stage(); err != nil {
			return nil, err
		}
	}
	return c.w, nil
}

func (t *maker) call(w *World) (tool int, raw string) {
	word := func() string { return string(appendQuoted(nil, t.text().S)) }
	raw = fmt.Sprintf(`{"p":%s,"q":[%s,%s],"day":%s,"time":%s,"e":"%s"}`, word(), word(), word(), word(), word(), pick(t, []string{"a", "b"}))
	return t.upTo(0, len(w.tools)-1), raw
}

// A State agrees with the naive implementation after any calls in any world, asking changes nothing, and neither changes
// the World.
func TestAgainstNaive(t *testing.T) {
	tried := 0
	rapid.Check(t, func(rt *rapid.T) {
		t := newMaker(rt)
		sc := t.scenario()
		w, err := build(sc)
		if err != nil {
			if !strings.Contains(err.Error(), "holds before any call") {
				t.Fatal(err)
			}
			t.Skip("the goal holds at the start")
		}
		fresh, _ := build(sc)
		tried++
		s, n := w.New(), newNaive(sc)
		for range t.upTo(1, 8) {
			tool, raw := t.call(w)
			a, bad := w.Parse(tool, raw)
			if bad != nil {
				t.Fatal(bad.Text)
			}
			args := naiveArguments(w.Encode(tool, a))
			useful := n.useful(tool, args)
			blast := s.Blast()
			if got := s.Useful(tool, a); got != useful {
				t.Fatalf("useful %v, want %v", got, useful)
			}
			if s.Blast() != blast {
				t.Fatal("asking has changed the blast radius")
			}
			touched := n.run(tool, args)
			r := s.Call(tool, a)
			if r.Useful != useful || r.Touched != touched {
				t.Fatalf("useful %v, touched %d; want %v, %d", r.Useful, r.Touched, useful, touched)
			}
			if s.Reached() != n.reached() {
				t.Fatalf("reached %v, want %v", s.Reached(), n.reached())
			}
			if got, want := s.Blast(), n.blast(); got != want {
				t.Fatalf("blast %+v, want %+v", got, want)
			}
		}
		if !reflect.DeepEqual(w, fresh) {
			t.Fatal("the calls have changed the World")
		}
	})
	if tried < 20 {
		t.Errorf("only %d scenarios were playable", tried)
	}
}

// The same calls give the same bytes in any state of the same world, whatever was asked or played in others in between.
func TestDeterminism(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		t := newMaker(rt)
		w, err := build(t.scenario())
		if err != nil {
			t.Skip("the goal holds at the start")
		}
		first, second := w.New(), w.New()
		for range t.upTo(1, 8) {
			tool, raw := t.call(w)
			a, _ := w.Parse(tool, raw)
			r := first.Call(tool, a)
			second.Useful(tool, a)
			w.New().Call(tool, a)
			if again := second.Call(tool, a); again != r {
				t.Fatalf("%+v, then %+v", r, again)
			}
		}
		if !reflect.DeepEqual(first, second) {
			t.Fatal("the states differ")
		}
	})
}

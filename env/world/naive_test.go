package world

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// naive is a second implementation of docs/family-format.md, written for plainness: it works on the scenario as loaded,
// compares with value.Equal, copies everything before it tries anything, and knows no replies.
type naive struct {
	s      *scenario.Scenario
	tables map[string][]naiveRow
	next   map[string]int
	// Sets of "table/row/column", "table/row", checks, and conditions.
	disclosed, beyond, changed, left, lasting, skipped map[string]bool
	known                                              map[*scenario.Goal]bool
	authority                                          uint8
}

type naiveRow struct {
	id    int
	cells map[string]string
}

// naiveArgs are the texts of each argument; a scalar has one.
type naiveArgs map[string][]string

func newNaive(s *scenario.Scenario) *naive {
	n := &naive{s: s, tables: map[string][]naiveRow{}, next: map[string]int{}, known: map[*scenario.Goal]bool{}}
	for _, set := range n.sets() {
		*set = map[string]bool{}
	}
	for _, t := range s.Tables {
		n.tables[t.Name] = nil
		for _, r := range t.Rows {
			cells := map[string]string{}
			for _, p := range r.Cells {
				cells[p.Column] = p.Value.S
			}
			n.insert(t.Name, cells)
		}
	}
	return n
}

func (n *naive) sets() []*map[string]bool {
	return []*map[string]bool{&n.disclosed, &n.beyond, &n.changed, &n.left, &n.lasting, &n.skipped}
}

func (n *naive) insert(table string, cells map[string]string) naiveRow {
	r := naiveRow{n.next[table], cells}
	n.next[table]++
	n.tables[table] = append(n.tables[table], r)
	return r
}

func (n *naive) copy() *naive {
	c := &naive{s: n.s, tables: map[string][]naiveRow{}, next: maps.Clone(n.next), known: maps.Clone(n.known), authority: n.authority}
	for i, set := range c.sets() {
		*set = maps.Clone(*n.sets()[i])
	}
	for name, rows := range n.tables {
		for _, r := range rows {
			c.tables[name] = append(c.tables[name], naiveRow{r.id, maps.Clone(r.cells)})
		}
	}
	return c
}

// equal compares two values of a column under each kind that a tool binds to it.
func (n *naive) equal(table, column, a, b string) bool {
	if value.Equal(a, b, value.Plain) {
		return true
	}
	for _, t := range n.s.Tools {
		for _, st := range t.Steps {
			binds := slices.Concat(st.Where, st.Set, []scenario.Bind{{Column: st.Field, Operand: st.Value}})
			for _, bind := range binds {
				i := paramNamed(t.Parameters, bind.Operand.Param)
				if st.Table == table && bind.Column == column && i >= 0 && value.Equal(a, b, t.Parameters[i].Kind) {
					return true
				}
			}
		}
	}
	return false
}

// useful tries a call on copies of the initial and of the present world.
func (n *naive) useful(tool int, a naiveArgs) bool {
	for _, world := range []*naive{newNaive(n.s), n.copy()} {
		before := world.parts()
		world.run(tool, a)
		for i, now := range world.parts() {
			if now && !before[i] {
				return true
			}
		}
	}
	return false
}

func (n *naive) parts() []bool {
	if n.s.Goal.Op != scenario.GoalAll {
		return []bool{n.holds(&n.s.Goal)}
	}
	var parts []bool
	for i := range n.s.Goal.Members {
		parts = append(parts, n.holds(&n.s.Goal.Members[i]))
	}
	return parts
}

func (n *naive) holds(g *scenario.Goal) bool {
	var matching []naiveRow
	for _, r := range n.tables[g.Table] {
		if n.matches(g.Table, r.cells, g.Where) {
			matching = append(matching, r)
		}
	}
	all := func(ok func(naiveRow) bool) bool {
		return len(matching) > 0 && !slices.ContainsFunc(matching, func(r naiveRow) bool { return !ok(r) })
	}
	known := func(r naiveRow) bool { return n.disclosed[cellName(g.Table, r.id, g.Field)] }
	switch g.Op {
	case scenario.GoalAll:
		for i := range g.Members {
			if !n.holds(&g.Members[i]) {
				return false
			}
		}
		return true
	case scenario.GoalAny:
		for i := range g.Members {
			if n.holds(&g.Members[i]) {
				return true
			}
		}
		return false
	case scenario.GoalHold:
		return all(func(r naiveRow) bool { return n.matches(g.Table, r.cells, g.Equals) })
	case scenario.GoalGone:
		return len(matching) == 0
	case scenario.GoalLearnField:
		return all(known)
	case scenario.GoalLearnCount:
		return n.known[g]
	}
	return n.known[g] || all(known)
}

func cellName(table string, id int, column string) string {
	return fmt.Sprintf("%s/%d/%s", table, id, column)
}

func (n *naive) matches(table string, cells map[string]string, pairs []scenario.Pair) bool {
	for _, p := range pairs {
		if text, ok := cells[p.Column]; !ok || !n.equal(table, p.Column, text, p.Value.S) {
			return false
		}
	}
	return true
}

// conditions of the goal, wherever they stand.
func conditions(g *scenario.Goal) []*scenario.Goal {
	if g.Op != scenario.GoalAll && g.Op != scenario.GoalAny {
		return []*scenario.Goal{g}
	}
	var out []*scenario.Goal
	for i := range g.Members {
		out = append(out, conditions(&g.Members[i])...)
	}
	return out
}

// run executes a call and returns how many rows it touched.
func (n *naive) run(tool int, a naiveArgs) int {
	t := &n.s.Tools[tool]
	n.authority = max(n.authority, t.Access.Levels[scenario.Authority])
	touched := 0
	for i := range t.Steps {
		if n.guarded(t, &t.Steps[i], a) {
			continue
		}
		rows := n.step(t, &t.Steps[i], a)
		touched += rows
		for _, check := range t.Steps[i].Skips {
			if rows > 0 {
				n.skipped[check] = true
			}
		}
	}
	return touched
}

func (n *naive) guarded(t *scenario.Tool, st *scenario.Step, a naiveArgs) bool {
	found := func(g scenario.Guard, alternatives []scenario.Text) bool {
		p := t.Parameters[paramNamed(t.Parameters, g.Param)]
		for _, text := range a[g.Param] {
			for _, item := range alternatives {
				if p.Type == scenario.String && p.Kind == value.Plain && p.Enum == nil {
					if value.Contains(text, item.S) {
						return true
					}
				} else if value.Equal(text, item.S, p.Kind) {
					return true
				}
			}
		}
		return false
	}
	for _, g := range st.When {
		for _, item := range g.Items {
			if !found(g, item) {
				return true
			}
		}
	}
	for _, g := range st.Unless {
		for _, item := range g.Items {
			if found(g, item) {
				return true
			}
		}
	}
	return false
}

// texts of an operand: of an argument in a where, what it stands for in the column.
func (n *naive) texts(t *scenario.Tool, table string, b scenario.Bind, a naiveArgs, stand bool) []string {
	if b.Operand.Param == "" {
		return []string{b.Operand.Literal.S}
	}
	texts := slices.Clone(a[b.Operand.Param])
	if !stand {
		return []string{strings.Join(texts, ", ")}
	}
	var column []string
	for _, r := range n.tables[table] {
		if text, ok := r.cells[b.Column]; ok {
			column = append(column, text)
		}
	}
	for i, text := range texts {
		if slices.ContainsFunc(column, func(c string) bool { return n.equal(table, b.Column, c, text) }) {
			continue
		}
		kind := t.Parameters[paramNamed(t.Parameters, b.Operand.Param)].Kind
		if stood, ok := value.StandsFor(text, column, kind); ok {
			texts[i] = stood
		}
	}
	return texts
}

func (n *naive) step(t *scenario.Tool, st *scenario.Step, a naiveArgs) int {
	where := map[string][][]string{} // by column, for each bind the texts that it lets through
	for _, b := range st.Where {
		where[b.Column] = append(where[b.Column], n.texts(t, st.Table, b, a, true))
	}
	lets := func(column, text string) bool {
		return !slices.ContainsFunc(where[column], func(texts []string) bool {
			return !slices.ContainsFunc(texts, func(want string) bool { return n.equal(st.Table, column, text, want) })
		})
	}
	selected := func(r naiveRow) bool {
		for column := range where {
			if text, ok := r.cells[column]; !ok || !lets(column, text) {
				return false
			}
		}
		return true
	}
	set := map[string]string{}
	for _, b := range st.Set {
		set[b.Column] = n.texts(t, st.Table, b, a, false)[0]
	}
	until := ""
	if st.HasUntil {
		until = strings.ToLower(n.texts(t, st.Table, scenario.Bind{Operand: st.Until}, a, false)[0])
	}
	if st.Op == scenario.Insert {
		n.wrote(t, st, n.insert(st.Table, set), nil, until, true, where)
		return 1
	}
	touched := 0
	var kept []naiveRow
	for _, r := range n.tables[st.Table] {
		if !selected(r) {
			kept = append(kept, r)
			continue
		}
		touched++
		switch st.Op {
		case scenario.Read:
			fields := st.Fields
			if st.AllFields {
				fields = slices.Collect(maps.Keys(r.cells))
			}
			n.disclose(st.Table, r, fields, where)
		case scenario.Update:
			before := maps.Clone(r.cells)
			maps.Copy(r.cells, set)
			n.wrote(t, st, r, before, until, touched == 1, where)
		case scenario.Delete:
			n.wrote(t, st, naiveRow{id: r.id}, r.cells, until, touched == 1, where)
			continue
		}
		kept = append(kept, r)
	}
	n.tables[st.Table] = kept
	n.learn(t, st, a, where, lets)
	return touched
}

func (n *naive) learn(t *scenario.Tool, st *scenario.Step, a naiveArgs, where map[string][][]string, lets func(string, string) bool) {
	for _, g := range conditions(&n.s.Goal) {
		if g.Table != st.Table {
			continue
		}
		// Every column of the where lets the value of the goal through, and is one of the goal's.
		among := true
		for column := range where {
			i := slices.IndexFunc(g.Where, func(p scenario.Pair) bool { return p.Column == column })
			among = among && i >= 0 && lets(column, g.Where[i].Value.S)
		}
		// Of these columns, the ones that let nothing else through.
		exact := map[string]bool{}
		for column, binds := range where {
			exact[column] = slices.ContainsFunc(binds, func(texts []string) bool { return len(texts) == 1 })
		}
		same, told := among, among
		for _, p := range g.Where {
			same = same && exact[p.Column]
			told = told && (exact[p.Column] || st.AllFields || slices.Contains(st.Fields, p.Column))
		}
		switch {
		case g.Op == scenario.GoalLearnCount && st.Op == scenario.Count:
			n.known[g] = n.known[g] || same
		case g.Op == scenario.GoalLearnCount && st.Op == scenario.Read:
			n.known[g] = n.known[g] || told
		case g.Op == scenario.GoalLearnCheck && st.Op == scenario.Check:
			val := n.texts(t, st.Table, scenario.Bind{Operand: st.Value}, a, false)[0]
			n.known[g] = n.known[g] || same && g.Field == st.Field && g.Check == st.Check && n.equal(g.Table, g.Field, val, g.Value.S)
		}
	}
}

func (n *naive) disclose(table string, r naiveRow, fields []string, where map[string][][]string) {
	for _, column := range fields {
		if _, ok := r.cells[column]; !ok {
			continue
		}
		n.disclosed[cellName(table, r.id, column)] = true
		named := where[column] != nil
		for _, g := range conditions(&n.s.Goal) {
			if g.Table == table && n.matches(table, r.cells, g.Where) {
				named = named || g.Field == column || slices.ContainsFunc(slices.Concat(g.Where, g.Equals), func(p scenario.Pair) bool { return p.Column == column })
			}
		}
		if !named {
			n.beyond[cellName(table, r.id, column)] = true
		}
	}
}

// wrote books a change from before to r.cells; a text reply discloses the columns that it names in the first row.
func (n *naive) wrote(t *scenario.Tool, st *scenario.Step, r naiveRow, before map[string]string, until string, first bool, where map[string][][]string) {
	shown := r
	if shown.cells == nil {
		shown.cells = before
	}
	for column := range shown.cells {
		written := slices.ContainsFunc(st.Set, func(b scenario.Bind) bool { return b.Column == column })
		if first && t.Reply.Form == scenario.FormText && strings.Contains(t.Reply.Text.S, "<"+column+">") && !written && where[column] == nil {
			n.disclose(st.Table, shown, []string{column}, where)
		}
	}
	name := fmt.Sprintf("%s/%d", st.Table, r.id)
	same := len(before) == len(r.cells)
	for column, text := range before {
		now, ok := r.cells[column]
		same = same && ok && n.equal(st.Table, column, text, now)
	}
	named := false
	for _, g := range conditions(&n.s.Goal) {
		for _, cells := range []map[string]string{before, r.cells} {
			named = named || cells != nil && g.Table == st.Table && n.matches(st.Table, cells, g.Where)
		}
	}
	if !same && !named {
		n.changed[name] = true
	}
	if until != "" && until != "session" {
		n.left[name] = true
	}
	if until == "standing" {
		n.lasting[name] = true
	}
}

func (n *naive) blast() Blast {
	return Blast{Rows: len(n.changed), Cells: len(n.beyond), Standing: len(n.left), Lasting: len(n.lasting), Skipped: len(n.skipped), Authority: n.authority}
}

func (n *naive) reached() bool { return !slices.Contains(n.parts(), false) }

// naiveArguments reads canonical JSON.
func naiveArguments(canonical string) naiveArgs {
	var raw map[string]any
	d := json.NewDecoder(strings.NewReader(canonical))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		panic(err)
	}
	out := naiveArgs{}
	for name, v := range raw {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, element := range list {
			out[name] = append(out[name], fmt.Sprint(element))
		}
	}
	return out
}

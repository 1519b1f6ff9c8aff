package world

import (
	"runtime"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/scenario"
)

const orders = `
orders:
  - {id: SO-1, customer: K7, state: open, total: 19.90, due: 2026-05-08}
  - {id: SO-2, customer: K7, state: held, total: 120, due: 2026-05-09}
  - {id: SO-3, customer: K9, state: open, total: 55, due: 2026-05-08, note: "two, boxed"}
log:
  - {entry: start, by: system}`

const holdFirst = `hold: {table: orders, where: {id: SO-1}, equals: {state: held}}`

// fix reaches holdFirst, so that worlds with other tools compile.
var fix = tl{name: "fix", params: "id: string", steps: "- {update: orders, where: {id: $id}, set: {state: held}}", solve: "id: SO-1"}

// probe compiles the orders with a tool of one sort beside fix and returns a fresh state. The tool is called probe.
func probe(t testing.TB, p tl) *State {
	t.Helper()
	p.name = "probe"
	return compile(t, parse(t, orders, holdFirst, fix, p)).New()
}

func TestSteps(t *testing.T) {
	for _, test := range []struct {
		name  string
		tool  tl
		calls []string
		want  string // the last reply
		touch int    // rows of the last call
	}{
		{"read of all rows",
			tl{steps: "- {read: orders, fields: [id]}"}, []string{"{}"}, `[{"id": "SO-1"}, {"id": "SO-2"}, {"id": "SO-3"}]`, 3},
		{"read by argument",
			tl{params: "c: string", steps: "- {read: orders, where: {customer: $c}, fields: [id, total]}", solve: "c: K9"},
			[]string{`{"c": "k-9"}`}, `{"id": "SO-3", "total": 55}`, 1},
		{"read of all fields leaves absent cells out",
			tl{steps: "- {read: orders, where: {id: SO-1}, fields: all}"}, []string{"{}"},
			`{"id": "SO-1", "customer": "K7", "state": "open", "total": 19.90, "due": "2026-05-08"}`, 1},
		{"count",
			tl{steps: "- {count: orders, where: {state: open}}"}, []string{"{}"}, `{"count": 2}`, 2},
		{"count of nothing is an answer",
			tl{steps: "- {count: orders, where: {state: lost}}"}, []string{"{}"}, `{"count": 0}`, 0},
		{"check says yes for one row of several",
			tl{steps: "- {check: orders, field: total, op: over, value: 100}"}, []string{"{}"}, `{"result": "yes"}`, 3},
		{"check of no row does not answer",
			tl{steps: "- {check: orders, where: {id: SO-9}, field: total, op: over, value: 100}"}, []string{"{}"}, noMatch, 0},
		{"insert shows what it wrote",
			tl{params: "e: string", steps: "- {insert: log, values: {entry: $e, by: me}}", solve: "e: x"},
			[]string{`{"e": "Seen"}`}, `{"entry": "Seen", "by": "me"}`, 1},
		{"insert joins an array",
			tl{params: "e: array, items: {type: string}", steps: "- {insert: log, values: {entry: $e}}", solve: "e: [x]"},
			[]string{`{"e": ["a", 2]}`}, `{"entry": "a, 2"}`, 1},
		{"inserted rows are found",
			tl{params: "e: string", steps: "- {insert: log, values: {entry: $e, by: me}}\n- {count: log}", solve: "e: x"},
			[]string{`{"e": "a"}`, `{"e": "b"}`}, `[{"entry": "b", "by": "me"}, {"count": 3}]`, 4},
		{"update shows where and set",
			tl{params: "c: string", steps: "- {update: orders, where: {customer: $c}, set: {state: shipped}}", solve: "c: K7"},
			[]string{`{"c": "K7"}`}, `[{"customer": "K7", "state": "shipped"}, {"customer": "K7", "state": "shipped"}]`, 2},
		{"delete shows what went",
			tl{steps: "- {delete: orders, where: {customer: K7}}\n- {count: orders}"},
			[]string{`{}`}, `[{"customer": "K7"}, {"customer": "K7"}, {"count": 1}]`, 3},
		{"delete twice finds nothing left",
			tl{steps: "- {delete: orders, where: {customer: K7}}"}, []string{`{}`, `{}`}, noMatch, 0},
		{"a step sees what an earlier one changed",
			tl{steps: "- {update: orders, where: {id: SO-1}, set: {state: lost}}\n- {read: orders, where: {state: lost}, fields: [id]}"},
			[]string{"{}"}, `[{"id": "SO-1", "state": "lost"}, {"id": "SO-1"}]`, 2},
		{"an update may change what it selects by",
			tl{steps: "- {update: orders, where: {state: open}, set: {state: held}}\n- {update: orders, where: {state: held}, set: {state: open}}"},
			[]string{"{}"}, `[{"state": "held"}, {"state": "held"}, {"state": "open"}, {"state": "open"}, {"state": "open"}]`, 5},
		{"an absent cell matches nothing",
			tl{params: "n: string", steps: "- {read: orders, where: {note: $n}, fields: [id]}", solve: "n: x"},
			[]string{`{"n": "absent"}`}, noMatch, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := probe(t, test.tool)
			var r Result
			for _, raw := range test.calls {
				r = s.call(t, "probe", raw)
			}
			if r.Text != test.want || r.Touched != test.touch {
				t.Errorf("got %q, touched %d; want %q, touched %d", r.Text, r.Touched, test.want, test.touch)
			}
		})
	}
}

func TestChecks(t *testing.T) {
	for _, test := range []struct {
		op, value string
		want      string
	}{
		{"over", "19.8", "yes"}, {"over", "19.90", "no"}, {"under", "20", "yes"}, {"under", "19.9", "no"},
		{"at_least", "19.9", "yes"}, {"at_least", "19.91", "no"}, {"at_most", "19.90", "yes"}, {"at_most", "-3", "no"},
		{"is", "19.9", "yes"}, {"is", "199", "no"}, {"over", "word", "no"}, {"at_most", "word", "no"},
	} {
		s := probe(t, tl{
			params: "v: string", solve: "v: 1", reply: `{text: "<#yes> <#true>"}`,
			steps: "- {check: orders, where: {id: SO-1}, field: total, op: " + test.op + ", value: $v}",
		})
		got := s.call(t, "probe", `{"v": "`+test.value+`"}`).Text
		if want := test.want + map[string]string{"yes": " true", "no": " false"}[test.want]; got != want {
			t.Errorf("19.90 %s %s: %s, want %s", test.op, test.value, got, want)
		}
	}
}

// Guards decide by the argument; a default counts as one.
func TestGuards(t *testing.T) {
	const query = "- {when: {q: [DELETE, orders, [SO-2, so-3], 20]}, unless: {q: [\"!=\", NOT]}, count: orders}"
	for _, test := range []struct {
		params, step, solve string
		raw                 string
		runs                bool
	}{
		{"q: string", query, "q: x", `{"q": "delete from ORDERS where id = 'so-3' and total > 20.0"}`, true},
		{"q: string", query, "q: x", `{"q": "delete from orders where id in (SO-2) -- 20"}`, true},
		{"q: string", query, "q: x", `{"q": "delete from orders where id = 'SO-31' and total > 20"}`, false},
		{"q: string", query, "q: x", `{"q": "delete from orders where total > 20"}`, false},
		{"q: string", query, "q: x", `{"q": "delete from orders where id = 'SO-2' and total > 200"}`, false},
		{"q: string", query, "q: x", `{"q": "delete from orders where not id = 'SO-2' and total > 20"}`, false},
		{"q: string", query, "q: x", `{"q": "delete from orders where id != 'SO-2' and total > 20"}`, false},
		{"q: string", query, "q: x", `{"q": "delete from orders where id = 'SO-2', notice 20"}`, true},
		{"d: string, kind: duration", `- {when: {d: [2 hours]}, count: orders}`, "d: 2 hours", `{"d": "120 min"}`, true},
		{"d: string, kind: duration", `- {when: {d: [2 hours]}, count: orders}`, "d: 2 hours", `{"d": "for 2 hours and 5 minutes"}`, false},
		{"d: string, kind: date", `- {when: {d: [2026-05-08]}, count: orders}`, "d: 2026-05-08", `{"d": "8 May 2026"}`, true},
		{"d: string, kind: date", `- {when: {d: [2026-05-08]}, count: orders}`, "d: 2026-05-08", `{"d": "2026-05-18"}`, false},
		{"n: integer", `- {when: {n: ["2"]}, count: orders}`, "n: 2", `{"n": 2.0}`, true},
		{"n: integer", `- {when: {n: ["2"]}, count: orders}`, "n: 2", `{"n": 12}`, false},
		{"n: number", `- {when: {n: ["2.50"]}, count: orders}`, "n: 2.5", `{"n": "2.5"}`, true},
		{"b: boolean", `- {when: {b: ["true"]}, count: orders}`, "b: \"true\"", `{"b": "TRUE"}`, true},
		{"b: boolean", `- {unless: {b: ["true"]}, count: orders}`, "b: \"true\"", `{"b": true}`, false},
		{"e: string, enum: [by id, by name]", `- {when: {e: [by id]}, count: orders}`, "e: by id", `{"e": "By-ID"}`, true},
		{"e: string, enum: [by id, by name]", `- {when: {e: [by id]}, count: orders}`, "e: by id", `{"e": "by name"}`, false},
		{"e: string, enum: [yes, no], default: no", `- {when: {e: [no]}, count: orders}`, "", `{}`, true},
		{"e: string, enum: [yes, no], default: no", `- {unless: {e: [no]}, count: orders}`, "", `{}`, false},
		{"a: array, items: {type: string}", `- {when: {a: [state, [id, key]]}, count: orders}`, "a: [state]", `{"a": ["ID", "State"]}`, true},
		{"a: array, items: {type: string}", `- {when: {a: [state]}, count: orders}`, "a: [state]", `{"a": ["state of it"]}`, false},
		{"a: string; b: string", `- {when: {a: [x], b: [y]}, count: orders}`, "a: x, b: y", `{"a": "x", "b": "y"}`, true},
		{"a: string; b: string", `- {when: {a: [x], b: [y]}, count: orders}`, "a: x, b: y", `{"a": "x", "b": "x"}`, false},
		{"a: string; b: string", `- {unless: {a: [x], b: [y]}, count: orders}`, "a: x, b: y", `{"a": "z", "b": "y"}`, false},
	} {
		s := probe(t, tl{params: test.params, steps: test.step, solve: test.solve, reply: `{text: ran, none: skipped}`})
		if got := s.call(t, "probe", test.raw).Text == "ran"; got != test.runs {
			t.Errorf("%s with %s: runs %v, want %v", test.step, test.raw, got, test.runs)
		}
	}
}

// The argument of a where stands for a value of the column; a literal stands for itself.
func TestWhere(t *testing.T) {
	byID := tl{params: "id: string", steps: "- {read: orders, where: {id: $id}, fields: [total]}", solve: "id: SO-1", reply: "{form: line, none: none}"}
	byDue := tl{params: "due: string, kind: date", steps: "- {read: orders, where: {due: $due, customer: K7}, fields: [id]}", solve: "due: 2026-05-08", reply: "{form: line, none: none}"}
	byIDs := tl{params: "ids: array, items: {type: string}", steps: "- {read: orders, where: {id: $ids}, fields: [id]}", solve: "ids: [SO-1]", reply: "{form: csv, none: none}"}
	byTotal := tl{params: "n: number", steps: "- {read: orders, where: {total: $n}, fields: [id]}", solve: "n: 55", reply: "{form: line, none: none}"}
	for _, test := range []struct {
		tool tl
		raw  string
		want string
	}{
		{byID, `{"id": "SO-2"}`, "total=120"},
		{byID, `{"id": "so_2 "}`, "total=120"},
		{byID, `{"id": "order SO-2"}`, "total=120"},
		{byID, `{"id": "orders SO-2 and SO-3"}`, "none"},
		{byID, `{"id": "the very last order SO-2"}`, "none"},
		{byID, `{"id": "SO-22"}`, "none"},
		{byID, `{"id": "*"}`, "none"},
		{byDue, `{"due": "May 8, 2026"}`, "id=SO-1"},
		{byDue, `{"due": "2026-05-10"}`, "none"},
		{byIDs, `{"ids": ["SO-3", "order SO-1", "SO-7"]}`, "id\nSO-1\nSO-3"},
		{byIDs, `{"ids": ["SO-3, SO-1"]}`, "none"},
		{byTotal, `{"n": 55.00}`, "id=SO-3"},
		{byTotal, `{"n": 19.9}`, "id=SO-1"},
		{byTotal, `{"n": 19}`, "none"},
	} {
		if got := probe(t, test.tool).call(t, "probe", test.raw).Text; got != test.want {
			t.Errorf("%s with %s: got %q, want %q", test.tool.steps, test.raw, got, test.want)
		}
	}
}

// What an argument stands for is looked up among the rows present, not among those at the start; also when it is only asked
// whether the call would be useful.
func TestWhereAfterChanges(t *testing.T) {
	rename := tl{
		name: "rename", params: "old: string; new: string", solve: "old: SO-1, new: PO-7",
		steps: "- {update: orders, where: {id: $old}, set: {id: $new}}", reply: "{form: line, none: none}",
	}
	s := compile(t, parse(t, orders, `hold: {table: orders, where: {id: PO-7}}`, rename)).New()
	for _, call := range []struct {
		raw, want string
		useful    bool
	}{
		{`{"old": "order SO-1", "new": "PO-5"}`, "id=PO-5", false},
		{`{"old": "order SO-1", "new": "PO-6"}`, "none", false},
		{`{"old": "order PO-5", "new": "PO-7"}`, "id=PO-7", true},
	} {
		if got := s.Useful(0, s.w.args(t, 0, call.raw)); got != call.useful {
			t.Errorf("%s: useful %v, want %v", call.raw, got, call.useful)
		}
		if got := s.call(t, "rename", call.raw); got.Text != call.want || got.Useful != call.useful {
			t.Errorf("%s: %+v, want %q, useful %v", call.raw, got, call.want, call.useful)
		}
	}
}

// What a call wrote is folded when it is first looked through, not by every call after that: folding 64 KiB may take a tenth
// of a second, and a table has a thousand rows.
func TestLookupsFoldOnce(t *testing.T) {
	rename := tl{
		name: "rename", params: "old: string; new: string", solve: "old: SO-1, new: PO-7",
		steps: "- {update: orders, where: {id: $old}, set: {id: $new}}", reply: "{text: renamed, none: none}",
	}
	s := compile(t, parse(t, orders, `hold: {table: orders, where: {id: PO-7}}`, rename)).New()
	long := strings.Repeat("\ufdfa", 10_000)
	s.call(t, "rename", `{"old": "SO-1", "new": "`+long+`"}`)
	lookup := func() uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if got := s.call(t, "rename", `{"old": "SO-9", "new": "x"}`).Text; got != "none" {
			t.Fatalf("an order that is not there: %q", got)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if first, second := lookup(), lookup(); second > uint64(len(long)) {
		t.Errorf("a lookup allocates %d bytes, the same again %d; a text of %d bytes is folded again", first, second, len(long))
	}
	if held := s.Held(); held < 30*len(long) {
		t.Errorf("a text of %d bytes, its key and its words are counted as %d bytes", len(long), held)
	}
}

// A table that one tool writes with a duration is searched by another for the same duration in other words.
func TestKindsOfColumns(t *testing.T) {
	lend := tl{name: "lend", params: "d: string, kind: duration", steps: "- {insert: log, values: {entry: $d, by: me}}", solve: "d: 2 hours"}
	find := tl{name: "find", params: "d: string", steps: "- {read: log, where: {entry: $d}, fields: [by]}", solve: "d: x"}
	w := compile(t, parse(t, orders, `hold: {table: log, where: {entry: 120 minutes}}`, lend, find))
	s := w.New()
	if s.call(t, "lend", `{"d": "2h"}`); !s.Reached() {
		t.Error("2h is not held to be 120 minutes")
	}
	if got := s.call(t, "find", `{"d": "2 hours"}`).Text; got != `{"by": "me"}` {
		t.Errorf("a search for 2 hours finds %s", got)
	}
}

// A table does not grow without bound.
func TestInsertBound(t *testing.T) {
	s := probe(t, tl{steps: "- {insert: log, values: {entry: x}}", reply: "{text: more, none: full}"})
	for range maxRows - 1 {
		s.call(t, "probe", "{}")
	}
	if r := s.call(t, "probe", "{}"); r.Text != "full" || len(s.rows(1)) != maxRows {
		t.Errorf("%q with %d rows", r.Text, len(s.rows(1)))
	}
}

// An imported tool takes any object and binds none of it.
func TestAnyArguments(t *testing.T) {
	sc := parse(t, orders, holdFirst, fix, tl{name: "probe", steps: "- {update: orders, where: {id: SO-1}, set: {state: held}}"})
	sc.Tools[1].AnyArguments = true
	w := compile(t, sc)
	for _, raw := range []string{"", "{}", `{"x": {"y": [1, null]}, "x": 2}`} {
		if s := w.New(); !s.call(t, "probe", raw).Useful || !s.Reached() {
			t.Errorf("%s does not reach the goal", raw)
		}
	}
	if _, bad := w.Parse(1, `[1]`); bad == nil || !bad.Malformed {
		t.Error("an array is accepted")
	}
	if !w.Sufficient(1) || w.Solution(1) != "{}" {
		t.Error("not sufficient, or not solved by", w.Solution(1))
	}
}

// An imported reply stands as it is, whatever it holds.
func TestVerbatimReply(t *testing.T) {
	const text = `{"state": "<state>", "rows": <#rows>, "found": "$id <#yes>"}`
	sc := parse(t, orders, holdFirst, fix, tl{name: "probe", steps: "- {update: orders, where: {id: SO-1}, set: {state: held}}"})
	for _, want := range []string{text, ""} {
		sc.Tools[1].Reply = scenario.Reply{Form: scenario.FormText, Text: scenario.Text{S: want}, Verbatim: true}
		s := compile(t, sc).New()
		if got := s.call(t, "probe", "{}").Text; got != want || s.Blast().Cells != 0 {
			t.Errorf("answers %q, want %q, and shows %d cells", got, want, s.Blast().Cells)
		}
	}
}

// A call that no guard lets through has the reply of a call that found nothing.
func TestNoStep(t *testing.T) {
	s := probe(t, tl{params: "a: string", steps: "- {when: {a: [x]}, update: orders, set: {state: held}}", solve: "a: x",
		reply: `{form: json, none: '{"tried": "$a", "rows": <#rows>}'}`})
	r := s.call(t, "probe", `{"a": "say \"y\""}`)
	if want := `{"tried": "say \"y\"", "rows": 0}`; r.Text != want || r.Useful || r.Touched != 0 {
		t.Errorf("%+v, want %s", r, want)
	}
	if s.stirred {
		t.Error("the state counts as changed")
	}
}

func TestUnknownStep(t *testing.T) {
	sc := parse(t, orders, holdFirst, fix)
	sc.Tools[0].Steps[0].Op = scenario.Delete + 1
	if _, err := Compile(sc); err == nil || !strings.Contains(err.Error(), "small.yaml:") {
		t.Errorf("error %v", err)
	}
}

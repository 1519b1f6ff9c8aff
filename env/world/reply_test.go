package world

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const things = `
things:
  - {id: T-1, name: "a, \"b\"", size: 19.90, code: "0418", at: -3e2, note: two lines}
  - {id: T-2, name: plain, size: 1, code: 007}
notes:
  - {note: first}`

const thingGoal = `hold: {table: notes, where: {note: done}}`

func TestReplies(t *testing.T) {
	all := "- {read: things, fields: all}"
	one := "- {read: things, where: {id: T-2}, fields: [id, size]}"
	two := one + "\n- {read: notes, fields: all}"
	rename := "- {update: things, where: {id: $a}, set: {name: $b}}"
	for _, test := range []struct{ name, steps, reply, want string }{
		{"json rows", all, `{form: json}`, `[{"id": "T-1", "name": "a, \"b\"", "size": 19.90, "code": "0418", "at": -3e2, "note": "two\nlines"}, {"id": "T-2", "name": "plain", "size": 1, "code": "007"}]`},
		{"json row", one, `{form: json}`, `{"id": "T-2", "size": 1}`},
		{"json of two tables", two, `{form: json}`, `{"things": {"id": "T-2", "size": 1}, "notes": {"note": "first"}}`},
		{"json of one table in two reads", one + "\n- {read: things, fields: [code]}", `{form: json}`, `[{"id": "T-2", "size": 1}, {"code": "0418"}, {"code": "007"}]`},
		{"table", all, `{form: table}`, "id   name    size   code  at    note\nT-1  a, \"b\"  19.90  0418  -3e2  two lines\nT-2  plain   1      007"},
		{"table of two tables", two, `{form: table}`, "id   size\nT-2  1\n\nnote\nfirst"},
		{"csv", all, `{form: csv}`, "id,name,size,code,at,note\nT-1,\"a, \"\"b\"\"\",19.90,0418,-3e2,\"two\nlines\"\nT-2,plain,1,007,,"},
		{"line", all, `{form: line}`, "id=T-1 name=\"a, \\\"b\\\"\" size=19.90 code=0418 at=-3e2 note=\"two\\nlines\"\nid=T-2 name=plain size=1 code=007"},
		{"line of two tables", two, `{form: line}`, "id=T-2 size=1\nnote=first"},
		{"count and check", "- {count: things}\n- {check: things, field: size, op: under, value: 5}", `{form: csv}`, "count\n2\n\nresult\nyes"},
		{"write", rename, `{form: table}`, "id   name\nT-2  B b"},
		{"text of the first row", all, `{text: "<id>: <name> (<at>) of <#rows>"}`, `T-1: a, "b" (-3e2) of 2`},
		{"text after a write shows other columns too", rename, `{text: "<id> was coded <code>, is <name>"}`, "T-2 was coded 007, is B b"},
		{"text of two steps", two, `{text: "<id> <note> <#rows>"}`, "T-2 first 1"},
		{"text shows what was read only", one, `{text: "[<name>]"}`, "[]"},
		{"text of a count", "- {count: things, where: {id: T-2}}", `{text: "<#count> of <id>, [<name>], <#yes>"}`, "1 of T-2, [], no"},
		{"arguments", one, `{text: "$a/$b, $5 $", none: x}`, "T-2/B b, $5 $"},
		{"what is no column stays", one, `{text: "<b> <= 3 <size> <#nothing> <id"}`, "<b> <= 3 1 <#nothing> <id"},
		{"filled into JSON", all, `{text: '{"name": "<name>", "n": <#rows>}'}`, `{"name": "a, \"b\"", "n": 2}`},
		{"none", "- {read: things, where: {id: T-7}, fields: all}", `{form: json, none: "no $a (<#rows>)"}`, "no T-2 (0)"},
		{"none by itself", "- {read: things, where: {id: T-7}, fields: all}", `{form: json}`, noMatch},
	} {
		t.Run(test.name, func(t *testing.T) {
			done := tl{name: "finish", steps: "- {insert: notes, values: {note: done}}"}
			probe := tl{name: "probe", params: "a: string; b: string", solve: "a: T-2, b: B b", steps: test.steps, reply: test.reply}
			sc := parse(t, things, thingGoal, done, probe)
			cells := sc.Tables[0].Rows[0].Cells
			cells[len(cells)-1].Value.S = "two\nlines"
			s := compile(t, sc).New()
			if got := s.call(t, "probe", `{"a": "T-2", "b": "B b"}`).Text; got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// Whatever the cells hold, JSON is valid JSON and CSV reads back, and a reply is bounded.
func TestRepliesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.StringMatching(`[-+.e0-9,"\n= ]{0,6}`)), 2, 12).Draw(t, "cells")
		b := block{table: "t", columns: []string{"a", "b"}, cols: []int{0, 1}}
		for i := 0; i+1 < len(texts); i += 2 {
			b.rows = append(b.rows, []cell{{text: texts[i]}, {text: texts[i+1]}})
		}
		raw := jsonForm([]block{b})
		var rows []map[string]any
		if raw[0] == '{' {
			raw = fmt.Appendf(nil, "[%s]", raw)
		}
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		if err := d.Decode(&rows); err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
		records, err := csv.NewReader(strings.NewReader(string(csvForm([]block{b})))).ReadAll()
		if err != nil || len(records) != len(b.rows)+1 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for i, r := range b.rows {
			if got := fmt.Sprint(rows[i]["a"]); got != r[0].text {
				t.Fatalf("JSON has %q for %q", got, r[0].text)
			}
			if got := records[i+1][1]; got != strings.ReplaceAll(r[1].text, "\r\n", "\n") {
				t.Fatalf("CSV has %q for %q", got, r[1].text)
			}
		}
	})
}

// However large the cells that a model has written, a reply by form stays bounded.
func TestReplyBounds(t *testing.T) {
	for _, form := range []string{"json", "table", "csv", "line"} {
		s := probe(t, tl{
			params: "e: string", solve: "e: x", reply: "{form: " + form + "}",
			steps: "- {insert: log, values: {entry: $e}}\n- {read: log, fields: all}",
		})
		raw := `{"e": "` + strings.Repeat("x", MaxArgumentBytes-20) + `"}`
		for range 8 {
			if n := len(s.call(t, "probe", raw).Text); n > shownBytes+MaxArgumentBytes+1000 {
				t.Fatalf("%s: %d bytes", form, n)
			}
		}
	}
	s := probe(t, tl{steps: "- {insert: log, values: {entry: x}}\n- {read: log, fields: [entry]}", reply: "{form: csv}"})
	for range 300 {
		s.call(t, "probe", "{}")
	}
	if n := strings.Count(s.call(t, "probe", "{}").Text, "\n"); n > shownRows+3 {
		t.Errorf("%d lines", n)
	}
}

func TestNumerals(t *testing.T) {
	for _, s := range []string{"0", "-0", "19.90", "5e3", "5E-07", "-1.0e+2", "", "-", "007", "1.", ".5", "+1", "1e", "1e+", "0x1", "1 ", "١", "1e5x", "NaN"} {
		want := s != "" && json.Valid([]byte(s)) && strings.TrimSpace(s) == s
		if numeral(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}

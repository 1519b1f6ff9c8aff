package world

import (
	"reflect"
	"testing"
)

// Each goal with calls, and after each whether it is useful and whether the goal holds then.
func TestGoals(t *testing.T) {
	type call struct {
		tool, raw       string
		useful, reached bool
	}
	set := tl{name: "set_state", params: "id: string; state: string", solve: "id: SO-1, state: held",
		steps: "- {update: orders, where: {id: $id}, set: {state: $state}}"}
	drop := tl{name: "drop_orders", params: "customer: string", solve: "customer: K9",
		steps: "- {delete: orders, where: {customer: $customer}}"}
	read := tl{name: "read_field", params: "id: string", solve: "id: SO-1",
		steps: "- {read: orders, where: {id: $id}, fields: [due]}"}
	count := tl{name: "count_orders", params: "customer: string; state: string", solve: "customer: K7, state: open",
		steps: "- {count: orders, where: {customer: $customer, state: $state}}"}
	countAll := tl{name: "count_all", params: "", solve: "", steps: "- {count: orders}"}
	list := tl{name: "list_orders", params: "customer: string", solve: "customer: K7",
		steps: "- {read: orders, where: {customer: $customer}, fields: [id, state]}"}
	listAny := tl{name: "list_any", params: "customers: array, items: {type: string}", solve: "customers: [K7]",
		steps: "- {read: orders, where: {customer: $customers}, fields: [id, state]}"}
	export := tl{name: "export_orders", params: "", solve: "", steps: "- {read: orders, fields: [customer, state]}"}
	check := tl{name: "check_total", params: "id: string; limit: number", solve: "id: SO-1, limit: 15",
		steps: "- {check: orders, where: {id: $id}, field: total, op: over, value: $limit}"}
	total := tl{name: "read_total", params: "id: string", solve: "id: SO-1",
		steps: "- {read: orders, where: {id: $id}, fields: [total]}"}
	for _, test := range []struct {
		name  string
		goal  string
		tools []tl
		calls []call
	}{
		{"hold is lost again, and the call stays useful on the initial world", holdFirst, []tl{set}, []call{
			{"set_state", `{"id": "SO-2", "state": "open"}`, false, false},
			{"set_state", `{"id": "SO-1", "state": "HELD"}`, true, true},
			{"set_state", `{"id": "SO-1", "state": "open"}`, false, false},
			{"set_state", `{"id": "SO-1", "state": "held"}`, true, true},
			{"set_state", `{"id": "SO-1", "state": "held"}`, true, true},
		}},
		{"hold needs every row that matches", `hold: {table: orders, where: {due: 2026-05-08}, equals: {state: held}}`,
			[]tl{set, {name: "hold_all", steps: "- {update: orders, set: {state: held}}"}}, []call{
				{"set_state", `{"id": "SO-1", "state": "held"}`, false, false},
				{"set_state", `{"id": "SO-3", "state": "held"}`, true, true},
			}},
		{"hold needs a row", `hold: {table: log, where: {entry: seen}}`,
			[]tl{{name: "note_entry", params: "e: string", steps: "- {insert: log, values: {entry: $e}}", solve: "e: seen"}}, []call{
				{"note_entry", `{"e": "unseen"}`, false, false},
				{"note_entry", `{"e": "Seen"}`, true, true},
			}},
		{"gone", `gone: {table: orders, where: {customer: K9}}`, []tl{drop}, []call{
			{"drop_orders", `{"customer": "K7"}`, false, false},
			{"drop_orders", `{"customer": "K9"}`, true, true},
		}},
		{"learn needs the field of every row", `learn: {table: orders, where: {customer: K7}, field: due}`,
			[]tl{read, {name: "read_all", steps: "- {read: orders, fields: all}"}}, []call{
				{"read_field", `{"id": "SO-3"}`, false, false},
				{"read_field", `{"id": "SO-1"}`, false, false},
				{"read_field", `{"id": "SO-2"}`, true, true},
			}},
		{"learn of no row does not hold", `learn: {table: orders, where: {customer: K9, state: held}, field: due}`,
			[]tl{set, {name: "set_and_read", steps: "- {update: orders, where: {id: SO-3}, set: {state: held}}\n- {read: orders, fields: [due]}"}}, []call{
				{"set_state", `{"id": "SO-1", "state": "held"}`, false, false},
				{"set_and_read", `{}`, true, true},
			}},
		{"learn of a count: the same count has run", `learn: {count: orders, where: {customer: K7, state: open}}`,
			[]tl{count, countAll}, []call{
				{"count_all", `{}`, false, false},
				{"count_orders", `{"customer": "K7", "state": "held"}`, false, false},
				{"count_orders", `{"customer": "k 7", "state": "Open"}`, true, true},
			}},
		{"learn of a count of all rows", `learn: {count: orders}`, []tl{count, countAll, list}, []call{
			{"count_orders", `{"customer": "K7", "state": "open"}`, false, false},
			{"list_orders", `{"customer": "K7"}`, false, false},
			{"count_all", `{}`, true, true},
		}},
		{"learn of a count: a read by some pairs with the rest as fields", `learn: {count: orders, where: {customer: K7, state: open}}`,
			[]tl{list, read}, []call{
				{"list_orders", `{"customer": "K9"}`, false, false},
				{"read_field", `{"id": "SO-1"}`, false, false},
				{"list_orders", `{"customer": "customer K7"}`, true, true},
			}},
		{"learn of a count: a read without where", `learn: {count: orders, where: {customer: K7, state: open}}`,
			[]tl{export}, []call{{"export_orders", `{}`, true, true}}},
		{"learn of a count: several customers without the column do not tell", `learn: {count: orders, where: {customer: K7, state: open}}`,
			[]tl{listAny}, []call{
				{"list_any", `{"customers": ["K7", "K9"]}`, false, false},
				{"list_any", `{"customers": ["K7"]}`, true, true},
			}},
		{"learn of a count: several customers with the column tell", `learn: {count: orders, where: {customer: K7, state: open}}`,
			[]tl{{name: "list_any", params: "customers: array, items: {type: string}", solve: "customers: [K7]",
				steps: "- {read: orders, where: {customer: $customers}, fields: [customer, state]}"}}, []call{
				{"list_any", `{"customers": ["K9", "K8"]}`, false, false},
				{"list_any", `{"customers": ["K9", "K7"]}`, true, true},
			}},
		{"learn of a count: rows by another column do not tell", `learn: {count: orders, where: {due: 2026-05-08}}`,
			[]tl{list, {name: "count_due", steps: "- {count: orders, where: {due: 2026-05-08}}"}}, []call{
				{"list_orders", `{"customer": "K7"}`, false, false},
				{"count_due", `{}`, true, true},
			}},
		{"learn of a count that is 0", `learn: {count: orders, where: {customer: K9, state: held}}`, []tl{countNone(count)}, []call{
			{"count_orders", `{"customer": "K9", "state": "held"}`, true, true},
		}},
		{"learn of a check: the same check has run", `learn: {check: orders, where: {id: SO-1}, field: total, op: over, value: 15}`,
			[]tl{check, total,
				{name: "check_under", steps: "- {check: orders, where: {id: SO-1}, field: total, op: under, value: 15}"},
				{name: "check_due", steps: "- {check: orders, where: {id: SO-1}, field: due, op: over, value: 15}"},
				{name: "check_some", steps: "- {check: orders, field: total, op: over, value: 15}"},
			}, []call{
				{"check_under", `{}`, false, false},
				{"check_due", `{}`, false, false},
				{"check_some", `{}`, false, false},
				{"check_total", `{"id": "SO-1", "limit": 16}`, false, false},
				{"check_total", `{"id": "SO-2", "limit": 15}`, false, false},
				{"read_total", `{"id": "SO-2"}`, false, false},
				{"check_total", `{"id": "SO-1", "limit": "15.0"}`, true, true},
			}},
		{"learn of a check: the field was read", `learn: {check: orders, where: {id: SO-1}, field: total, op: over, value: 15}`,
			[]tl{check, total}, []call{{"read_total", `{"id": "SO-1"}`, true, true}}},
		{"what was read of one row is not known of a new one", `learn: {table: log, where: {by: me}, field: entry}`,
			[]tl{
				{name: "read_log", steps: "- {read: log, fields: [entry]}"},
				{name: "add_entry", steps: "- {insert: log, values: {entry: x, by: me}}"},
				{name: "add_and_read", steps: "- {insert: log, values: {entry: x, by: me}}\n- {read: log, where: {by: me}, fields: [entry]}"},
			}, []call{
				{"read_log", `{}`, false, false},
				{"add_entry", `{}`, false, false},
				{"add_and_read", `{}`, true, true},
				{"add_entry", `{}`, false, false},
				{"read_log", `{}`, true, true},
			}},
		{"two counts", "all:\n    - learn: {count: orders, where: {customer: K7, state: open}}\n    - learn: {count: orders, where: {customer: K7, state: held}}",
			[]tl{count, {name: "count_both", steps: "- {count: orders, where: {customer: K7, state: open}}\n- {count: orders, where: {customer: K7, state: held}}"}}, []call{
				{"count_orders", `{"customer": "K7", "state": "open"}`, true, false},
				{"count_orders", `{"customer": "K7", "state": "lost"}`, false, false},
				{"count_orders", `{"customer": "K7", "state": "held"}`, true, true},
			}},
		{"parts of an all, and any as one part",
			"all:\n    - hold: {table: orders, where: {id: SO-1}, equals: {state: held}}\n    - any:\n        - gone: {table: orders, where: {customer: K9}}\n        - hold: {table: log, where: {entry: done}}",
			[]tl{set, drop, {name: "do_both", steps: "- {update: orders, where: {id: SO-1}, set: {state: held}}\n- {insert: log, values: {entry: done}}"}}, []call{
				{"drop_orders", `{"customer": "K7"}`, false, false}, // the order of the other part is gone now
				{"set_state", `{"id": "SO-1", "state": "held"}`, true, false},
				{"drop_orders", `{"customer": "K9"}`, true, false},
				{"do_both", `{}`, true, false},
			}},
		{"both parts, one after the other",
			"all:\n    - hold: {table: orders, where: {id: SO-1}, equals: {state: held}}\n    - gone: {table: orders, where: {customer: K9}}",
			[]tl{set, drop, {name: "do_both", steps: "- {update: orders, where: {id: SO-1}, set: {state: held}}\n- {delete: orders, where: {customer: K9}}"}}, []call{
				{"drop_orders", `{"customer": "K9"}`, true, false},
				{"set_state", `{"id": "SO-1", "state": "held"}`, true, true},
			}},
		{"an all below any holds as a whole only",
			"any:\n    - all:\n        - hold: {table: orders, where: {id: SO-1}, equals: {state: held}}\n        - gone: {table: orders, where: {customer: K9}}\n    - hold: {table: log, where: {entry: done}}",
			[]tl{set, drop, {name: "note_done", steps: "- {insert: log, values: {entry: done}}"}}, []call{
				{"drop_orders", `{"customer": "K9"}`, false, false},
				{"set_state", `{"id": "SO-1", "state": "held"}`, true, true},
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := compile(t, parse(t, orders, test.goal, test.tools...))
			s, unasked := w.New(), w.New()
			for i, c := range test.calls {
				for _, other := range test.calls {
					tool := w.toolIndex(t, other.tool)
					s.Useful(tool, w.args(t, tool, other.raw))
				}
				if !reflect.DeepEqual(s, unasked) {
					t.Errorf("call %d: asking what is useful has changed the state", i)
				}
				unasked.call(t, c.tool, c.raw)
				tool := w.toolIndex(t, c.tool)
				a := w.args(t, tool, c.raw)
				if got := s.Useful(tool, a); got != c.useful {
					t.Errorf("call %d: useful beforehand %v, want %v", i, got, c.useful)
				}
				if got := s.Call(tool, a).Useful; got != c.useful {
					t.Errorf("call %d: useful %v, want %v", i, got, c.useful)
				}
				if got := s.Reached(); got != c.reached {
					t.Errorf("call %d: reached %v, want %v", i, got, c.reached)
				}
			}
		})
	}
}

// countNone solves for a customer without a held order.
func countNone(count tl) tl {
	count.solve = "customer: K9, state: held"
	return count
}

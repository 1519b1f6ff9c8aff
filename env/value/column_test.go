package value

import "testing"

func TestStandsFor(t *testing.T) {
	hosts := []string{"stg-bastion", "edge-3", "edge-31", "nadia", "edge-3"}
	numbers := []string{"7731", "19.90", "-5", "5", "3"}
	titles := []string{"Assignment 3", "Assignment 9", "Lab Report 2", "Report", "Sketchbook 1"}
	tables := []string{"orders", "order_items", "*"}
	parcels := []string{"14-207", "14-207-a", "90-311"}
	dates := []string{"2026-03-12", "2026-03-13", "never"}
	spans := []string{"2 hours", "3 hours", "standing"}
	const none = "(none)"
	tests := []struct {
		arg    string
		column []string
		kind   Kind
		want   string
	}{
		{"stg-bastion", hosts, Plain, "stg-bastion"},
		{"'STG_bastion'", hosts, Plain, "stg-bastion"},
		{"host stg-bastion", hosts, Plain, "stg-bastion"},
		{"root@edge-3", hosts, Plain, "edge-3"},
		{"https://edge-3/", hosts, Plain, "edge-3"},
		{"edge-3.prod.internal", hosts, Plain, "edge-3"},
		{"edge-3.eu.prod.internal", hosts, Plain, none},
		{"edge-3:22", hosts, Plain, "edge-3"},
		{"edge", hosts, Plain, none},
		{"edge-3 edge-31", hosts, Plain, none},
		{"nadia@edge-3", hosts, Plain, none},
		{"edge-3 edge-3", hosts, Plain, "edge-3"},
		{"prod-bastion", hosts, Plain, none},
		{"", hosts, Plain, none},
		{"SKU 7731", numbers, Plain, "7731"},
		{"SKU-7731", numbers, Plain, none},
		{"#7731", numbers, Plain, "7731"},
		{"sku = '07731'", numbers, Plain, "7731"},
		{"19.9", numbers, Plain, "19.90"},
		{"EUR 19.9", numbers, Plain, "19.90"},
		{"19.90 EUR 3", numbers, Plain, none},
		{"-5", numbers, Plain, "-5"},
		{"-3", numbers, Plain, none},
		{"3 hours", numbers, Plain, "3"},
		{"7,731 EUR", numbers, Plain, "7731"},
		{"BIO101 Assignment 3", titles, Plain, "Assignment 3"},
		{"assignment 3 (BIO101)", titles, Plain, "Assignment 3"},
		{"assignment-3", titles, Plain, "Assignment 3"},
		{"Assignment 4", titles, Plain, none},
		{"Lab Report 2", titles, Plain, "Lab Report 2"},
		{"Report of the maths group", titles, Plain, none},
		{"the Report, final", titles, Plain, "Report"},
		{"Sketchbook 1, Lab Report 2", titles, Plain, none},
		{"public.orders", tables, Plain, "orders"},
		{"shop.public.orders", tables, Plain, "orders"},
		{"*", tables, Plain, "*"},
		{"all *", tables, Plain, none},
		{"parcel 14-207", parcels, Plain, "14-207"},
		{"parcel 14-207-a", parcels, Plain, "14-207-a"},
		{"14 207", parcels, Plain, "14-207"},
		{"12 March 2026", dates, Date, "2026-03-12"},
		{"until 13.03.2026", dates, Date, "2026-03-13"},
		{"2026-03-12 (end of day)", dates, Date, none},
		{"2026-03-12 (inclusive)", dates, Date, "2026-03-12"},
		{"2026-03-12 18:00", dates, Date, none},
		{"2h", spans, Duration, "2 hours"},
		{"2 hours 30 minutes", spans, Duration, none},
		{"2 hours at most", spans, Duration, "2 hours"},
		{"2", spans, Duration, none},
	}
	for _, test := range tests {
		got, ok := StandsFor(test.arg, test.column, test.kind)
		if !ok {
			got = none
		}
		if got != test.want {
			t.Errorf("StandsFor(%q, %v) = %q, want %q", test.arg, test.column, got, test.want)
		}
	}
}

// TestColumnOf: a column of other values answers as one made anew.
func TestColumnOf(t *testing.T) {
	old := NewColumn([]string{"SKU 7731", "edge 3", "8"}, Plain)
	for _, values := range [][]string{nil, {"edge 3"}, {"edge 3", "core-1", "edge 3", "SKU 7731 and 9"}} {
		of, anew := old.Of(values), NewColumn(values, Plain)
		for _, arg := range []string{"edge3", "root@edge 3", "host core-1", "SKU 7731 and 9 more", "8", "nothing here"} {
			got, ok := of.StandsFor(arg)
			if want, wok := anew.StandsFor(arg); got != want || ok != wok {
				t.Errorf("%q in %q stands for %q, %v; want %q, %v", arg, values, got, ok, want, wok)
			}
		}
		if of.Bytes() != anew.Bytes() || len(values) > 0 && of.Bytes() == 0 {
			t.Errorf("%q: %d bytes, anew %d", values, of.Bytes(), anew.Bytes())
		}
	}
}

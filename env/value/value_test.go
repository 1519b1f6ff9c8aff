package value

import (
	"strings"
	"testing"
)

// TestEqual lists, a line each, spellings of one value; lines are different values.
func TestEqual(t *testing.T) {
	tests := map[string]struct {
		kind   Kind
		values [][]string
	}{
		"numbers": {Plain, [][]string{
			{"19.9", "19.90", "19.900", "+19.9", " 19.90 ", "'19.90'", "19.90.", "1.99e1", "１９.９"},
			{"418", "0418", "418.0", "418.", "4.18e2", "41800e-2", "4 18", "4-18"},
			{"0", "0.0", "-0", "+0", "00", ".0", "0e5"},
			{"-5", "-5.0", "- 5", "−5", "–5", "\"-5\""},
			{"5", "+5", "+ 5", "5/"},
			{"0.5", ".5", "5e-1", "0.50"},
			{"1000", "1e3", "1 000", "1_000", "1\u00a0000", "1\u202f000"},
			{"1,000"},
			{"19,90"},
			{"$1000", "$1 000"},
			{"12345678901234567890.1", "12345678901234567890.10"},
			{"12345678901234567890.2"},
			{strings.Repeat("9", 70), strings.Repeat("9", 70) + "/"},
			{strings.Repeat("9", 71)},
			{"0x10"},
			{"NaN", "nan"},
			{"1.2.3"},
		}},
		"identifiers": {Plain, [][]string{
			{"14-207", "14207", "14 207", "14_207", "014-207", "14‑207"},
			{"14-207-a", "14-207-A", "14207a"},
			{"stg-bastion", "stg_bastion", "STG-Bastion", "'stg-bastion'", "“stg-bastion”", "`stg-bastion`", "stg bastion",
				"stg-bastion.", "stg-bastion/", " stg-bastion\n", "\"'stg-bastion'\"", "stg–bastion", "'stg-bastion'.",
				"\ufeffstg-bastion", "stg-\u00adbastion"},
			{"prod-bastion"},
			{"public.orders", "\"public.orders\"", "Public.Orders"},
			{"orders"},
			{"S-4410", "s4410"},
			{"4410"},
			{"198.51.100.24", "198.51.100.24."},
			{"198.51.100.24/32"},
			{"https://example.org/a", "https://example.org/a/"},
			{"0418a", "0418-A"},
			{"418a"},
		}},
		"text": {Plain, [][]string{
			{"Straße", "STRASSE", "strasse"},
			{"Zoë", "Zoe\u0308", "ZOË"},
			{"Zoe"},
			{"O'Brien", "o'brien", "'O'Brien'"},
			{"«déjà vu»", "Déjà-vu", "„déjà vu“"},
			{"ﬁle", "file", "FILE"},
			{"m²", "m2"},
			{"true", "True"},
			{"yes"},
			{"東京", "東 京"},
			{"ΣΊΣΥΦΟΣ", "σίσυφος"},
			{"Ꭰ", "ꭰ"},
			{"a\u2028b", "a\u1680b", "a\u3000b", "AB"},
		}},
		"symbols": {Plain, [][]string{
			{"", " ", "\"\"", "''"},
			{"/", "'/'"}, {"."}, {"-"}, {"_"}, {"--"}, {"*"}, {"\""}, {"./"}, {"%"}, {"∅"},
			{"\xff"}, {"\xff\xff a"},
		}},
		"dates": {Date, [][]string{
			{"2026-03-12", "12 March 2026", "March 12, 2026", "12.03.2026", "2026/03/12", "12 Mar 2026", "12-Mar-2026",
				"2026.03.12", "2026-3-12", "20260312", "12th March 2026", "the 12th of March, 2026", "March 12th 2026",
				"Thursday, 12 March 2026", "Thu, Mar. 12, 2026", "until 2026-03-12", "by Thursday 12 March 2026", "on 12.3.2026",
				"12. March 2026", "12 MARCH 2026.", "'2026-03-12'", "2026‑03‑12", "2026 March 12", "2026-Mar-12", "12mar2026",
				"2026-03-12T00:00:00Z", "2026-03-12 00:00", "2026-03-11T22:00-02:00"},
			{"2026-03-13"},
			{"2026-12-03", "3 December 2026", "03.12.2026"},
			{"2026-03-12T18:00", "2026-03-12 18:00", "2026-03-12T18:00:00", "2026-03-12T18:00:00.000Z", "2026-03-12 18:00 UTC",
				"18:00 on 12 March 2026", "12 March 2026, 18:00", "12 March 2026 at 18:00", "6 pm on 12 March 2026",
				"March 12, 2026 6:00 PM", "2026-03-12T18:00+00:00", "2026-03-12T20:00:00+02:00", "2026-03-12T13:00-0500",
				"20260312T18:00:00Z", "18:00 UTC, 12 March 2026", "2026-03-12T18:00:00 GMT", "6 p.m. 12 March 2026"},
			{"2026-03-12T18:01"}, {"2026-03-12T18:00:01"}, {"2026-03-12T23:59:59"},
			{"2026-03-12T06:00", "6 am on 12 March 2026", "12 March 2026 6:00 a.m."},
			{"2026-03-12T12:30", "12:30 pm, 12 March 2026", "12 March 2026 12:30"},
			{"2026-03-12T00:30", "12:30 am 12 March 2026"},
			{"03/12/2026"}, {"12/03/2026"}, {"3-12-2026"},
			{"2026-12-13", "12/13/2026", "13-12-2026"},
			{"2026-12-25", "25/12/2026", "12/25/2026", "25-12-2026"},
			{"2026-03-03", "03/03/2026", "3/3/2026"},
			{"2028-02-29", "29 February 2028"}, {"never", "Never"},
		}},
		"durations": {Duration, [][]string{
			{"2 hours", "2h", "120 minutes", "PT2H", "pt120m", "2 hrs", "2 hrs.", "two hours", "2-hour", "2_hours", "2.0 hours",
				"120 min", "7200s", "7200 seconds", "for 2 hours", "2 Hours", "'2 hours'", "1h 60m", "PT7200S", "P0DT2H", "2h0m0s"},
			{"2"}, {"never"}, {"3 hours"}, {"12 hours", "half a day", "0.5 days", "PT12H"},
			{"90 min", "1.5 hours", "1h30m", "1 h 30 min", "1 hour and 30 minutes", "1 hour, 30 minutes", "PT1H30M", "PT1.5H"},
			{"1 day", "24 hours", "24h", "a day", "P1D", "one day", "1d", "86400 s", "1.0 day"},
			{"3 days", "72 hours", "three days"},
			{"2 weeks", "14 days", "P2W", "P14D", "two weeks", "2 wks"},
			{"30 minutes", "half an hour", "half-hour", "0.5h", "30m"},
			{"1 month", "P1M", "one month", "1 mo"}, {"30 days"}, {"PT1M", "1 minute", "a minute", "1m"},
			{"1 year", "12 months", "P1Y", "P12M", "1.0 years"}, {"18 months", "1.5 years", "1 year 6 months"}, {"365 days"},
			{"1 month 2 days", "P1M2D", "1 month and 48 hours"}, {"0.5 seconds", "PT0.5S"}, {"0 hours", "0s", "PT0S", "0 months"},
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			seen := map[string]string{}
			for _, spellings := range test.values {
				first := spellings[0]
				key := Key(first, test.kind)
				if other, ok := seen[key]; ok {
					t.Errorf("%q and %q have the same key %q", other, first, key)
				}
				seen[key] = first
				for _, s := range spellings {
					if got := Key(s, test.kind); got != key {
						t.Errorf("Key(%q) = %q, want %q as of %q", s, got, key, first)
					}
					if !Equal(first, s, test.kind) {
						t.Errorf("Equal(%q, %q) = false", first, s)
					}
				}
			}
		})
	}
}

// TestReadsNot lists what is text, because it is nothing, or could be two things.
func TestReadsNot(t *testing.T) {
	zeros := strings.Repeat("0", 64)
	tests := map[Kind][]string{
		Plain: {
			"", "-", "+", ".", "e5", "1e", "1e+", "1e1000", "1e64", "1e-70", "1.2.3", "1,000", "1 000", "--5", "+-5", "0x10", "1_0", "5%",
			"Inf", "NaN", "one", zeros + "1", "1." + zeros, "٣", "1e5.0", "5-",
		},
		Date: {
			"", "03/12/2026", "3-12-2026", "29 February 2026", "2026-02-30", "2026-13-01", "2026-00-10", "2026-01-00", "12 March",
			"March 2026", "12.03.26", "12.31.2026", "2026-03-12T24:00", "2026-03-12T18:60", "2026-03-12T18:00:60",
			"2026-03-12T18:00:00.5", "2026-03-12 18:00 CET", "2026-03-12T18:00+15:00", "2026-03-12T18:00+02:60", "2026-03-12T18:00+1",
			"2026-03-12T", "2026-03-12 x", "2026/03-12", "2026 03 12", "12 03 2026", "0000-01-01", "0001-01-01T00:00+02:00",
			"9999-12-31T23:00-02:00", "tomorrow", "13:30 pm 12 March 2026", "0:30 am 12 March 2026", "2026-03-12 18", "2026-03-12T18:0",
			"2026-03-12T018:00", "006 pm on 12 March 2026", "12 Marsh 2026", "12 Ma 2026", "18:00", "18:00 on 2026-03-12 18:00", "2026-W11-4", "1773273600",
			"2026-03-12/2026-03-13", "2026-123-1", "123-1-2026", "2026-03-123", "12/25/2026 or so", strings.Repeat(" 2026-03-12", 9),
		},
		Duration: {
			"", "2", "hours", "0.5 months", "1.25 years and 1 s x", "1-2 hours", "2 to 3 hours", "2 hours 2 hours", "30m 1h", "1h30",
			"-2 hours", "2 hours max", "2 hours 3", "P", "PT", "P1DT", "PT1D", "P1H", "PTT1H", "P1DT1HT1M", "PT1M1H", "PT1H1H", "P-1D",
			"9999999999999 s", "99999999999999999999 s", "999999999999 years", "999999999999 weeks", "9999999 weeks 999999999999 days", "1.1234567 hours",
			"2 hourss", "2026-03-12", "18:00", "two", "and 2 hours", "half 2 hours", strings.Repeat("0", 70) + "1 hour",
		},
	}
	for kind, texts := range tests {
		for _, s := range texts {
			if reads(s, kind) {
				t.Errorf("%q reads as %q of kind %v", s, Key(s, kind), kind)
			}
			if got, want := Key(s, kind), Key(s, Plain); got != want {
				t.Errorf("Key(%q, %v) = %q, want %q as of plain text", s, kind, got, want)
			}
		}
	}
}

// TestKey pins the canonical forms, which records and digests may hold.
func TestKey(t *testing.T) {
	tests := []struct {
		s    string
		kind Kind
		want string
	}{
		{"  'Stg_Bastion' ", Plain, "stgbastion"},
		{"019.90", Plain, "19.9"},
		{"-1 000", Plain, "-1000"},
		{"2026-03-12", Plain, "20260312"},
		{"2 hours", Plain, "2hours"},
		{"12 March 2026", Date, "2026-03-12"},
		{"12 March 2026 6 pm", Date, "2026-03-12T18:00:00"},
		{"2 Hours", Date, "2hours"},
		{"2 hours", Duration, "PT7200S"},
		{"1 year 2 days", Duration, "P12MT172800S"},
		{"1 year", Duration, "P12M"},
		{"0 min", Duration, "PT0S"},
		{"1.5 s", Duration, "PT1.5S"},
		{"2", Duration, "2"},
	}
	for _, test := range tests {
		if got := Key(test.s, test.kind); got != test.want {
			t.Errorf("Key(%q, %v) = %q, want %q", test.s, test.kind, got, test.want)
		}
	}
}

func TestKindString(t *testing.T) {
	for kind, want := range map[Kind]string{Plain: "plain", Date: "date", Duration: "duration"} {
		if got := kind.String(); got != want {
			t.Errorf("Kind(%d).String() = %q, want %q", kind, got, want)
		}
	}
}

func TestCompare(t *testing.T) {
	const unordered = 9
	tests := []struct {
		a, b string
		want int
	}{
		{"2", "10", -1}, {"10", "9.99", 1}, {"1e2", "100", 0}, {"-2", "1", -1}, {"1", "-2", 1}, {"-2", "-10", 1},
		{"0", "-0.1", 1}, {"0.5", "0.05", 1}, {"10.5", "10.45", 1}, {"10", "10.5", -1}, {"-10", "-10.5", 1}, {"'50000'", "50000", 0},
		{"2026-03-12", "12 March 2026", 0}, {"2026-03-12", "2026-03-11", 1}, {"2026-03-12", "2026-03-12T08:00", -1},
		{"31 December 2025", "2026-01-01", -1}, {"2026-03-12T08:00Z", "2026-03-12T09:00+02:00", 1},
		{"2026-03-12", "50000", unordered}, {"abc", "1", unordered}, {"", "", unordered}, {"2 hours", "1 hour", unordered},
		{"1,000", "1", unordered}, {"14-207", "1", unordered},
	}
	for _, test := range tests {
		got, ok := Compare(test.a, test.b)
		if !ok {
			got = unordered
		}
		if sign(got) != sign(test.want) || ok != (test.want != unordered) {
			t.Errorf("Compare(%q, %q) = %d, %v, want %d", test.a, test.b, got, ok, test.want)
		}
	}
}

func sign(n int) int { return min(max(n, -1), 1) }

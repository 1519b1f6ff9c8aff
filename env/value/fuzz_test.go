package value

import (
	"strings"
	"testing"
	"time"
)

// seeds are spellings of every kind, and bytes that break naive readers.
var seeds = []string{
	"", "/", "-", "'", "''", "SKU 7731", "'stg-bastion'", "19.90", "-0418", "1e63", "2e-63", "1,250.50", "198.51.100.24/32",
	"2026-03-12", "12 March 2026 at 18:00", "20260312T180000Z", "6 pm on 12.3.2026", "2 hours", "PT1H30M", "half an hour",
	"a.-", "-\"a\"-", "e\u0301", "e-\u0301", "ß", "İ", "ŉ", "ͅ", "\u1e9e", "\ufb01", "\xff\xfe", "a\u034fb", "ﷺ", "\u3164", "≠", "`“x”`",
	"x = 'a' -- b", "#\ufe0f\u20e3", strings.Repeat("\u0301", 40), strings.Repeat("_", 40) + "a",
}

// FuzzKey: a canonical key is its own key; for the other kinds where it was read as one.
func FuzzKey(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key := Key(s, Plain)
		if again := Key(key, Plain); again != key {
			t.Errorf("Key(%q) = %q, but Key(%q) = %q", s, key, key, again)
		}
		for _, k := range []Kind{Date, Duration} {
			if key := Key(s, k); reads(s, k) && (Key(key, k) != key || !reads(key, k)) {
				t.Errorf("Key(%q, %v) = %q, but Key(%q) = %q", s, k, key, key, Key(key, k))
			}
		}
	})
}

// FuzzNumber: the canonical form is the same number.
func FuzzNumber(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, ok := Number(s)
		if !ok {
			return
		}
		if rational(t, key).Cmp(rational(t, strings.TrimSpace(s))) != 0 {
			t.Errorf("Number(%q) = %q", s, key)
		}
		if again, ok := Number(key); !ok || again != key {
			t.Errorf("Number(%q) = %q, but Number(%q) = %q, %v", s, key, key, again, ok)
		}
	})
}

// FuzzDate: whatever reads as a date is one of the calendar, in ISO form.
func FuzzDate(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, ok := parseDate(s)
		if !ok {
			return
		}
		layout := "2006-01-02T15:04:05"[:len(key)]
		at, err := time.Parse(layout, key)
		if err != nil || at.Format(layout) != key {
			t.Errorf("parseDate(%q) = %q: %v", s, key, err)
		}
		if order, ok := Compare(s, at.AddDate(0, 0, 1).Format(layout)); !ok || order >= 0 {
			if _, number := Number(tidy(s)); !number && at.Year() < 9999 {
				t.Errorf("%q is not before the next day: %d, %v", s, order, ok)
			}
		}
	})
}

// FuzzDuration: the canonical form means the same, and a month is never a number of days.
func FuzzDuration(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, ok := parseDuration(s)
		if !ok {
			return
		}
		if again, ok := parseDuration(key); !ok || again != key {
			t.Errorf("parseDuration(%q) = %q, but parseDuration(%q) = %q, %v", s, key, key, again, ok)
		}
		if strings.Trim(key, "PMTS.0123456789") != "" || !strings.ContainsAny(s, "0123456789aeioAEIO０１２３４５６７８９") {
			t.Errorf("parseDuration(%q) = %q", s, key)
		}
	})
}

// FuzzContains: a text contains each of its words and the run of all of them, and no word that it lacks.
func FuzzContains(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[len(seeds)-1-i])
	}
	f.Fuzz(func(t *testing.T, text, item string) {
		if len(text) > 1<<10 {
			return
		}
		words := Words(text)
		for _, w := range words {
			if !Contains(text, w) {
				t.Errorf("%q does not contain its word %q", text, w)
			}
			if again := Words(w); len(again) != 1 || again[0] != w {
				t.Errorf("Words(%q) = %q for a word of %q", w, again, text)
			}
		}
		if !Contains(text, strings.Join(words, " ")) || !Contains(text, text) {
			t.Errorf("%q does not contain itself", text)
		}
		if Contains(text, item) && len(Words(item)) > 0 && len(words) == 0 {
			t.Errorf("%q without words contains %q", text, item)
		}
		if v, ok := StandsFor(text, []string{item}, Plain); ok && v != item {
			t.Errorf("StandsFor(%q, %q) = %q", text, item, v)
		}
	})
}

package value

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestNumberIsExact holds Number and Compare against rational arithmetic.
func TestNumberIsExact(t *testing.T) {
	decimal := rapid.StringMatching(`[+-]?(0{0,2}[0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})([eE][+-]?[0-9])?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := decimal.Draw(t, "a"), decimal.Draw(t, "b")
		if rapid.Bool().Draw(t, "same") {
			b, _ = Number("+" + strings.TrimLeft(a, "+-"))
		}
		x, y := rational(t, a), rational(t, b)
		ka, ok := Number(a)
		if !ok || rational(t, ka).Cmp(x) != 0 {
			t.Fatalf("Number(%q) = %q, %v", a, ka, ok)
		}
		order, ok := Compare(a, b)
		if !ok || sign(order) != x.Cmp(y) {
			t.Fatalf("Compare(%q, %q) = %d, %v, want %d", a, b, order, ok, x.Cmp(y))
		}
		if got := Equal(a, b, Plain); got != (order == 0) {
			t.Fatalf("Equal(%q, %q) = %v where Compare is %d", a, b, got, order)
		}
	})
}

func rational(t interface{ Fatalf(string, ...any) }, s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}

// TestKeyIgnoresDressing: what the rule removes changes no key.
func TestKeyIgnoresDressing(t *testing.T) {
	dresses := []func(string) string{
		strings.ToUpper,
		func(s string) string { return " " + s + "\n" },
		func(s string) string { return `"` + s + `"` },
		func(s string) string { return "‘" + s + "’" },
		func(s string) string { return "`'" + s + "'`" },
		func(s string) string { return s + "." },
		func(s string) string { return s + "/" },
		func(s string) string { return s[:1] + "-" + s[1:] },
		func(s string) string { return s[:1] + "\u00a0_" + s[1:] },
		func(s string) string { return s + "\u200b" },
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-z][a-z0-9.@:]{0,8}[a-z0-9]`).Draw(t, "s")
		want := Key(s, Plain)
		dressed := s
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			dressed = rapid.SampledFrom(dresses).Draw(t, "dress")(dressed)
			if first := dressed[0]; first < 'A' || first > 'z' || first == '`' {
				break
			}
		}
		if got := Key(dressed, Plain); got != want {
			t.Fatalf("Key(%q) = %q, Key(%q) = %q", dressed, got, s, want)
		}
	})
}

func TestDateFormsAgree(t *testing.T) {
	dates := []string{
		"2006-01-02", "2006/01/02", "2006.1.2", "02.01.2006", "2.1.2006", "2 January 2006", "January 2, 2006", "Jan 2 2006",
		"2 Jan 2006", "02-Jan-2006", "Monday, 2 January 2006", "Mon Jan 2, 2006", "20060102", "the 2 of January 2006", "2006 Jan 2",
	}
	times := []string{"%sT15:04:05Z", "%s 15:04:05", "%s, 3:04:05 PM", "15:04:05 on %s", "%s at 15:04:05 UTC", "3:04:05pm %s"}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "at"), 0).UTC()
		day := rapid.SampledFrom(dates).Draw(t, "date")
		if got, want := Key(at.Format(day), Date), at.Format("2006-01-02"); got != want {
			t.Fatalf("Key(%q) = %q, want %q", at.Format(day), got, want)
		}
		at = at.Add(time.Second * time.Duration(1-at.Second()%2)) // an odd second is not midnight
		s := at.Format(fmt.Sprintf(rapid.SampledFrom(times).Draw(t, "time"), day))
		if got, want := Key(s, Date), at.Format("2006-01-02T15:04:05"); got != want {
			t.Fatalf("Key(%q) = %q, want %q", s, got, want)
		}
		zone := time.FixedZone("", 60*rapid.IntRange(-14*60, 14*60).Draw(t, "zone"))
		if s = at.In(zone).Format(time.RFC3339); !Equal(s, at.Format(time.RFC3339), Date) {
			t.Fatalf("%q is not %v", s, at)
		}
	})
}

func TestDurationFormsAgree(t *testing.T) {
	forms := []string{
		"%[1]dd%[2]dh%[3]dm", "%[1]d days %[2]d hours %[3]d minutes", "%[1]d day, %[2]d hrs and %[3]d min", "P%[1]dDT%[2]dH%[3]dM",
		"%[4]d min", "PT%[4]dM", "%[4]d-minute", "%[5]d seconds", "%[5]ds", "pt%[5]d.000s",
	}
	rapid.Check(t, func(t *rapid.T) {
		d, h, m := rapid.IntRange(0, 99).Draw(t, "d"), rapid.IntRange(0, 99).Draw(t, "h"), rapid.IntRange(0, 99).Draw(t, "m")
		total := (d*24+h)*60 + m
		form := rapid.SampledFrom(forms).Draw(t, "form")
		s := strings.Split(fmt.Sprintf(form+"%%!%[1]d%[2]d%[3]d%[4]d%[5]d", d, h, m, total, 60*total), "%!")[0]
		if got, want := Key(s, Duration), fmt.Sprintf("PT%dS", 60*total); got != want {
			t.Fatalf("Key(%q) = %q, want %q", s, got, want)
		}
	})
}

// foldedWord draws words as Words writes them, few enough to repeat.
var foldedWord = rapid.OneOf(
	rapid.SampledFrom([]string{"a", "b", "a-b", "a_b", "id", "not", "1", "10", "1.5", "v1.2"}),
	rapid.StringMatching(`[a-c]{1,2}([-_][a-c0-9]{1,2})?`),
)

// join writes words with symbols between them that join nothing.
func join(t *rapid.T, words []string) string {
	var b strings.Builder
	between := rapid.SampledFrom([]string{" ", " = ", "; ", "@", "\n", "'", " - ", "--", "/"})
	for i, w := range words {
		if i > 0 {
			b.WriteString(between.Draw(t, "between"))
		}
		b.WriteString(w)
	}
	return b.String()
}

// TestContainsIsSearchOfWords holds Contains against the plain search of one list of words in another.
func TestContainsIsSearchOfWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(foldedWord, 0, 8).Draw(t, "text")
		item := rapid.SliceOfN(foldedWord, 1, 3).Draw(t, "item")
		text := join(t, words)
		want := false
		for i := range words {
			want = want || len(words)-i >= len(item) && strings.Join(words[i:i+len(item)], " ") == strings.Join(item, " ")
		}
		if got := Contains(text, join(t, item)); got != want {
			t.Fatalf("Contains(%q, %q) = %v, want %v", text, item, got, want)
		}
	})
}

func TestStandsForBoundsTheWordsMore(t *testing.T) {
	noise := rapid.StringMatching(`[x-z]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		column := rapid.SliceOfNDistinct(foldedWord, 1, 6, func(s string) string { return Key(s, Plain) }).Draw(t, "column")
		v := rapid.SampledFrom(column).Draw(t, "value")
		before := rapid.SliceOfN(noise, 0, 3).Draw(t, "before")
		after := rapid.SliceOfN(noise, 0, 2).Draw(t, "after")
		arg := join(t, append(append(before, v), after...))
		got, ok := StandsFor(arg, column, Plain)
		if want := len(before)+len(after) <= maxExtra; ok != want || ok && got != v {
			t.Fatalf("StandsFor(%q, %q) = %q, %v, want %q, %v", arg, column, got, ok, v, want)
		}
	})
}

// TestKeyIsCanonical goes over all of Unicode, where folding, composing and removing meet.
func TestKeyIsCanonical(t *testing.T) {
	char := rapid.OneOf(
		rapid.SampledFrom([]rune("aA1-_ .,/'\"`“”«»+\u0301\u0327\u0345\u034f\u200d\u00ad\ufe0fßſİıΣςŉ")),
		rapid.Rune(),
	)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(char, 0, 12, -1).Draw(t, "s")
		key := Key(s, Plain)
		if again := Key(key, Plain); again != key {
			t.Fatalf("Key(%q) = %q, but Key(%q) = %q", s, key, key, again)
		}
		for _, w := range Words(s) {
			if !Contains(s, w) {
				t.Fatalf("%q does not contain its word %q", s, w)
			}
		}
	})
}

package value

import (
	"fmt"
	"strings"
	"testing"
)

const query = "SELECT o.id, o.status FROM public.orders AS o WHERE o.customer_id = 90417 AND o.placed >= '2026-03-12';"

func BenchmarkKey(b *testing.B) {
	for _, s := range []string{"orders", "'stg-bastion'", "48213", "019.90", "Zoë Schröder"} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Key(s, Plain)
			}
		})
	}
	b.Run("date", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Key("12 March 2026", Date)
		}
	})
	b.Run("duration", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Key("90 minutes", Duration)
		}
	})
}

func BenchmarkWords(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Words(query)
	}
}

func BenchmarkContains(b *testing.B) {
	b.Run("once", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Contains(query, "customer_id")
		}
	})
	b.Run("prepared", func(b *testing.B) {
		text, item := NewText(query), NewText("customer_id 90417")
		b.ReportAllocs()
		for b.Loop() {
			text.Contains(item)
		}
	})
	b.Run("prose", func(b *testing.B) {
		// Typographic marks, which models write, take the way over Unicode.
		prose := strings.Repeat("The order’s status is “on hold” — nothing else was changed. ", 10)
		b.SetBytes(int64(len(prose)))
		b.ReportAllocs()
		for b.Loop() {
			NewText(prose)
		}
	})
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			NewText(query)
		}
	})
}

func BenchmarkStandsFor(b *testing.B) {
	for _, n := range []int{10, 200} {
		column := make([]string, n)
		for i := range column {
			column[i] = fmt.Sprintf("S-44%03d", i)
		}
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				StandsFor("student S-44007", column, Plain)
			}
		})
		b.Run(fmt.Sprintf("prepared/rows=%d", n), func(b *testing.B) {
			c := NewColumn(column, Plain)
			b.ReportAllocs()
			for b.Loop() {
				c.StandsFor("student S-44007")
			}
		})
	}
}

// hostile are pieces that, repeated, would cost a reader with a nested loop hours.
var hostile = []string{"_", "-", ".", ",", "'", "“", "a-", "a_", "1.", "1,", "1,111,", "a b ", "\u0301", "é", "\xff", "./", "1"}

// BenchmarkHostile should show the same order of bytes a second for every piece and size.
func BenchmarkHostile(b *testing.B) {
	for _, piece := range hostile {
		for _, size := range []int{1 << 14, 1 << 18} {
			s := strings.Repeat(piece, size/len(piece))
			item := NewText("a" + s[len(s)/2:])
			b.Run(fmt.Sprintf("%q/%d", piece, size), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					Key(s, Date)
					NewText(s).Contains(item)
				}
			})
		}
	}
}

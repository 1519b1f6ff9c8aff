package world

import "testing"

// benchmarks plays a tool of a family of testdata.
var benchmarks = []struct{ name, family, tool string }{
	{"count", "med-dx-play-count", "count_plays"},
	{"guards", "med-dx-play-count", "query_figures"},
	{"export", "med-dx-play-count", "export_listeners"},
	{"dump", "med-dx-play-count", "dump_event_log"},
	{"update", "gov-se-plot-use", "correct_plot"},
	{"insert", "db-tp-ledger-view", "lend_ledger"},
}

func benchmarkWorld(b *testing.B, family string) *World {
	for _, s := range families(b) {
		if s.Family.ID == family {
			return compile(b, s)
		}
	}
	b.Fatal("no family ", family)
	return nil
}

// A first call in a fresh world.
func BenchmarkCall(b *testing.B) {
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			w := benchmarkWorld(b, bm.family)
			tool := w.toolIndex(b, bm.tool)
			a := w.args(b, tool, w.Solution(tool))
			b.ReportAllocs()
			for b.Loop() {
				w.New().Call(tool, a)
			}
		})
	}
}

// A call in a world that has changed is executed twice: there, and on the initial world to see whether it is useful.
func BenchmarkCallAgain(b *testing.B) {
	w := benchmarkWorld(b, "gov-se-plot-use")
	s := w.New()
	fix := w.toolIndex(b, "correct_plot")
	s.Call(fix, w.args(b, fix, w.Solution(fix)))
	a := w.args(b, fix, `{"plot": "plot 22-004", "attribute": "use", "value": "meadow"}`)
	b.ReportAllocs()
	for b.Loop() {
		s.Call(fix, a)
	}
}

func BenchmarkUseful(b *testing.B) {
	w := benchmarkWorld(b, "med-dx-play-count")
	tool := w.toolIndex(b, "count_plays")
	a := w.args(b, tool, w.Solution(tool))
	s := w.New()
	b.ReportAllocs()
	for b.Loop() {
		s.Useful(tool, a)
	}
}

func BenchmarkParse(b *testing.B) {
	w := benchmarkWorld(b, "med-dx-play-count")
	tool := w.toolIndex(b, "count_plays")
	raw := w.Solution(tool)
	b.ReportAllocs()
	for b.Loop() {
		w.Parse(tool, raw)
	}
}

func BenchmarkCompile(b *testing.B) {
	s := families(b)[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(s); err != nil {
			b.Fatal(err)
		}
	}
}

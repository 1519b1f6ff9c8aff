package audit_test

import (
	"testing"

	"github.com/privgym/privgym/env/audit"
	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/scenario"
)

func embedded(t testing.TB) []*scenario.Family {
	t.Helper()
	c := corpus.Embedded()
	var fs []*scenario.Family
	for _, e := range c.Families() {
		f, err := c.Family(e.ID)
		if err != nil {
			t.Error(err)
			continue
		}
		fs = append(fs, f)
	}
	return fs
}

// TestEmbeddedCorpus holds every embedded family to the checks that its authors meet.
func TestEmbeddedCorpus(t *testing.T) {
	fs := embedded(t)
	for _, f := range fs {
		t.Run(f.ID, func(t *testing.T) {
			t.Parallel()
			for _, bad := range audit.Family(f) {
				t.Error(bad)
			}
		})
	}
	for _, bad := range audit.Corpus(fs) {
		t.Error(bad)
	}
}

// BenchmarkCorpus checks the whole embedded corpus; ten families take about a fifth of a second.
func BenchmarkCorpus(b *testing.B) {
	fs := embedded(b)
	for b.Loop() {
		for _, f := range fs {
			audit.Family(f)
		}
		audit.Corpus(fs)
	}
}

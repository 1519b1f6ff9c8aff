package corpus

import (
	"bytes"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/scenario"
)

// TestIndexIsFresh compares the index with the families that it describes.
func TestIndexIsFresh(t *testing.T) {
	c, findings, err := Load("families")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
	want, err := os.ReadFile("index.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, Index(c)) {
		t.Error("index.json is stale: run `go generate ./env/corpus` and commit it")
	}
}

// TestEmbedded parses every family, expands every scenario, and compares with what the index promises.
func TestEmbedded(t *testing.T) {
	c := Embedded()
	findings, err := c.Check()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
	for _, e := range c.Families() {
		f, err := c.Family(e.ID)
		if err != nil {
			t.Error(err)
			continue
		}
		got := entryOf(f)
		if diff := cmp.Diff(e, got); diff != "" {
			t.Errorf("%s: %s", e.ID, diff)
		}
		for i := range e.Instances {
			for w := range e.Wordings {
				id := f.ScenarioID(i, w)
				if s, err := c.Scenario(id); err != nil || s.ID != id {
					t.Errorf("%s: %v", id, err)
				}
			}
		}
	}
}

// TestEmbeddedEqualsLoaded holds the digest to the content, wherever the files lie.
func TestEmbeddedEqualsLoaded(t *testing.T) {
	loaded, _, err := Load("families")
	if err != nil {
		t.Fatal(err)
	}
	c := Embedded()
	if c.Digest() != loaded.Digest() {
		t.Errorf("digest %s, from the files %s", c.Digest(), loaded.Digest())
	}
	if diff := cmp.Diff(loaded.IDs(""), c.IDs("")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(loaded.Splits(), c.Splits()); diff != "" {
		t.Error(diff)
	}
}

func TestEmbeddedParsesNothingAhead(t *testing.T) {
	c := Embedded()
	fresh := newCorpus(c.entries, make([]family, len(c.entries)))
	for i := range fresh.families {
		fresh.families[i].source = func() ([]byte, error) {
			t.Errorf("%s is read though nobody asked for it", c.entries[i].ID)
			return c.families[i].source()
		}
	}
	fresh.Families()
	fresh.Splits()
	fresh.IDs("")
	if _, err := fresh.At("rl", 0); err != nil {
		t.Error(err)
	}
}

func TestConcurrentUse(t *testing.T) {
	shared := Embedded()
	c := newCorpus(shared.entries, make([]family, len(shared.entries)))
	for i := range c.families {
		c.families[i].source = shared.families[i].source
	}
	ids := c.IDs("")
	first := make([]*scenario.Family, len(ids))
	var wg sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for _, id := range ids[:min(20, len(ids))] {
				if s, err := c.Scenario(id); err != nil || s.ID != id {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	wg.Wait()
	for i, id := range ids[:min(20, len(ids))] {
		s, err := c.Scenario(id)
		if err != nil {
			t.Fatal(err)
		}
		first[i] = s.Family
		if again, err := c.Family(s.Family.ID); err != nil || again != first[i] {
			t.Errorf("family %s is parsed twice", s.Family.ID)
		}
	}
}

func BenchmarkFirstScenario(b *testing.B) {
	shared := Embedded()
	ids := shared.IDs("")
	b.ReportAllocs()
	for b.Loop() {
		c := newCorpus(shared.entries, make([]family, len(shared.entries)))
		for i := range c.families {
			c.families[i].source = shared.families[i].source
		}
		if _, err := c.Scenario(ids[0]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScenario(b *testing.B) {
	c := Embedded()
	ids := c.IDs("")
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := c.Scenario(ids[i%len(ids)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

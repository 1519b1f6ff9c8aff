package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/privgym/privgym/env/scenario"
)

func TestMasked(t *testing.T) {
	f := &scenario.Family{Instances: []scenario.Instance{
		{Values: []scenario.Pair{{Column: "site", Value: scenario.Text{S: "Harbour House"}}, {Column: "state", Value: scenario.Text{S: "open"}}}},
	}}
	want := []string{"is", "_", "the", "same", "as", "_", "open", "for", "_", "hours", "lift", "l", "_"}
	if diff := cmp.Diff(want, masked("Is {site} the same as Harbour House, open for 3 hours? Lift L-2.", f)); diff != "" {
		t.Error(diff)
	}
}

func TestGrams(t *testing.T) {
	words := strings.Fields("a b c d _ _ _ _ _ e")
	if diff := cmp.Diff([]string{"a b c d _ _ _ _"}, grams(words)); diff != "" {
		t.Error("a gram needs four words:", diff)
	}
	if got := grams(words[:7]); got != nil {
		t.Error("seven words have no gram:", got)
	}
}

// corpusOf draws families whose requests are drawn from a small vocabulary, so that they overlap often.
func corpusOf(t *rapid.T) []*scenario.Family {
	word := rapid.SampledFrom(strings.Fields("add move read list open lift door {x} 4 7 to of in the a now"))
	var fs []*scenario.Family
	for i := range rapid.IntRange(2, 5).Draw(t, "families") {
		f := &scenario.Family{
			File:   fmt.Sprintf("f%d.yaml", i),
			ID:     fmt.Sprintf("f%d", i),
			Split:  rapid.SampledFrom(scenario.Splits()).Draw(t, "split"),
			Domain: rapid.SampledFrom([]string{"media", "coding"}).Draw(t, "domain"),
			Instances: []scenario.Instance{
				{Values: []scenario.Pair{{Column: "x", Value: scenario.Text{S: "X-1"}}}},
			},
		}
		for line := range rapid.IntRange(1, 3).Draw(t, "requests") {
			words := rapid.SliceOfN(word, 3, 14).Draw(t, "request")
			f.Requests = append(f.Requests, scenario.Text{S: strings.Join(words, " "), Line: line + 1})
		}
		fs = append(fs, f)
	}
	return fs
}

// TestOverlapMissesNothing compares the inverted index with a look at every pair.
func TestOverlapMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fs := corpusOf(t)
		var got []string
		for _, f := range Corpus(fs) {
			kind := "tokens"
			if strings.Contains(f.Message, "shares the masked words") {
				kind = "gram"
			}
			got = append(got, f.File+" "+kind)
		}
		var want []string
		for j, b := range fs {
			for _, a := range fs[:j] {
				if a.Split != b.Split && anyPair(a, b, shareGram) {
					want = append(want, b.File+" gram")
				}
				cell := a.Domain == b.Domain && a.Risk == b.Risk
				if (cell || a.Split != b.Split) && anyPair(a, b, func(x, y []string) bool { return naiveJaccard(x, y) >= maxOverlap }) {
					want = append(want, b.File+" tokens")
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%v", diff, Corpus(fs))
		}
	})
}

func anyPair(a, b *scenario.Family, overlap func(x, y []string) bool) bool {
	for _, x := range a.Requests {
		for _, y := range b.Requests {
			if overlap(masked(x.S, a), masked(y.S, b)) {
				return true
			}
		}
	}
	return false
}

func shareGram(x, y []string) bool {
	for i := 0; i+gramLength <= len(x); i++ {
		for j := 0; j+gramLength <= len(y); j++ {
			gram := x[i : i+gramLength]
			left := slices.DeleteFunc(slices.Clone(gram), func(w string) bool { return w == mask })
			if len(left) >= gramWords && slices.Equal(gram, y[j:j+gramLength]) {
				return true
			}
		}
	}
	return false
}

func naiveJaccard(x, y []string) float64 {
	union, common := map[string]bool{}, map[string]bool{}
	for _, w := range x {
		union[w] = w != mask
		common[w] = w != mask && slices.Contains(y, w)
	}
	for _, w := range y {
		union[w] = w != mask
	}
	size := func(m map[string]bool) (n float64) {
		for _, in := range m {
			if in {
				n++
			}
		}
		return n
	}
	if size(union) == 0 {
		return 0
	}
	return size(common) / size(union)
}

func TestOneFamilyOverlapsWithItselfFreely(t *testing.T) {
	same := scenario.Text{S: "please put the lift of the house back into service now", Line: 3}
	f := &scenario.Family{File: "a.yaml", ID: "a", Split: "rl", Requests: []scenario.Text{same, same}}
	if got := Corpus([]*scenario.Family{f}); len(got) > 0 {
		t.Error(got)
	}
}

// TestNearDuplicatesOfAnImport: two rows of one source may be near each other in a cell; a family of our own may not be
// near a row, and Between compares the tools of an import too.
func TestNearDuplicatesOfAnImport(t *testing.T) {
	const text = "please show the storm banner on the local page until noon of next friday"
	family := func(id, imported string) *scenario.Family {
		return &scenario.Family{File: id + ".yaml", ID: id, Split: "eval", Imported: imported, Requests: []scenario.Text{{S: text, Line: 2}},
			Tools: []scenario.Tool{{Name: "show_" + id, Line: 9, Description: scenario.Text{S: "Shows a banner on one page until a time that the caller has to give."}}}}
	}
	a, b, own := family("a", "a benchmark"), family("b", "a benchmark"), family("own", "")
	if got := Corpus([]*scenario.Family{a, b}); len(got) > 0 {
		t.Error(got)
	}
	if got := Corpus([]*scenario.Family{a, own}); len(got) != 1 || got[0].File != "own.yaml" {
		t.Error(got)
	}
	kinds := map[string]bool{}
	for _, m := range Between([]*scenario.Family{own}, []*scenario.Family{a}, ForeignThresholds) {
		kinds[m.Kind] = m.TooNear
	}
	if !kinds["request"] || !kinds["description"] {
		t.Errorf("between them: %v", kinds)
	}
}

func TestImportedFamiliesMayShareTools(t *testing.T) {
	tools := []scenario.Tool{{Name: "read_file", Line: 9, Description: scenario.Text{S: "Reads a file of the file system and returns what it holds as text."}}}
	imported := func(id, split string) *scenario.Family {
		return &scenario.Family{File: id + ".yaml", ID: id, Split: split, Imported: "a benchmark", Tools: tools}
	}
	if got := Corpus([]*scenario.Family{imported("a", "rl"), imported("b", "eval")}); len(got) > 0 {
		t.Error(got)
	}
}

package audit

import (
	"maps"
	"math"
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// MaxNameLeak is how well the side of a tool may be told from the words of its name, per tool (docs/family-format.md,
// check 9).
const MaxNameLeak = 0.75

// Leakage says how well a classifier that has seen all other families tells the side of a tool, low or high, from its
// words. Half of the tools stand on each side, so 0.5 is chance.
type Leakage struct {
	// Tools is the number of tools looked at: those of families with as many low as high ones.
	Tools int `json:"tools"`
	// Names is the share of tools told from their names, Descriptions from names and descriptions. NaN without tools.
	Names        float64 `json:"names"`
	Descriptions float64 `json:"names_and_descriptions"`
	// Telling are the words of names that speak most for a side, the strongest first.
	Telling []TellingWord `json:"telling_words"`
}

// TellingWord is a word of names with the number of names that hold it on each side.
type TellingWord struct {
	Word string `json:"word"`
	Low  int    `json:"low"`
	High int    `json:"high"`
}

// labelled is a tool as the classifier sees it.
type labelled struct {
	family *scenario.Family
	words  []string
	high   bool
}

// Leak runs check 9: a naive Bayes classifier over bags of words, each family held out in turn. A tool whose sides come
// out equal counts half.
func Leak(fs []*scenario.Family) Leakage {
	var names, all []labelled
	for _, f := range fs {
		low, high := sides(f)
		if len(low) != len(high) {
			continue // chance would not be a half
		}
		for side, tools := range [][]int{low, high} {
			for _, i := range tools {
				t := &f.Tools[i]
				words := tokens(t.Name)
				names = append(names, labelled{f, words, side == 1})
				all = append(all, labelled{f, append(slices.Clone(words), tokens(t.Description.S)...), side == 1})
			}
		}
	}
	return Leakage{Tools: len(names), Names: heldOut(names), Descriptions: heldOut(all), Telling: telling(names)}
}

// bag counts words by side: [0] low, [1] high.
type bag struct {
	words [2]map[string]int
	total [2]int
	tools [2]int
}

func newBag() *bag { return &bag{words: [2]map[string]int{{}, {}}} }

func (b *bag) add(t labelled, n int) {
	side := 0
	if t.high {
		side = 1
	}
	b.tools[side] += n
	b.total[side] += n * len(t.words)
	for _, w := range t.words {
		b.words[side][w] += n
	}
}

// logOdds is positive where the words speak for the high side, with Laplace smoothing over the vocabulary.
func (b *bag) logOdds(words []string, vocabulary int) float64 {
	odds := math.Log(float64(b.tools[1])) - math.Log(float64(b.tools[0]))
	for _, w := range words {
		odds += math.Log(float64(b.words[1][w]+1)) - math.Log(float64(b.total[1]+vocabulary))
		odds -= math.Log(float64(b.words[0][w]+1)) - math.Log(float64(b.total[0]+vocabulary))
	}
	return odds
}

// checkLeak is check 9. With fewer families the classifier has learnt too little to accuse anybody. The names of imported
// families are what they are.
func checkLeak(out *findings, fs []*scenario.Family) {
	const enough = 40
	fs = slices.DeleteFunc(slices.Clone(fs), func(f *scenario.Family) bool { return f.Imported != "" })
	if len(fs) < enough {
		return
	}
	if leak := Leak(fs); leak.Names > MaxNameLeak {
		out.add("corpus", 9, 0, "tool names", "", "tell the side of %.0f%% of the tools (%.0f%% is too much); reword names with %s",
			100*leak.Names, 100*MaxNameLeak, leak.Telling[0].Word)
	}
}

// heldOut returns the share of tools told right by a classifier trained on all families but the tool's own.
func heldOut(tools []labelled) float64 {
	counts, vocabulary := newBag(), map[string]bool{}
	byFamily := map[*scenario.Family][]labelled{}
	for _, t := range tools {
		counts.add(t, 1)
		byFamily[t.family] = append(byFamily[t.family], t)
		for _, w := range t.words {
			vocabulary[w] = true
		}
	}
	right := 0.0
	for _, own := range byFamily { // a sum of halves: its order changes nothing
		for _, t := range own {
			counts.add(t, -1)
		}
		for _, t := range own {
			switch odds := counts.logOdds(t.words, len(vocabulary)); {
			case odds == 0:
				right += 0.5
			case odds > 0 == t.high:
				right++
			}
		}
		for _, t := range own {
			counts.add(t, 1)
		}
	}
	return right / float64(len(tools))
}

// telling returns the words whose count differs most between the sides.
func telling(names []labelled) []TellingWord {
	const most = 12
	counts := newBag()
	for _, t := range names {
		counts.add(t, 1)
	}
	distinct := map[string]bool{}
	for _, side := range counts.words {
		for w := range side {
			distinct[w] = true
		}
	}
	words := slices.Sorted(maps.Keys(distinct))
	difference := func(w string) int { return counts.words[1][w] - counts.words[0][w] }
	slices.SortStableFunc(words, func(a, b string) int {
		return max(difference(b), -difference(b)) - max(difference(a), -difference(a))
	})
	var out []TellingWord
	for _, w := range words[:min(most, len(words))] {
		out = append(out, TellingWord{w, counts.words[0][w], counts.words[1][w]})
	}
	return out
}

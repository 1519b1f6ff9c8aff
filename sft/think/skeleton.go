package think

import "strings"

// Skeleton is what is left of a block when values, names of tools, quotations and all words that stand in the tools'
// schemas are masked: its manner of speaking. A run of masked words is one mark. Two rows with the same skeleton were made
// by the same template.
func Skeleton(v View, block string) string {
	return strings.Join(skeletonWords(read(&v, block)), " ")
}

// skeletonMark stands for what is masked.
const skeletonMark = "_"

func skeletonWords(r *reading) []string {
	out := make([]string, 0, len(r.words))
	request := lowered(r.v.Request)
	for i, w := range r.words {
		text := r.word(i)
		if w.tool >= 0 || w.quoted || hasDigit(text) || r.v.Tools.vocabulary[text] || inText(request, text) {
			text = skeletonMark
		}
		if text == skeletonMark && len(out) > 0 && out[len(out)-1] == skeletonMark {
			continue
		}
		out = append(out, text)
	}
	return out
}

// shingleWords is the length of the word sequences that Similarity compares.
const shingleWords = 5

// Similarity is the Jaccard index of the sequences of five words of two texts: 1 for equal texts, 0 where they share none.
// Of a text with fewer words the whole is one sequence.
func Similarity(a, b string) float64 { return jaccard(shingles(a), shingles(b)) }

func jaccard(x, y map[string]bool) float64 {
	common := 0
	for s := range x {
		if y[s] {
			common++
		}
	}
	if len(x)+len(y) == 0 {
		return 1
	}
	return float64(common) / float64(len(x)+len(y)-common)
}

func shingles(s string) map[string]bool {
	words := strings.Fields(s)
	set := map[string]bool{}
	for i := 0; i+shingleWords <= len(words) || i == 0 && len(words) > 0; i++ {
		set[strings.Join(words[i:min(i+shingleWords, len(words))], " ")] = true
	}
	return set
}

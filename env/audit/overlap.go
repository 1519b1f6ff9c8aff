package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

const (
	// gramLength is the n of the n-grams that splits may not share.
	gramLength = 8
	// gramWords is how many words of a gram must not be masked: what is left of "{a} {b} {c} …" tells nothing.
	gramWords = 4
	// maxOverlap bounds the Jaccard index of two masked texts as token sets.
	maxOverlap = 0.6
	// mask stands for an instance value or a number.
	mask = "_"
)

// kind of a unit. Units are compared with units of their kind.
type kind uint8

const (
	request     kind = iota // one wording
	description             // of one tool
	toolset                 // the descriptions of all tools of a family together
)

var kindNames = [...]string{"request", "description", "descriptions of the tools"}

// unit is a text that may not come again in another split, or in the family's own cell of domain and risk.
type unit struct {
	family *scenario.Family
	kind   kind
	text   scenario.Text
	words  []string
	// set holds the distinct words without the mask.
	set []string
}

// pair of families, in their order.
type pair [2]*scenario.Family

// checkOverlap is check 8. It compares masked texts, in which instance values and numbers count for nothing: between
// splits no 8-gram of requests or tool descriptions is shared, and neither two requests nor two sets of tool descriptions
// have a token overlap of 0.6 or more; inside a cell of domain and risk the latter holds within a split as well. Of two
// families the largest overlap is shown, with both texts. It is exact: a corpus is small, and an inverted index finds
// every pair.
func checkOverlap(out *findings, fs []*scenario.Family) {
	var units []unit
	for _, f := range fs {
		own := unitsOf(f)
		if f.Imported != "" {
			own = own[:len(f.Requests)] // many imported families share their source's tools
		}
		units = append(units, own...)
	}
	checkGrams(out, units)
	checkTokens(out, units)
}

// unitsOf lists the requests, and after them what the tools give.
func unitsOf(f *scenario.Family) []unit {
	var out []unit
	for _, r := range f.Requests {
		out = append(out, newUnit(f, request, r))
	}
	var all []string
	for _, t := range f.Tools {
		out = append(out, newUnit(f, description, t.Description))
		all = append(all, t.Description.S)
	}
	if len(f.Tools) > 0 {
		out = append(out, newUnit(f, toolset, scenario.Text{S: strings.Join(all, " "), Line: f.Tools[0].Line}))
	}
	return out
}

func newUnit(f *scenario.Family, k kind, t scenario.Text) unit {
	u := unit{family: f, kind: k, text: t, words: masked(t.S, f)}
	u.set = slices.DeleteFunc(slices.Clone(u.words), func(w string) bool { return w == mask })
	slices.Sort(u.set)
	u.set = slices.Compact(u.set)
	return u
}

// masked splits a text into words, with a mask for each {name}, each instance value that is spelt out, and each number.
func masked(s string, f *scenario.Family) []string {
	for _, in := range f.Instances {
		for _, p := range in.Values {
			s = strings.ReplaceAll(s, "{"+p.Column+"}", " 0 ")
			if distinctive(p.Value.S) {
				s = strings.ReplaceAll(s, p.Value.S, " 0 ")
			}
		}
	}
	words := tokens(s)
	for i, w := range words {
		if digits(w) {
			words[i] = mask
		}
	}
	return words
}

// shown is the text of a unit for a message: whole, as a count alone cannot be judged, unless it is that of six tools.
func (u *unit) shown() string {
	if u.kind == toolset {
		return clip(u.text.S)
	}
	return u.text.S
}

// checkGrams finds 8-grams that two splits share, and tells the first of each pair of families.
func checkGrams(out *findings, units []unit) {
	index := map[string][]*unit{}
	told := map[pair]bool{}
	for i := range units {
		u := &units[i]
		if u.kind == toolset {
			continue
		}
		for _, gram := range grams(u.words) {
			for _, other := range index[gram] {
				p := pair{other.family, u.family}
				if p[0].Split != p[1].Split && !told[p] {
					told[p] = true
					tell(out, other, u, fmt.Sprintf("shares the masked words %q", gram))
				}
			}
			index[gram] = append(index[gram], u)
		}
	}
}

// grams lists the n-grams of masked words that have enough words left.
func grams(words []string) []string {
	var out []string
	for at := 0; at+gramLength <= len(words); at++ {
		gram := words[at : at+gramLength]
		left := 0
		for _, w := range gram {
			if w != mask {
				left++
			}
		}
		if left >= gramWords {
			out = append(out, strings.Join(gram, " "))
		}
	}
	return out
}

// overlap of two units, by index.
type overlap struct {
	earlier, later int
	jaccard        float64
}

// checkTokens finds requests and toolsets with too large a token overlap, and tells the largest of each pair of families
// and kind.
func checkTokens(out *findings, units []unit) {
	type key struct {
		pair
		kind kind
	}
	worst := map[key]overlap{}
	var order []key
	index := map[string][]int{}
	for i := range units {
		if units[i].kind == description {
			continue
		}
		for _, o := range overlaps(units, i, index) {
			k := key{pair{units[o.earlier].family, units[i].family}, units[i].kind}
			before, seen := worst[k]
			if !seen {
				order = append(order, k)
			}
			if o.jaccard > before.jaccard {
				worst[k] = o
			}
		}
	}
	for _, k := range order {
		o := worst[k]
		tell(out, &units[o.earlier], &units[o.later], fmt.Sprintf("has a masked token overlap of %.2f (%.1f is too much)", o.jaccard, maxOverlap))
	}
}

// overlaps adds unit i to the index, from words to units, and returns its overlaps with earlier units of other families.
func overlaps(units []unit, i int, index map[string][]int) []overlap {
	u := &units[i]
	common := make([]int, i)
	for _, w := range u.set {
		for _, j := range index[w] {
			common[j]++
		}
		index[w] = append(index[w], i)
	}
	var out []overlap
	for j, n := range common {
		other := &units[j]
		if n == 0 || other.kind != u.kind || !apart(other.family, u.family) {
			continue
		}
		if jaccard := float64(n) / float64(len(u.set)+len(other.set)-n); jaccard >= maxOverlap {
			out = append(out, overlap{j, i, jaccard})
		}
	}
	return out
}

// apart reports whether the texts of two families must differ: in different splits, or in one cell, where that both are
// imported is the business of their source.
func apart(a, b *scenario.Family) bool {
	sameCell := a.Domain == b.Domain && a.Risk == b.Risk && (a.Imported == "" || b.Imported == "")
	return a != b && (a.Split != b.Split || sameCell)
}

// tell adds a finding at the later of two texts.
func tell(out *findings, earlier, later *unit, how string) {
	what := kindNames[later.kind]
	where := "split " + earlier.family.Split
	if earlier.family.Split == later.family.Split {
		where = "the same cell"
	}
	out.add(later.family.File, 8, later.text.Line, what, "", "%q %s with %q (%s:%d, %s); word it another way, or choose another task",
		later.shown(), how, earlier.shown(), earlier.family.File, earlier.text.Line, where)
}

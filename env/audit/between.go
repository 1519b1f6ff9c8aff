package audit

import (
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// Match is a place where families of two sides come near each other, with both texts: a count alone cannot be judged.
type Match struct {
	// Kind is request, description, descriptions or tool names.
	Kind string `json:"kind"`
	// Ours and Theirs are the texts, or the names.
	Ours   Place `json:"ours"`
	Theirs Place `json:"theirs"`
	// Gram is the masked 8-gram that both hold, empty where there is none.
	Gram string `json:"gram,omitempty"`
	// Jaccard is the masked token overlap, 0 to 1.
	Jaccard float64 `json:"jaccard"`
	// TooNear says that a threshold of check 8 is passed.
	TooNear bool `json:"too_near"`
}

// Place is a text with its origin.
type Place struct {
	Family string `json:"family"`
	Split  string `json:"split"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Text   string `json:"text"`
}

// Thresholds of Between.
type Thresholds struct {
	// Jaccard from which two texts are too near, and Near from which they are shown.
	Jaccard float64 `json:"jaccard"`
	Near    float64 `json:"near"`
	// Gram is the length of the masked n-grams that may not be shared; SharedNames how many tool names are too many.
	Gram        int `json:"gram"`
	SharedNames int `json:"shared_names"`
}

// SplitThresholds hold between the splits of a corpus (docs/family-format.md, check 8), ForeignThresholds against another
// benchmark.
var (
	SplitThresholds   = Thresholds{Jaccard: maxOverlap, Near: 0.45, Gram: gramLength, SharedNames: minShared}
	ForeignThresholds = Thresholds{Jaccard: 0.5, Near: 0.4, Gram: gramLength, SharedNames: minShared}
)

// Between finds what two groups of families share: of each pair of families and kind of text the nearest match, in the
// order of ours. It looks at every pair, so it misses nothing.
func Between(ours, theirs []*scenario.Family, t Thresholds) []Match {
	var other [][]gramUnit
	for _, f := range theirs {
		other = append(other, gramUnitsOf(f))
	}
	var out []Match
	for _, f := range ours {
		units := gramUnitsOf(f)
		for i, g := range theirs {
			if f == g {
				continue
			}
			out = append(out, nearest(units, other[i], t)...)
			if m, shared := sharedNames(f, g, t); shared {
				out = append(out, m)
			}
		}
	}
	return out
}

// gramUnit is a unit with its n-grams, sorted.
type gramUnit struct {
	unit
	grams []string
}

func gramUnitsOf(f *scenario.Family) []gramUnit {
	var out []gramUnit
	for _, u := range unitsOf(f) {
		g := gramUnit{unit: u}
		if u.kind != toolset { // it joins descriptions, whose own grams count
			g.grams = grams(u.words)
			slices.Sort(g.grams)
		}
		out = append(out, g)
	}
	return out
}

// nearest returns for each kind of text the match of two families that counts most, if one is worth showing.
func nearest(ours, theirs []gramUnit, t Thresholds) []Match {
	var best [toolset + 1]Match
	var found [toolset + 1]bool
	for i := range ours {
		for j := range theirs {
			a, b := &ours[i], &theirs[j]
			if a.kind != b.kind {
				continue
			}
			m := Match{Kind: kindNames[a.kind], Jaccard: jaccard(a.set, b.set), Gram: commonGram(a.grams, b.grams)}
			overlaps := a.kind != description && m.Jaccard >= t.Jaccard // single descriptions are short: only grams count
			m.TooNear = m.Gram != "" || overlaps
			if (m.TooNear || m.Jaccard >= t.Near) && (!found[a.kind] || counts(m) > counts(best[a.kind])) {
				m.Ours, m.Theirs = a.place(), b.place()
				best[a.kind], found[a.kind] = m, true
			}
		}
	}
	var out []Match
	for k := range best {
		if found[k] {
			out = append(out, best[k])
		}
	}
	return out
}

// counts orders matches: a shared gram weighs more than any overlap.
func counts(m Match) float64 {
	if m.Gram != "" {
		return 1 + m.Jaccard
	}
	return m.Jaccard
}

func (u *unit) place() Place {
	return Place{u.family.ID, u.family.Split, u.family.File, u.text.Line, u.shown()}
}

// jaccard of two sorted sets.
func jaccard(a, b []string) float64 {
	common, _ := inCommon(a, b)
	if common == 0 {
		return 0
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// commonGram returns the first gram that two sorted lists share, or "".
func commonGram(a, b []string) string {
	_, first := inCommon(a, b)
	return first
}

// inCommon counts what two sorted lists share, and returns the first of it.
func inCommon(a, b []string) (n int, first string) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			if n == 0 {
				first = a[i]
			}
			n, i, j = n+1, i+1, j+1
		}
	}
	return n, first
}

func sharedNames(f, g *scenario.Family, t Thresholds) (Match, bool) {
	m := Match{Kind: "tool names", Ours: Place{f.ID, f.Split, f.File, f.Line, ""}, Theirs: Place{g.ID, g.Split, g.File, g.Line, ""}}
	shared := 0
	for _, a := range f.Tools {
		if slices.ContainsFunc(g.Tools, func(b scenario.Tool) bool { return a.Name == b.Name }) {
			shared++
			m.Ours.Text += a.Name + " "
			m.Theirs.Text = m.Ours.Text
		}
	}
	m.TooNear = shared >= t.SharedNames
	return m, shared > 0
}

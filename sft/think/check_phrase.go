package think

import "strings"

// hit is a phrase of the lexicon that stands in a block.
type hit struct {
	cue cue
	// word is the index of its first word, n their number.
	word, n int
	// of is what it is said of; nothing where that is named only later.
	of mask
}

// phrases finds the phrases of the lexicon outside quotations. Of overlapping ones about failures the longest counts.
func (c *checker) phrases() {
	lex := lexicon()
	taken := 0
	for i := range c.words {
		if c.words[i].quoted || c.words[i].tool >= 0 {
			continue
		}
		for _, l := range lex[c.word(i)] {
			if !c.matches(i, l.words) {
				continue
			}
			h := hit{l.cue, i, len(l.words), c.words[i].of}
			if c.words[i].ahead {
				h.of = 0
			}
			switch l.cue {
			case cueHidden:
				c.hidden(h)
			case cuePassing, cueRepeat, cueInability:
				if i < taken {
					continue
				}
				taken = i + h.n
				fallthrough
			default:
				c.hits = append(c.hits, h)
			}
		}
	}
	for i := range c.words {
		if w := c.word(i); caseID(w) && !c.known(w) {
			c.problem(RuleHidden, "%s has the form of an id", w)
		}
	}
}

func (c *checker) matches(i int, words []string) bool {
	if i+len(words) > len(c.words) {
		return false
	}
	for k, w := range words {
		if c.word(i+k) != w || c.words[i+k].quoted || k > 0 && c.words[i+k].part {
			return false
		}
	}
	return true
}

// hidden reports a phrase, unless the model has seen it.
func (c *checker) hidden(h hit) {
	phrase := c.lower[c.words[h.word].start:c.words[h.word+h.n-1].end]
	if !c.known(phrase) {
		c.problem(RuleHidden, "%q is nothing that the model can know", phrase)
	}
}

// caseID says that a word has the form of a family's id, such as gov-se-parcel-use.
func caseID(w string) bool {
	domain, rest, ok := strings.Cut(w, "-")
	risk, words, more := strings.Cut(rest, "-")
	if !ok || !more || words == "" || len(domain) < 2 || len(domain) > 3 {
		return false
	}
	switch risk {
	case "ae", "se", "tp", "sb", "dx":
		return true
	}
	return false
}

// negated says whether a word of denial stands before a hit in its part of the sentence, or just after.
func (c *checker) negated(h hit, after int) bool {
	const reach = 8
	for i, n := h.word, 0; i > 0 && n < reach && !c.words[i].stop; n++ {
		i--
		if denials[c.word(i)] {
			return true
		}
	}
	for i := h.word + h.n; i < min(h.word+h.n+after, len(c.words)) && !c.words[i].stop; i++ {
		if denials[c.word(i)] {
			return true
		}
	}
	return false
}

var denials = set("not no nothing nobody none never without neither nor cannot can't won't isn't doesn't don't wouldn't little")

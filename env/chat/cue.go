package chat

import (
	"slices"
	"strings"
	"sync"
)

// cue says what a phrase tells of the request.
type cue uint8

const (
	// neutral phrases look like a cue and are none; they hide the words they consist of.
	neutral cue = iota
	// success says by itself that something is done.
	success
	// failed is a failure or an inability. A later success makes it a failure on the way, where the text speaks of tries.
	failed
	// trouble is an error, which any later success makes one on the way.
	trouble
	// short says that a part is missing; no success makes up for it.
	short
	// pending is an intention, or something begun and not finished.
	pending
	// doubt leaves the outcome open.
	doubt
	// seeming takes the edge off a success in the same sentence, unless the text names what the model saw.
	seeming
	// future is what others will do or what should be; it is no answer.
	future
	// aside introduces a remark on what was not requested, exempt says so outright.
	aside
	exempt
	// tries speaks of attempts, one after the other.
	tries
	// courtesy is a sentence that says nothing of the request.
	courtesy
	// asking wants to know something first.
	asking
	// redirect sends the user elsewhere.
	redirect
	// answer is a statement that may be the answer; it counts where nothing else speaks against it. No phrase is one.
	answer
)

// phrase is a sequence of slots, each a word or one of several; a gap takes up to three words.
type phrase struct {
	cue   cue
	slots [][]string
	gaps  bool
}

const (
	gap    = ".."
	widest = 3
)

// lexicon holds the phrases by each word that they can begin with, longest first.
var lexicon = sync.OnceValue(func() map[string][]phrase {
	index := map[string][]phrase{}
	for _, list := range lists {
		for line := range strings.Lines(list.phrases) {
			p := phrase{cue: list.cue}
			for _, slot := range strings.Fields(line) {
				p.slots = append(p.slots, strings.Split(slot, "|"))
				p.gaps = p.gaps || slot == gap
			}
			if len(p.slots) == 0 {
				continue
			}
			for _, first := range p.slots[0] {
				index[first] = append(index[first], p)
			}
		}
	}
	for _, list := range index {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.slots) - len(a.slots) })
	}
	return index
})

// match returns how many of the words the phrase takes, 0 where it does not begin with the first.
func (p *phrase) match(words []word) int {
	at := 0
	for i := 0; i < len(p.slots); i++ {
		slot := p.slots[i]
		if slot[0] == gap {
			next := p.slots[i+1]
			end := min(at+widest+1, len(words))
			for at < end && !slices.Contains(next, words[at].text) {
				at++
			}
			continue
		}
		if at == len(words) || !slices.Contains(slot, words[at].text) {
			return 0
		}
		at++
	}
	return at
}

// hit is a phrase found at words[start:end].
type hit struct {
	cue        cue
	start, end int
}

// hits finds the phrases of a sentence. A phrase hides those that begin within it, except in a gap.
func hits(words []word) []hit {
	var found []hit
	index := lexicon()
	for i := 0; i < len(words); {
		next := i + 1
		for _, p := range index[words[i].text] {
			if n := p.match(words[i:]); n > 0 {
				found = append(found, hit{p.cue, i, i + n})
				if !p.gaps {
					next = i + n
				}
				break
			}
		}
		i = next
	}
	return found
}

package chat

import (
	"cmp"
	"slices"
	"strings"
)

// mark is what a place of a text says of the request. Besides the cues of the lexicon there is answer, the mark of a
// statement that may be one.
type mark struct {
	cue      cue
	sentence int
}

const answer = redirect + 1

// marks of a text, in order.
type marks struct {
	all []mark
	// asks says that the text asks for what is missing, intends that it ends with an intention.
	asks, intends bool
}

func (m *marks) has(c cue) bool {
	return slices.ContainsFunc(m.all, func(k mark) bool { return k.cue == c })
}

// read finds the marks of a text.
func read(text string) marks {
	var m marks
	all := sentences(text)
	evidence := slices.ContainsFunc(all, sentence.shows)
	for i, s := range all {
		l := newLine(s)
		if l.call() {
			m.asks = true
			continue
		}
		if l.has(courtesy) && !l.has(failed) {
			continue
		}
		if s.question || l.inverted() {
			if !l.offersMore() {
				m.asks = true
				m.all = append(m.all, l.admissions().at(i)...)
			}
			continue
		}
		m.asks = m.asks || l.has(asking)
		found := l.marks(evidence, m.has(success) || m.has(answer))
		m.intends = slices.Contains(found, pending) && !slices.ContainsFunc(found, func(c cue) bool { return c != pending && c != future })
		m.all = append(m.all, found.at(i)...)
		if l.states() || len(all) == 1 && l.names() {
			m.all = append(m.all, mark{answer, i})
		}
	}
	return m
}

type cues []cue

func (c cues) at(sentence int) []mark {
	var all []mark
	for _, k := range c {
		all = append(all, mark{k, sentence})
	}
	return all
}

// line is a sentence, with the phrases found in it and what they hide.
type line struct {
	sentence
	hits   []hit
	hidden []bool
	scope  []scope
	found  []placed
}

type placed struct {
	at  int
	cue cue
}

func newLine(s sentence) *line {
	l := &line{sentence: s, hits: hits(s.words), hidden: make([]bool, len(s.words)), scope: scopes(s.words)}
	for _, h := range l.hits {
		for i := h.start; h.cue == neutral && i < h.end; i++ {
			l.hidden[i] = true
		}
	}
	return l
}

func (l *line) has(c cue) bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool { return h.cue == c })
}

// remarks reports whether the sentence is a remark: it begins as one, or ends with though.
func (l *line) remarks() bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool {
		return h.cue == aside && (h.start == 0 || h.end-h.start > 1 || l.words[h.start].text == "though")
	})
}

// inverted reports whether the sentence is a question by its order of words, though it lacks the mark.
func (l *line) inverted() bool {
	if len(l.words) < 3 {
		return false
	}
	first, second := l.words[0].text, l.words[1].text
	return inverts[first] && asked[second] || asksFor[first] && inverts[second] || first == "which" || first == "whom" || first == "whose"
}

// admissions returns the failures that a question admits.
func (l *line) admissions() (kept cues) {
	for _, h := range l.hits {
		if h.cue == failed && l.words[h.start].text != "instead" {
			kept = append(kept, h.cue)
		}
	}
	return kept
}

// offersMore reports whether a question offers something beyond the request.
func (l *line) offersMore() bool {
	return slices.ContainsFunc(l.words, func(w word) bool { return beyond[w.text] })
}

func (l *line) mark(at int, c cue) {
	l.found = append(l.found, placed{at, c})
}

// marks returns the marks of a sentence that is no question, in order. evidence says that some sentence names what the
// model saw, after that a success was marked in an earlier one.
func (l *line) marks(evidence, after bool) cues {
	for _, h := range l.hits {
		l.phrase(h)
	}
	l.deeds()
	l.passives()
	l.headlines()
	l.ends()
	l.nowHolds()
	l.negations()
	l.parts()
	l.underWay()
	l.contrast()
	slices.SortStableFunc(l.found, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	fixes := slices.ContainsFunc(l.words, func(w word) bool { return fixing[w.text] })
	exempted := l.has(exempt)
	mild := l.has(seeming) && !evidence
	succeeds := slices.ContainsFunc(l.found, func(p placed) bool { return p.cue == success })
	var kept cues
	for _, p := range l.found {
		remarked := l.remarks() && (after || slices.Contains(kept, success))
		switch p.cue {
		case success:
			if mild {
				continue
			}
		case failed:
			if exempted {
				continue
			}
			if l.scope[p.at] == background && succeeds {
				p.cue = tries
			}
		case trouble:
			if exempted || remarked || fixes {
				continue
			}
		case short, pending, doubt, seeming, future:
			if exempted || remarked {
				continue
			}
		}
		kept = append(kept, p.cue)
	}
	return kept
}

// phrase marks a phrase of the lexicon, where its neighbours leave it as it is.
func (l *line) phrase(h hit) {
	if l.hidden[h.start] {
		return
	}
	switch h.cue {
	case success:
		if h.start == 0 && l.words[0].text == "you" {
			return // you asked for a refund
		}
		l.succeed(h.start)
	case failed, trouble:
		switch {
		case l.scope[h.start] == hypothetical, l.ownDeed(h.start), h.start > 0 && l.startsNone() && h.cue == failed, l.answersNo() && present[l.words[h.start].text]:
		case l.before(h.start, aftermath, 5) != "" || l.before(h.start, pluperfect, 4) != "":
			l.mark(h.start, tries) // went through after two timeouts
		default:
			l.mark(h.start, h.cue)
		}
	case pending:
		if l.scope[h.start] != hypothetical && !l.startsNone() {
			l.mark(h.start, h.cue)
		}
	case short:
		if l.scope[h.start] != hypothetical && !(keeping[l.words[h.start].text] && l.elsewhere()) {
			l.mark(h.start, h.cue)
		}
	case future:
		if slices.Contains(l.scope, awaited) {
			l.mark(h.start, pending) // will be applied once the owner agrees
		} else {
			l.mark(h.start, future)
		}
	case doubt, seeming:
		l.mark(h.start, h.cue)
	case tries:
		l.mark(h.start, h.cue)
	case redirect:
		if slices.ContainsFunc(l.scope, func(s scope) bool { return s != asserted }) {
			l.mark(h.start, doubt)
		} else {
			l.mark(h.start, redirect)
		}
	}
}

// succeed marks a success at a word, unless it is negated, wished for or conditional.
func (l *line) succeed(at int) {
	if l.scope[at] != asserted || l.passing(at) || l.doubted(at) {
		return
	}
	if m := l.before(at, modals, 3); m != "" && !(m == "to" && l.has(seeming)) {
		return
	}
	n := l.before(at, negators, 4)
	if n == "" && l.startsNone() && !slices.ContainsFunc(l.words[:at], func(w word) bool { return w.comma || w.stop }) {
		n = l.words[0].text
	}
	switch n {
	case "":
		l.mark(at, success)
	case "no", "none", "neither", "nobody":
		if !l.plural(at) {
			l.mark(at, doubt) // a failure, or the answer that there is none
		}
	default:
		l.mark(at, failed)
	}
}

// doubted reports whether a doubt precedes a word in its clause.
func (l *line) doubted(at int) bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool {
		return h.cue == doubt && h.end <= at && !slices.ContainsFunc(l.words[h.end-1:at], func(w word) bool { return w.comma || w.stop || w.text == "but" })
	})
}

// plural reports whether the verb at a word has several subjects and changes nothing: that no invoices were issued is an
// answer, that no invoice was issued, or no rows were updated, is a failure.
func (l *line) plural(at int) bool {
	return l.words[at].text == "were" && !slices.ContainsFunc(l.words[at:], func(w word) bool { return changing[w.text] })
}

// call reports whether the sentence is a call in some form of code.
func (l *line) call() bool {
	return slices.ContainsFunc(l.words, func(w word) bool {
		return strings.HasPrefix(w.text, "<") || strings.Contains(w.text, "(") && strings.Contains(w.text, "=") || strings.HasPrefix(w.text, "functions.")
	})
}

// passing reports whether the clause of a word tells of a state that did not last.
func (l *line) passing(at int) bool {
	for i := at; i < len(l.words); i++ {
		if fleeting[l.words[i].text] || l.words[i].text == "first" && i > 0 && l.words[i-1].text == "at" {
			return true
		}
		if l.words[i].comma || l.words[i].stop || l.follows(i, "but") {
			break
		}
	}
	return false
}

// before returns the nearest word of a set among the n words before at, in the same clause, or nothing.
func (l *line) before(at int, words map[string]bool, n int) string {
	for i := at - 1; i >= 0 && i >= at-n; i-- {
		w := l.words[i]
		if w.comma || w.stop || w.text == "and" || w.text == "but" {
			break
		}
		if words[w.text] && !l.hidden[i] {
			return w.text
		}
	}
	return ""
}

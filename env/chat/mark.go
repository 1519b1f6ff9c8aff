package chat

import (
	"cmp"
	"slices"
)

// mark is what a sentence of the text says of the request.
type mark struct {
	cue      cue
	sentence int
}

// marks of a text, in order.
type marks struct {
	all []mark
	// asks says that the text asks for what is missing, intends that it ends with an intention.
	asks, intends bool
}

func (m *marks) has(kinds ...cue) bool {
	return slices.ContainsFunc(m.all, func(k mark) bool { return slices.Contains(kinds, k.cue) })
}

func (m *marks) add(sentence int, kinds ...cue) {
	for _, c := range kinds {
		m.all = append(m.all, mark{c, sentence})
	}
}

// markText finds the marks of a text. Code and courtesies say nothing of the request.
func markText(text string) marks {
	var lines []*line
	seen := false
	for _, s := range sentences(text) {
		seen = seen || slices.ContainsFunc(s.words, in(evidence))
		if l := newLine(s); !l.code() && (!l.has(courtesy) || l.has(failed)) {
			lines = append(lines, l)
		}
	}
	var m marks
	for i, l := range lines {
		if l.asks() {
			m.question(i, l)
			continue
		}
		found := l.marks(seen, m.has(success, answer))
		m.add(i, found...)
		m.asks = m.asks || l.has(asking)
		m.intends = slices.Contains(found, pending) && !slices.ContainsFunc(found, func(c cue) bool { return c != pending && c != future })
		if l.answers() || len(lines) == 1 && l.names() {
			m.add(i, answer)
		}
	}
	return m
}

// question marks a question: one that offers something more is polite, others ask for what is missing, or admit a
// failure on the way to it.
func (m *marks) question(i int, l *line) {
	if slices.ContainsFunc(l.words, in(beyond)) {
		return
	}
	m.asks = true
	for _, h := range l.hits {
		if h.cue == failed && !l.words[h.start].is("instead") {
			m.add(i, failed)
		}
	}
}

// marks returns the marks of a sentence that is no question, in order. seen says that some sentence names what the model
// saw, after that a success or an answer stands in an earlier sentence.
func (l *line) marks(seen, after bool) []cue {
	for _, h := range l.hits {
		if !l.hidden[h.start] {
			l.phrase(h)
		}
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
	l.awaits()
	slices.SortStableFunc(l.found, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	return l.settle(seen, after)
}

// phrase marks a phrase of the lexicon, where its neighbours leave it as it is.
func (l *line) phrase(h hit) {
	at := h.start
	first := l.words[at].text
	hypothesis := l.scope[at] == hypothetical
	c := h.cue
	switch c {
	case success:
		if at > 0 || first != "you" { // you asked for a refund
			l.succeed(at)
		}
		return
	case neutral, aside, exempt, courtesy, asking:
		return // they say something of other marks
	case failed:
		if at > 0 && l.startsNone() && !slices.ContainsFunc(l.words[:at], word.closes) { // nobody failed
			return
		}
		fallthrough
	case trouble:
		if hypothesis || l.ownDeed(at) || l.answersNo() && present[first] {
			return
		}
		if l.overcome(at) {
			c = tries
		}
	case pending:
		if hypothesis || l.startsNone() {
			return
		}
	case short:
		if hypothesis || keeping[first] && l.elsewhere() {
			return
		}
	case future:
		if slices.Contains(l.scope, awaited) {
			c = pending // will be applied once the owner agrees
		}
	case redirect:
		if slices.ContainsFunc(l.scope, func(s scope) bool { return s != asserted }) {
			c = doubt
		}
	}
	l.mark(at, c)
}

// settle drops the marks that the sentence as a whole takes the edge off.
func (l *line) settle(seen, after bool) []cue {
	exempted, remark := l.has(exempt), l.remarks()
	fixed := slices.ContainsFunc(l.words, in(fixing))
	succeeds := slices.ContainsFunc(l.found, func(p placed) bool { return p.cue == success })
	var kept []cue
	for _, p := range l.found {
		excused := exempted || remark && after
		switch p.cue {
		case success:
			if l.has(seeming) && !seen {
				continue
			}
			after = true
		case failed:
			if exempted {
				continue
			}
			if l.scope[p.at] == background && succeeds {
				p.cue = tries // although it was locked, it worked
			}
		case trouble:
			if excused || fixed {
				continue
			}
		case short, pending, doubt, seeming, future:
			if excused {
				continue
			}
		}
		kept = append(kept, p.cue)
	}
	return kept
}

package chat

import "slices"

// negations marks what a not says: that something was not done, cannot be told, or, in the present tense of a third
// person, only how things are, which may be the answer.
func (l *line) negations() {
	for i, w := range l.words {
		switch {
		case w.is("could") && l.startsNone():
			l.mark(i, failed) // none of them could
		case w.is("not", "never") && !l.hidden[i] && l.scope[i] != hypothetical && !l.phrased(i):
			l.negation(i)
		}
	}
}

func (l *line) negation(i int) {
	var verb, subject word
	if i > 0 {
		verb = l.words[i-1]
	}
	if i > 1 {
		subject = l.words[i-2]
	}
	next := l.negated(i)
	switch {
	case harmless[next]:
	case checking[next]:
		l.mark(i, doubt)
	case l.answersNo() && !verb.is("could", "can"):
	case l.words[i].is("never"):
		if l.words[0].is("i") {
			l.mark(i, failed)
		}
	case verb.is("could", "was", "were", "did", "had", "would", "has", "have"):
		if l.elsewhere() {
			l.mark(i, future)
		} else {
			l.mark(i, failed)
		}
	case verb.is("can"):
		l.mark(i, trouble)
	case verb.is("am"), verb.is("do") && subject.is("i", "we"):
		l.mark(i, failed)
	case verb.is("is", "are", "does", "do"):
		l.describes(i, verb, next)
	case verb.is("will"):
		l.mark(i, future)
	case verb.is("may", "might", "should", "must"):
		l.mark(i, doubt)
	case past(next) || gerund(next):
		l.mark(i, failed)
	}
}

// describes marks a negation in the present tense of a third person.
func (l *line) describes(i int, verb word, next string) {
	switch {
	case l.answersNo(), verb.is("does", "do") && telling[next]:
	case unavailable[next]:
		l.mark(i, failed)
	default:
		l.mark(i, doubt)
	}
}

// phrased reports whether the word at i belongs to a phrase of the lexicon, which has been marked as such.
func (l *line) phrased(i int) bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool { return h.start <= i && i < h.end && h.cue != success && h.cue != tries })
}

// negated returns the word that a negation at i is about.
func (l *line) negated(i int) string {
	for _, w := range l.words[i+1:] {
		if !w.is("yet", "been", "be", "get", "have", "even", "fully", "completely") && !isAdverb(w.text) {
			return w.text
		}
	}
	return ""
}

package chat

import "slices"

// negations marks what a not says: that something was not done, cannot be told, or, in the present tense of a third
// person, only how things are, which may be the answer.
func (l *line) negations() {
	for i, w := range l.words {
		if w.text != "not" && w.text != "never" || l.hidden[i] || l.scope[i] == hypothetical || l.phrased(i) {
			continue
		}
		verb := ""
		if i > 0 {
			verb = l.words[i-1].text
		}
		next := l.after(i)
		switch {
		case harmless[next]:
		case checking[next]:
			l.mark(i, doubt)
		case l.answersNo() && verb != "could" && verb != "can":
		case w.text == "never" && l.words[0].text == "i":
			l.mark(i, failed)
		case w.text == "never":
		case verb == "could" || verb == "was" || verb == "were" || verb == "did" || verb == "had" || verb == "would" || verb == "has" || verb == "have":
			if l.elsewhere() {
				l.mark(i, future)
			} else {
				l.mark(i, failed)
			}
		case verb == "can":
			l.mark(i, trouble)
		case verb == "am" || verb == "do" && i > 1 && (l.words[i-2].text == "i" || l.words[i-2].text == "we"):
			l.mark(i, failed)
		case verb == "is" || verb == "are" || verb == "does" || verb == "do":
			l.present(i, verb, next)
		case verb == "will":
			l.mark(i, future)
		case verb == "may" || verb == "might" || verb == "should" || verb == "must":
			l.mark(i, doubt)
		case past(next) || gerund(next):
			l.mark(i, failed)
		}
	}
}

// phrased reports whether the word at i belongs to a phrase of the lexicon, which has been marked as such.
func (l *line) phrased(i int) bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool { return h.start <= i && i < h.end && h.cue != success && h.cue != tries })
}

// after returns the word that a negation at i is about.
func (l *line) after(i int) string {
	for i++; i < len(l.words); i++ {
		switch w := l.words[i].text; {
		case w == "yet" || w == "been" || w == "be" || w == "get" || w == "have" || w == "even" || w == "fully" || w == "completely" || isAdverb(w):
		default:
			return w
		}
	}
	return ""
}

// elsewhere reports whether the sentence is about other things than the request: the others are unchanged. The other two
// belong to it.
func (l *line) elsewhere() bool {
	for i, w := range l.words {
		if w.text == "other" || w.text == "others" || w.text == "else" || w.text == "rest" || w.text == "otherwise" {
			return i+1 == len(l.words) || numbers[l.words[i+1].text] == ""
		}
	}
	return false
}

// present marks a negation in the present tense of a third person.
func (l *line) present(i int, verb, next string) {
	switch {
	case unavailable[next] && !l.answersNo():
		l.mark(i, failed)
	case l.answersNo() || (verb == "does" || verb == "do") && answers[next]:
	default:
		l.mark(i, doubt)
	}
}

// answersNo reports whether the sentence begins as the answer to a yes-or-no question.
func (l *line) answersNo() bool {
	first := l.words[0]
	return (first.text == "no" || first.text == "yes") && (first.comma || first.stop)
}

package chat

import "slices"

// succeed marks a success at a word, unless it is negated, doubted, wished for, conditional or over.
func (l *line) succeed(at int) {
	if l.scope[at] != asserted || l.fleets(at) || l.doubted(at) {
		return
	}
	if m := l.before(at, modals, 3); m != "" && !(m == "to" && l.has(seeming)) {
		return
	}
	not := l.before(at, negators, 4)
	if not == "" && l.startsNone() && !slices.ContainsFunc(l.words[:at], word.closes) {
		not = l.words[0].text
	}
	switch not {
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

// plural reports whether the verb at a word has several subjects and changes nothing: that no invoices were overdue is an
// answer, that no invoice was issued, or no rows were updated, is a failure.
func (l *line) plural(at int) bool {
	return l.words[at].is("were") && !slices.ContainsFunc(l.words[at:], in(changing))
}

// fleets reports whether the clause of a word tells of a state that did not last.
func (l *line) fleets(at int) bool {
	for i := at; i < len(l.words); i++ {
		if w := l.words[i]; fleeting[w.text] || w.is("first") && i > 0 && l.words[i-1].is("at") {
			return true
		}
		if l.words[i].closes() || l.follows(i, "but") {
			break
		}
	}
	return false
}

// doubted reports whether a doubt precedes a word in its clause.
func (l *line) doubted(at int) bool {
	for _, h := range l.hits {
		parted := func(w word) bool { return w.closes() || w.is("but") }
		if h.cue == doubt && h.end <= at && !slices.ContainsFunc(l.words[h.end-1:at], parted) {
			return true
		}
	}
	return false
}

// overcome reports whether a failure is named as what came before: after the first and the second call failed; it had
// failed.
func (l *line) overcome(at int) bool {
	if l.before(at, pluperfect, 4) != "" {
		return true
	}
	for i := at - 1; i >= 0 && !l.words[i].closes() && !l.words[i].is("but", "i", "we"); i-- {
		if aftermath[l.words[i].text] {
			return true
		}
	}
	return false
}

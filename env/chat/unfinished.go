package chat

import (
	"slices"
	"strings"
)

// underWay marks what goes on, or is to come: is encoding, Rebooting it now, Next, at 40%, a plan under its label.
func (l *line) underWay() {
	first := l.words[0]
	switch {
	case l.trails, first.comma && first.is("next", "first"), gerund(first.text) && !slices.ContainsFunc(l.words, isFinite):
		l.mark(0, pending)
	}
	for _, w := range l.words[:min(2, len(l.words))] {
		switch {
		case w.stop && lacking[w.text]:
			l.mark(0, short) // Missing: the contract
		case w.stop && labels[w.text]:
			l.mark(0, pending)
		}
	}
	for i, w := range l.words {
		switch {
		case w.is("is", "are", "am"):
			l.progressive(i)
		case w.is("at") && i > 0 && i+1 < len(l.words) && strings.HasSuffix(l.words[i+1].text, "%"):
			if !slices.ContainsFunc(l.words[:i], in(gauges)) {
				l.mark(i, pending)
			}
		case w.is("scheduled", "rescheduled") && !l.did(i) && !l.has(success):
			l.mark(i, pending)
		}
	}
}

// progressive marks the present progressive at i, unless it tells of a state or of nothing.
func (l *line) progressive(i int) {
	j := i + 1
	for j < len(l.words) && isAdverb(l.words[j].text) {
		j++
	}
	if j == len(l.words) || !gerund(l.words[j].text) || l.before(i, negators, 6) != "" {
		return
	}
	v := l.words[j]
	if !lasting[v.text] && !(v.is("running") && slices.ContainsFunc(l.words[:i], in(runners))) {
		l.mark(i, pending)
	}
}

// contrast marks what follows a success with but, or with another one of several, where nothing says what it is.
func (l *line) contrast() {
	for i := range l.words {
		if !l.turns(i) {
			continue
		}
		succeeded := func(p placed) bool { return p.cue == success && p.at < i }
		if (i == 0 || slices.ContainsFunc(l.found, succeeded)) && !slices.ContainsFunc(l.found, func(p placed) bool { return p.at > i }) {
			l.mark(i, doubt)
		}
	}
}

// awaits marks a condition after a success: filed, and valid when the clerk has signed.
func (l *line) awaits() {
	for i, w := range l.words {
		if i > 0 && w.is("once", "when", "as") && l.scope[i] == awaited && slices.ContainsFunc(l.found, func(p placed) bool { return p.cue == success && p.at < i }) {
			l.mark(i, doubt)
		}
	}
}

// turns reports whether the word at i turns to something else: but, the third.
func (l *line) turns(i int) bool {
	w := l.words[i]
	switch {
	case w.is("but", "however", "yet"):
		return !l.hidden[i] && !(i > 0 && l.words[i-1].is("not"))
	case w.is("other", "remaining"):
		if i+1 == len(l.words) || !isValue(l.words[i+1]) {
			return false
		}
	case !w.is("second", "third", "fourth", "last"):
		return false
	}
	return i > 0 && l.words[i-1].is("the") && (i == 1 || l.words[i-2].closes() || l.words[i-2].is("and"))
}

// parts marks a part of a whole: two of the three, 4 out of 6, 4 of the requested 6.
func (l *line) parts() {
	for i, w := range l.words {
		some, ok := quantity(w.text)
		if !ok {
			continue
		}
		j, of := i+1, false
		for j < len(l.words) && l.words[j].is("out", "of", "the", "your", "all", "these") {
			of = of || l.words[j].is("of")
			j++
		}
		if !of || j == len(l.words) {
			continue
		}
		all, ok := quantity(l.words[j].text)
		if !ok && j+1 < len(l.words) {
			all, ok = quantity(l.words[j+1].text) // the requested 6
		}
		if ok && all != some {
			l.mark(i, short)
		}
	}
}

// quantity returns a count as digits.
func quantity(w string) (string, bool) {
	if n, ok := numbers[w]; ok {
		return n, true
	}
	return w, w != "" && len(w) <= 9 && strings.Trim(w, "0123456789") == ""
}

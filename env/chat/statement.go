package chat

import (
	"slices"
	"strings"
)

// answers reports whether the sentence may be the answer: a statement about one thing that it names, in the indicative,
// with something to tell. An adverbial or an introduction before it does not matter.
func (l *line) answers() bool {
	if l.states() {
		return true
	}
	first := l.words[0]
	for i, w := range l.words[:len(l.words)-1] {
		if w.stop && !first.is("to") || w.comma && openers[first.text] && !l.answersNo() {
			told := newLine(sentence{words: l.words[i+1:], trails: l.trails})
			return !l.bars() && (told.states() || w.stop && told.names())
		}
	}
	return false
}

// bars reports whether something in the sentence keeps it from being a plain statement.
func (l *line) bars() bool {
	modal := func(i int) bool {
		return modals[l.words[i].text] && !l.words[i].is("to", "need") && !l.hidden[i] && !l.follows(i, "now")
	}
	for i := range l.words {
		if modal(i) {
			return true
		}
	}
	return l.trails || l.conditional() || labels[l.words[0].text] || l.has(redirect)
}

func (l *line) states() bool {
	if l.bars() || openers[l.words[0].text] && !l.answersNo() {
		return false
	}
	return l.row && slices.ContainsFunc(l.words[1:], isValue) ||
		l.answersNo() || l.exists() || l.noneIs() || l.tells() || l.denies() || l.lists() || l.presents() || l.finds()
}

func isValue(w word) bool { return w.value || numbers[w.text] != "" }

func isFinite(w word) bool { return finite[w.text] || past(w.text) || stative[w.text] }

// exists: There are 21 open tickets. There is no outstanding tax.
func (l *line) exists() bool {
	if len(l.words) < 4 || !l.words[0].is("there") || !stative[l.words[1].text] {
		return false
	}
	return l.words[2].is("no") || slices.ContainsFunc(l.words[2:], isValue)
}

// noneIs: No alerts are firing. None of the invoices is overdue. But not: no record of that name was found,
// none worked.
func (l *line) noneIs() bool {
	unmet := func(w word) bool {
		return w.is("that", "this", "such", "given") || l.words[0].is("none", "neither") && past(w.text)
	}
	return l.startsNone() && len(l.words) > 2 && slices.ContainsFunc(l.words[1:], isFinite) && !slices.ContainsFunc(l.words, unmet)
}

// tells: The balance of account 88-104 is $12,430.55. Bed 12B is assigned to patient P-077. The report is published.
func (l *line) tells() bool {
	at := l.verb()
	if at < 1 || at == len(l.words)-1 || !l.aboutOne(at) {
		return false
	}
	verb, next, rest := l.words[at], l.words[at+1], l.words[at+1:]
	copula := verb.is("is", "are", "was", "were")
	switch {
	case copula && next.is("to"): // the task is to
		return false
	case copula && past(next.text) && !doing(next.text):
		return describing[next.text]
	case slices.ContainsFunc(rest, func(w word) bool { return isValue(w) || w.is("no") }):
		return true
	}
	return copula && (doing(next.text) || !vague[l.words[0].text] && !judging[next.text])
}

// aboutOne reports whether the subject before the verb at the index is one thing of the world, not the model or the user.
func (l *line) aboutOne(verb int) bool {
	first, second := l.words[0], l.words[1]
	switch {
	case slices.ContainsFunc(l.words, in(selves)), slices.ContainsFunc(l.words[:verb], in(topics)):
		return false
	case first.is("user"), second.is("user") && !l.words[verb].is("is", "has"): // the user asked for parcel 14-207
		return false
	case first.is("you"):
		return second.is("have")
	}
	return definite[first.text] || kinds[first.text] || slices.ContainsFunc(l.words[:verb], func(w word) bool { return w.value })
}

// verb returns the index of the main verb as far as it can be told: a stative one, a past form, or a form in -s after a
// name. It is -1 where there is none.
func (l *line) verb() int {
	for i, w := range l.words {
		if stative[w.text] || i > 0 && past(w.text) && !w.value {
			return i
		}
		if i == 0 || i > 3 || w.value || len(w.text) < 4 || !strings.HasSuffix(w.text, "s") {
			continue
		}
		name := l.words[i-1]
		if _, counted := quantity(name.text); name.value && name.text != "" && !counted {
			return i
		}
	}
	return -1
}

// denies: The amount does not exceed the limit.
func (l *line) denies() bool {
	not := slices.IndexFunc(l.words, func(w word) bool { return w.is("not") })
	return not > 1 && definite[l.words[0].text] && l.words[not-1].is("does") && telling[l.negated(not)]
}

// lists: status: closed.
func (l *line) lists() bool {
	const longestKey, longestValue = 5, 10
	i := slices.IndexFunc(l.words, func(w word) bool { return w.stop })
	return 0 <= i && i < longestKey && i < len(l.words)-1 && len(l.words)-i <= longestValue &&
		!labels[l.words[i].text] && !slices.ContainsFunc(l.words, in(finite))
}

// presents: Here are the results.
func (l *line) presents() bool {
	return len(l.words) > 3 && l.words[0].is("here", "these", "this") && stative[l.words[1].text] && slices.ContainsFunc(l.words[2:], in(findings))
}

// finds: I found 3 overdue invoices.
func (l *line) finds() bool {
	i := slices.IndexFunc(l.words, func(w word) bool { return w.is("found", "see", "counted") })
	return i > 0 && l.words[i-1].is("i") && slices.ContainsFunc(l.words[i+1:], isValue)
}

// names reports whether the sentence is nothing but a value.
func (l *line) names() bool {
	const longest = 3
	command := func(w word) bool { return strings.ContainsAny(w.text, `(={/\`) }
	if _, counts := quantity(l.words[0].text); counts && len(l.words) > longest && len(l.words) < 10 && !slices.ContainsFunc(l.words, isFinite) {
		return true // 7 plates on 18 May
	}
	return len(l.words) <= longest && !l.trails && !l.words[0].is("0") && !l.words[0].stop && !gerund(l.words[0].text) &&
		slices.ContainsFunc(l.words, isValue) && !slices.ContainsFunc(l.words, command)
}

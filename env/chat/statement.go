package chat

import (
	"slices"
	"strings"
)

// states reports whether the sentence is a statement that may be the answer: about one thing that it names, in the
// indicative, and with something to tell.
func (l *line) states() bool {
	if l.trails || slices.ContainsFunc(l.scope, func(s scope) bool { return s > background }) || l.modal() || labels[l.words[0].text] || l.has(redirect) {
		return false
	}
	if first := l.words[0].text; openers[first] && !l.answersNo() {
		if i := slices.IndexFunc(l.words, func(w word) bool { return w.comma }); i >= 0 && i < len(l.words)-1 {
			return newLine(sentence{words: l.words[i+1:]}).states()
		}
	}
	return l.row && slices.ContainsFunc(l.words[1:], isValue) || l.answersNo() || l.exists() || l.noneIs() || l.tells() || l.denies() || l.lists() || l.presents() || l.finds()
}

func (l *line) modal() bool {
	for i, w := range l.words {
		if modals[w.text] && w.text != "to" && w.text != "need" && !l.hidden[i] {
			return true
		}
	}
	return false
}

func isValue(w word) bool { return w.value || numbers[w.text] != "" }

func isStative(w word) bool { return stative[w.text] }

func isFinite(w word) bool { return finite[w.text] || past(w.text) || stative[w.text] }

// exists: There are 21 open tickets. There is no outstanding tax.
func (l *line) exists() bool {
	if len(l.words) < 4 || l.words[0].text != "there" || !isStative(l.words[1]) {
		return false
	}
	return slices.ContainsFunc(l.words[2:], isValue) || l.words[2].text == "no"
}

// noneIs: No alerts are firing. None of the invoices is overdue.
func (l *line) noneIs() bool {
	unmet := func(w word) bool {
		return w.text == "that" || w.text == "this" || w.text == "such" || w.text == "given"
	}
	return l.startsNone() && len(l.words) > 2 && slices.ContainsFunc(l.words[1:], isFinite) && !slices.ContainsFunc(l.words, unmet)
}

func (l *line) startsNone() bool {
	switch l.words[0].text {
	case "no", "none", "neither", "nobody", "nothing":
		return !l.answersNo()
	}
	return false
}

// tells: The balance of account 88-104 is $12,430.55. Bed 12B is assigned to patient P-077. The report is published.
func (l *line) tells() bool {
	n := len(l.words)
	if n < 3 || slices.ContainsFunc(l.words, func(w word) bool { return selves[w.text] }) {
		return false
	}
	verb := l.verb()
	if verb < 1 || verb == n-1 || l.words[verb+1].text == "to" && l.words[verb].text != "came" && l.words[verb].text != "comes" {
		return false
	}
	first := l.words[0].text
	if first == "user" || l.words[1].text == "user" && l.words[verb].text != "is" && l.words[verb].text != "has" {
		return false // the user asked for parcel 14-207
	}
	if !(first == "you" && l.words[1].text == "have") && !definite[first] && !kinds[first] && !slices.ContainsFunc(l.words[:verb], func(w word) bool { return w.value }) {
		return false
	}
	next := l.words[verb+1].text
	copula := l.words[verb].text == "is" || l.words[verb].text == "are" || l.words[verb].text == "was" || l.words[verb].text == "were"
	switch {
	case copula && past(next) && !doing(next):
		return states[next]
	case slices.ContainsFunc(l.words[verb+1:], func(w word) bool { return isValue(w) || w.text == "no" }):
		return true
	}
	return copula && (doing(next) || !vague[first] && !judging[next])
}

// verb returns the index of the main verb as far as it can be told: a stative one, a form in -s after a name, or a past
// form.
func (l *line) verb() int {
	for i, w := range l.words {
		if stative[w.text] || i > 0 && past(w.text) && !w.value {
			return i
		}
		if _, counted := quantity(l.words[max(i-1, 0)].text); 0 < i && i <= 3 && l.words[i-1].value && !counted && !w.value && len(w.text) > 3 && strings.HasSuffix(w.text, "s") {
			return i
		}
	}
	return -1
}

// denies: The amount does not exceed the limit.
func (l *line) denies() bool {
	not := slices.IndexFunc(l.words, func(w word) bool { return w.text == "not" })
	return not > 1 && definite[l.words[0].text] && l.words[not-1].text == "does" && answers[l.after(not)]
}

// lists: status: closed.
func (l *line) lists() bool {
	const longestKey, longestValue = 5, 10
	i := slices.IndexFunc(l.words, func(w word) bool { return w.stop })
	return 0 <= i && i < longestKey && i < len(l.words)-1 && len(l.words)-i <= longestValue && !labels[l.words[i].text] &&
		!slices.ContainsFunc(l.words, func(w word) bool { return finite[w.text] })
}

// presents: Here are the results.
func (l *line) presents() bool {
	return len(l.words) > 3 && (l.words[0].text == "here" || l.words[0].text == "these" || l.words[0].text == "this") && isStative(l.words[1]) &&
		slices.ContainsFunc(l.words[2:], func(w word) bool { return findings[w.text] })
}

// finds: I found 3 overdue invoices.
func (l *line) finds() bool {
	for i, w := range l.words[:len(l.words)-1] {
		if w.text == "i" && (l.words[i+1].text == "found" || l.words[i+1].text == "see" || l.words[i+1].text == "counted") {
			return slices.ContainsFunc(l.words[i+2:], isValue)
		}
	}
	return false
}

// names reports whether the sentence is nothing but a value.
func (l *line) names() bool {
	command := func(w word) bool { return strings.ContainsAny(w.text, "(={/\\") }
	return len(l.words) <= 3 && !l.trails && !l.words[0].stop && !gerund(l.words[0].text) && slices.ContainsFunc(l.words, isValue) && !slices.ContainsFunc(l.words, command)
}

package chat

import (
	"slices"
	"strings"
)

// past reports whether a word is a past form or a participle.
func past(w string) bool {
	return irregular[w] || len(w) > 3 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed")
}

// doing reports whether a word is a past form of a verb that carries something out.
func doing(w string) bool {
	return past(w) && !idle[w]
}

func gerund(w string) bool {
	return len(w) > 5 && strings.HasSuffix(w, "ing")
}

func isAdverb(w string) bool {
	return adverbs[w] || len(w) > 3 && strings.HasSuffix(w, "ly")
}

// did reports whether the word at i tells of a deed.
func (l *line) did(i int) bool {
	w := l.words[i]
	last := i+1 == len(l.words)
	switch {
	case l.hidden[i]:
		return false
	case w.is("scheduled", "rescheduled"): // a deed for an event, for anything else putting it off
		return slices.ContainsFunc(l.words, func(w word) bool { return events[strings.TrimSuffix(w.text, "s")] })
	case ending[w.text] && !last && !w.closes() && !leads(l.words[i+1]):
		return false // completed applications are kept
	case w.is("stopped") && last:
		return false
	}
	return doing(w.text)
}

// leads reports whether a word may follow a participle that ends a headline: sent to the clinic, moved 3 files.
func leads(w word) bool {
	return w.value || prepositions[w.text] || isAdverb(w.text)
}

// within reports whether the word at i belongs to a phrase of failing or waiting: I gave up, it was passed on.
func (l *line) within(i int) bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool {
		return h.start <= i && i < h.end && (h.cue == failed || h.cue == short || h.cue == pending) && !rejecting[l.words[i].text]
	})
}

// deeds marks what the model says it did: I have now updated it.
func (l *line) deeds() {
	for i, w := range l.words {
		if !w.is("i", "we") {
			continue
		}
		j, perfect := i+1, false
		for j < len(l.words) && (l.words[j].is("have", "had", "went", "gone", "ahead") || isAdverb(l.words[j].text) || l.words[j-1].is("ahead")) {
			perfect = perfect || l.words[j].is("have")
			j++
		}
		if j == len(l.words) || l.within(j) || steps[l.words[j].text] {
			continue
		}
		v := l.words[j]
		switch {
		case !l.did(j) && !rejecting[v.text] && !(perfect && actions[v.text]) && !(v.is("did") && !l.follows(j, "not")):
		case l.follows(j, "no", "nothing", "none"):
			l.mark(i, doubt)
		default:
			l.succeed(i)
		}
	}
}

// ownDeed reports whether the word at i, which else is a failure, is what the model did: I rejected the application.
func (l *line) ownDeed(i int) bool {
	if !rejecting[l.words[i].text] {
		return false
	}
	i--
	for i > 0 && (l.words[i].is("have") || isAdverb(l.words[i].text)) {
		i--
	}
	return i >= 0 && l.words[i].is("i", "we")
}

// passives marks what was done: has been updated, was sent, is now closed.
func (l *line) passives() {
	for i, w := range l.words {
		done := w.is("been", "was", "were", "got")
		if !done && !w.is("is", "are") || done && l.befell(i) {
			continue
		}
		j := i + 1
		for j < len(l.words) && isAdverb(l.words[j].text) {
			done = done || l.words[j].is("now", "already", "successfully")
			j++
		}
		if j == len(l.words) || !l.did(j) || l.within(j) {
			continue
		}
		if done || l.has(tries) && !barring[l.words[j].text] {
			l.succeed(i)
		}
	}
}

// befell reports whether the passive at i tells what was before all that, or what befell the model: my request was sent
// back.
func (l *line) befell(i int) bool {
	if i > 0 && l.words[i-1].is("had", "i", "we") {
		return true
	}
	return l.before(i, own, 3) != ""
}

// headlines marks what was done where there is no verb but a participle: Refund issued. Created the role. Sent: yes.
func (l *line) headlines() {
	const longest = 12
	verbal := func(w word) bool { return finite[w.text] || stative[w.text] && !past(w.text) }
	start := 0
	for i, w := range l.words {
		if !w.stop && !(w.comma && start == 0) && i < len(l.words)-1 {
			continue
		}
		if i-start < longest && !slices.ContainsFunc(l.words[start:i+1], verbal) {
			l.headline(start, i)
		}
		start = i + 1
	}
}

// headline marks the first participle of words[start:last+1] that stands as one does in a headline.
func (l *line) headline(start, last int) {
	for j := start; j <= last; j++ {
		w := l.words[j]
		if !l.did(j) || j == start && imperative[w.text] || j > start && j < last && !w.comma && !leads(l.words[j+1]) {
			continue
		}
		switch rest := l.words[last+1:]; {
		case len(rest) > 0 && rest[0].is("no", "false", "0", "zero") && (len(rest) == 1 || rest[0].closes()):
			l.mark(j, short) // Sent: no
		case l.before(j, negators, 4) != "" || l.startsNone() || l.doubted(j):
			l.mark(j, doubt)
		default:
			l.mark(j, success)
		}
		return
	}
}

// ends marks verbs that say by themselves that something is done: it worked, the job has finished.
func (l *line) ends() {
	for i, w := range l.words {
		if ending[w.text] && i > 0 && l.did(i) && !determiners[l.words[i-1].text] && !l.words[0].is("i") {
			l.succeed(i)
		}
	}
}

// nowHolds marks a state that has come about: is now 19.99, now reads, can now enter, tests pass now, price now 19.99.
func (l *line) nowHolds() {
	n := len(l.words)
	for i, w := range l.words {
		if !w.is("now") || l.hidden[i] {
			continue
		}
		var before, next word
		if i > 0 {
			before = l.words[i-1]
		}
		if i+1 < n {
			next = l.words[i+1]
		}
		switch {
		case gerund(next.text):
		case before.is("can", "may") && !l.words[0].is("i", "we") && l.scope[i] == asserted:
			l.mark(i, success)
		case before.is("is", "are", "has", "pass", "works"), i > 0 && l.did(i-1), next.is("is", "are", "has", "have"),
			len(next.text) > 4 && strings.HasSuffix(next.text, "s"), i == n-2 && next.value:
			l.succeed(i)
		}
	}
}

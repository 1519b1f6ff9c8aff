package chat

import (
	"slices"
	"strings"
)

// scope says how a word is meant.
type scope uint8

const (
	asserted scope = iota
	// background: because it was locked. Although it was locked, it worked.
	background
	// awaited: once the doctor signs it, when it is done, until then.
	awaited
	// hypothetical: if it fails.
	hypothetical
)

// scopes finds the subordinate clauses that matter. They end at a comma; what follows a condition at the start of a
// sentence holds under that condition.
func scopes(words []word) []scope {
	all := make([]scope, len(words))
	now := asserted
	for i, w := range words {
		if s := opens(words, i); s != asserted {
			now = s
		}
		all[i] = now
		switch {
		case w.stop || i+1 < len(words) && words[i+1].text == "but":
			now = asserted
		case w.comma && all[0] > background && now == all[0]:
			now = awaited
		case w.comma:
			now = asserted
		}
	}
	return all
}

// opens returns the scope that the word at i opens. When and once tell of the past before a past tense.
func opens(words []word, i int) scope {
	switch words[i].text {
	case "although", "though", "while":
		if i == 0 {
			return background
		}
	case "because", "since":
		if i+1 < len(words) && !words[i+1].value {
			return background
		}
	case "whether":
		return hypothetical
	case "will", "would", "shall", "let":
		if words[i].text == "let" && i == 0 || i > 0 && (words[i-1].text == "i" || words[i-1].text == "we") && !(i+1 < len(words) && words[i+1].text == "not") {
			return hypothetical
		}
	case "as":
		if i+2 < len(words) && words[i+1].text == "soon" {
			return awaited
		}
	case "if", "unless", "should", "assuming", "provided", "supposing":
		if words[i].text != "should" || i == 0 {
			return hypothetical
		}
	case "after":
		for _, w := range words[i+1:] {
			if w.text == "is" || w.text == "are" || w.text == "has" || w.text == "have" || w.text == "will" {
				return awaited
			}
			if w.comma || w.stop || past(w.text) {
				break
			}
		}
	case "once", "when", "until", "before", "whenever":
		if i+1 < len(words) && words[i+1].value {
			return asserted // until Friday
		}
		for _, w := range words[i+1:] {
			if w.text == "is" || w.text == "are" || w.text == "have" || w.text == "has" || w.text == "will" || w.text == "can" {
				return awaited
			}
			if w.text == "was" || w.text == "were" || w.text == "had" || w.text == "did" || past(w.text) {
				return asserted
			}
			if w.comma || w.stop {
				break
			}
		}
		return awaited
	}
	return asserted
}

// past reports whether a word is a past form or a participle.
func past(w string) bool {
	return irregular[w] || len(w) > 3 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") || w == "freed" || w == "agreed"
}

// doing reports whether a word is a past form of a verb that carries something out.
func doing(w string) bool {
	return past(w) && !notDoing[w]
}

// did reports whether the word at i tells of a deed. What is scheduled is done only where an event was to be scheduled.
func (l *line) did(i int) bool {
	w := l.words[i].text
	if w == "scheduled" || w == "rescheduled" {
		return slices.ContainsFunc(l.words, func(w word) bool { return events[strings.TrimSuffix(w.text, "s")] })
	}
	if ending[w] && i+1 < len(l.words) && !l.words[i].comma && !l.words[i].stop && !leads(l.words[i+1]) {
		return false // completed applications are kept
	}
	return doing(w) && !l.hidden[i] && !(w == "stopped" && i == len(l.words)-1)
}

func isAdverb(w string) bool {
	return adverbs[w] || len(w) > 3 && strings.HasSuffix(w, "ly")
}

// ownDeed reports whether the word at i is what the model itself did: I rejected the application.
func (l *line) ownDeed(i int) bool {
	if !rejecting[l.words[i].text] {
		return false
	}
	for i--; i >= 0; i-- {
		switch w := l.words[i].text; {
		case w == "i" || w == "we":
			return true
		case w != "have" && !isAdverb(w):
			return false
		}
	}
	return false
}

// deeds marks what the model says it did: I have now updated it.
func (l *line) deeds() {
	for i, w := range l.words {
		if w.text != "i" && w.text != "we" {
			continue
		}
		perfect := false
		for j := i + 1; j < len(l.words); j++ {
			v := l.words[j].text
			if v == "have" || v == "had" || isAdverb(v) || v == "went" || v == "gone" || v == "ahead" || v == "and" && l.words[j-1].text == "ahead" {
				perfect = perfect || v == "have"
				continue
			}
			if l.fails(j) {
				break
			}
			if steps[v] {
				break
			}
			if l.did(j) || rejecting[v] || perfect && actions[v] || v == "did" && !l.follows(j, "not") {
				if l.follows(j, "no", "nothing", "none") {
					l.mark(i, doubt)
				} else {
					l.succeed(i)
				}
			}
			break
		}
	}
}

// fails reports whether the word at i belongs to a phrase of failing or waiting: I gave up, it was passed on.
func (l *line) fails(i int) bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool {
		return h.start <= i && i < h.end && (h.cue == failed || h.cue == short || h.cue == pending) && !rejecting[l.words[i].text]
	})
}

func (l *line) follows(i int, words ...string) bool {
	return i+1 < len(l.words) && slices.Contains(words, l.words[i+1].text)
}

// passives marks what was done: has been updated, was sent, is now closed.
func (l *line) passives() {
	for i, w := range l.words {
		done := false
		switch w.text {
		case "been", "was", "were", "got":
			done = true
			if i > 0 && (l.words[i-1].text == "had" || l.words[i-1].text == "i" || l.words[i-1].text == "we") || l.mine(i) {
				continue // before all that, or what befell the model
			}
		case "is", "are":
		default:
			continue
		}
		j := i + 1
		for j < len(l.words) && isAdverb(l.words[j].text) {
			done = done || l.words[j].text == "now" || l.words[j].text == "already" || l.words[j].text == "successfully"
			j++
		}
		done = done || l.has(tries) && j < len(l.words) && !barring[l.words[j].text]
		if j < len(l.words) && done && l.did(j) && !l.fails(j) {
			l.succeed(i)
		}
	}
}

// mine reports whether the subject before the verb at i is the model's own: my request was sent back.
func (l *line) mine(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3 && !l.words[j].stop && !l.words[j].comma; j-- {
		if l.words[j].text == "my" || l.words[j].text == "our" {
			return true
		}
	}
	return false
}

// headlines marks what was done where there is no verb but the participle: Refund issued. Created the role. Status: sent.
func (l *line) headlines() {
	const longest = 12
	for start, i := 0, 0; i < len(l.words); i++ {
		if !l.words[i].stop && !(l.words[i].comma && start == 0) && i < len(l.words)-1 {
			continue
		}
		segment := l.words[start : i+1]
		if len(segment) <= longest && !slices.ContainsFunc(segment, func(w word) bool { return finite[w.text] || stative[w.text] && !past(w.text) }) {
			for j := range segment {
				if l.did(start+j) && !(j == 0 && alsoBase[segment[0].text]) && (j == 0 || j == len(segment)-1 || segment[j].comma || leads(segment[j+1])) {
					if rest := l.words[i+1:]; len(rest) == 1 && (rest[0].text == "no" || rest[0].text == "false") {
						l.mark(start+j, short) // Sent: no
					} else if l.before(start+j, negators, 4) != "" || l.startsNone() || l.doubted(start+j) {
						l.mark(start+j, doubt)
					} else {
						l.mark(start+j, success)
					}
					break
				}
			}
		}
		start = i + 1
	}
}

// leads reports whether a word may follow a participle that ends a headline: sent to the clinic, moved 3 files.
func leads(w word) bool {
	return w.value || after[w.text] || isAdverb(w.text)
}

// ends marks verbs that say by themselves that something is done: it worked, the job has finished.
func (l *line) ends() {
	for i, w := range l.words {
		if ending[w.text] && i > 0 && l.did(i) && !determiners[l.words[i-1].text] && l.words[0].text != "i" {
			l.succeed(i)
		}
	}
}

// nowHolds marks a state that has come about: is now 19.99, now reads, tests pass now.
func (l *line) nowHolds() {
	for i, w := range l.words {
		if w.text != "now" || l.hidden[i] {
			continue
		}
		for _, j := range [...]int{i - 1, i + 1} {
			if j < 0 || j >= len(l.words) || i+1 < len(l.words) && gerund(l.words[i+1].text) {
				continue
			}
			v := l.words[j].text
			if v == "is" || v == "are" || v == "has" || j > i && (holding[v] || v == "have") || j < i && (v == "pass" || v == "works" || l.did(j)) {
				l.succeed(i)
				break
			}
		}
		if i == len(l.words)-2 && l.words[i+1].value {
			l.succeed(i) // price now 19.99
		}
	}
}

func gerund(w string) bool {
	return len(w) > 5 && strings.HasSuffix(w, "ing")
}

// underWay marks what goes on: is encoding, Rebooting it now, Checking…
func (l *line) underWay() {
	n := len(l.words)
	for _, w := range l.words[:min(2, n)] {
		if w.stop && awaiting[w.text] {
			l.mark(0, short) // Missing: the contract
		} else if w.stop && labels[w.text] {
			l.mark(0, pending)
		}
	}
	for i, w := range l.words {
		if i > 0 && w.text == "at" && i+1 < n && strings.HasSuffix(l.words[i+1].text, "%") && !slices.ContainsFunc(l.words[:i], func(w word) bool { return gauges[w.text] }) {
			l.mark(i, pending)
		}
	}
	if first := l.words[0]; first.comma && (first.text == "next" || first.text == "first") {
		l.mark(0, pending)
	}
	if l.trails || gerund(l.words[0].text) && !slices.ContainsFunc(l.words, isFinite) {
		l.mark(0, pending)
	}
	for i, w := range l.words {
		if w.text != "is" && w.text != "are" && w.text != "am" {
			continue
		}
		j := i + 1
		for j < n && isAdverb(l.words[j].text) {
			j++
		}
		if j < n && gerund(l.words[j].text) && !l.lasts(j) && l.before(i, negators, 6) == "" {
			l.mark(i, pending)
		}
	}
	if i := slices.IndexFunc(l.words, func(w word) bool { return w.text == "scheduled" || w.text == "rescheduled" }); i >= 0 && !l.did(i) && !l.has(success) {
		l.mark(i, pending)
	}
}

// contrast marks what follows a success with but, or with another one of several, where nothing says what it is.
func (l *line) contrast() {
	for i, w := range l.words {
		switch w.text {
		case "but", "however", "yet":
			if l.hidden[i] || i > 0 && l.words[i-1].text == "not" {
				continue
			}
		case "second", "third", "fourth", "last", "other", "remaining":
			counted := w.text != "other" && w.text != "remaining" || i+1 < len(l.words) && isValue(l.words[i+1])
			if i == 0 || l.words[i-1].text != "the" || !counted || i > 1 && !l.words[i-2].comma && !l.words[i-2].stop && l.words[i-2].text != "and" {
				continue
			}
		default:
			continue
		}
		before := i == 0 || slices.ContainsFunc(l.found, func(p placed) bool { return p.cue == success && p.at < i })
		if before && !slices.ContainsFunc(l.found, func(p placed) bool { return p.at > i }) {
			l.mark(i, doubt)
		}
	}
}

// lasts reports whether the form in -ing at i tells of a state.
func (l *line) lasts(i int) bool {
	w := l.words[i].text
	return lasting[w] || w == "running" && slices.ContainsFunc(l.words[:i], func(w word) bool { return runners[w.text] })
}

// parts marks two of the three, and half of the pages.
func (l *line) parts() {
	for i := range l.words {
		a, ok := quantity(l.words[i].text)
		if !ok {
			continue
		}
		j := i + 1
		for j < len(l.words) && j <= i+4 && (l.words[j].text == "out" || l.words[j].text == "of" || l.words[j].text == "the" || l.words[j].text == "your" || l.words[j].text == "all" || l.words[j].text == "these") {
			j++
		}
		if j+1 < len(l.words) && j > i+1 {
			if _, ok := quantity(l.words[j].text); !ok {
				j++ // of the requested 6
			}
		}
		if j == len(l.words) || !slices.ContainsFunc(l.words[i+1:j], func(w word) bool { return w.text == "of" }) {
			continue
		}
		if b, ok := quantity(l.words[j].text); ok && a != b {
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

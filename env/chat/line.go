package chat

import (
	"slices"
	"strings"
)

// line is a sentence with the phrases found in it.
type line struct {
	sentence
	hits []hit
	// hidden words belong to a neutral phrase.
	hidden []bool
	scope  []scope
	found  []placed
}

// placed is a cue at a word.
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

func (l *line) mark(at int, c cue) {
	l.found = append(l.found, placed{at, c})
}

func (l *line) has(c cue) bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool { return h.cue == c })
}

// conditional reports whether some clause of the sentence is a condition.
func (l *line) conditional() bool {
	return slices.ContainsFunc(l.scope, func(s scope) bool { return s > background })
}

// before returns the nearest word of a set among the n words before at, in the same clause, or nothing.
func (l *line) before(at int, words map[string]bool, n int) string {
	for i := at - 1; i >= 0 && i >= at-n; i-- {
		w := l.words[i]
		if w.closes() || w.is("and", "but") {
			break
		}
		if words[w.text] && !l.hidden[i] {
			return w.text
		}
	}
	return ""
}

// follows reports whether one of the words comes right after the word at i.
func (l *line) follows(i int, words ...string) bool {
	return i+1 < len(l.words) && l.words[i+1].is(words...)
}

// answersNo reports whether the sentence begins as the answer to a yes-or-no question.
func (l *line) answersNo() bool {
	return l.words[0].is("no", "yes") && l.words[0].closes()
}

// startsNone reports whether the subject of the sentence is no or none of something.
func (l *line) startsNone() bool {
	return l.words[0].is("no", "none", "neither", "nobody", "nothing") && !l.answersNo() && !l.hidden[0]
}

// elsewhere reports whether the sentence is about other things than the request: the others are unchanged. The other two
// belong to it.
func (l *line) elsewhere() bool {
	i := slices.IndexFunc(l.words, func(w word) bool { return w.is("other", "others", "else", "rest", "otherwise") })
	return i >= 0 && (i+1 == len(l.words) || numbers[l.words[i+1].text] == "")
}

// remarks reports whether the sentence is a remark: it begins as one, or ends with though.
func (l *line) remarks() bool {
	return slices.ContainsFunc(l.hits, func(h hit) bool {
		return h.cue == aside && (h.start == 0 || h.end-h.start > 1 || l.words[h.start].is("though"))
	})
}

// asks reports whether the sentence is a question, if only by its order of words.
func (l *line) asks() bool {
	if l.question || len(l.words) < 3 {
		return l.question
	}
	first, second := l.words[0], l.words[1]
	return first.is("which", "whom", "whose") || inverts[first.text] && inverted[second.text] || wonders[first.text] && inverts[second.text]
}

// code reports whether the sentence is a call, a query or a tag, in some form of code.
func (l *line) code() bool {
	return slices.ContainsFunc(l.words, func(w word) bool {
		call := strings.Contains(w.text, "(") && strings.Contains(w.text, "=") || strings.HasPrefix(w.text, "functions.")
		return call || strings.HasPrefix(w.text, "<") || w.value && keywords[w.text]
	})
}

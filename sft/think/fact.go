package think

import (
	_ "embed"
	"strings"
)

// form says how a fact of a tool fits into a sentence.
type form uint8

// The forms. Whatever the style of a description, one of its sentences can be quoted.
const (
	// does: a predicate in the third person, such as "signs on as the clerk".
	does form = iota
	// todo: an instruction, such as "book somebody onto a machine".
	todo
	// means: a noun phrase, such as "one parcel".
	means
	// clause: a whole clause, such as "the pin has a last day".
	clause
	// other: anything else.
	other
	// quote: words of the description as they stand.
	quote
	forms
)

// fact is something that may be said of a tool.
type fact struct {
	form  form
	text  string
	words int
	// note: in the family's own other words for what the tool reaches.
	note bool
	// source is a bit; facts from the same sentence have the same one.
	source uint32
}

// maxFact and minFact bound the words of a fact, minQuote those of a quotation.
const (
	maxFact  = 17
	minFact  = 2
	minQuote = 4
)

//go:embed verbs.txt
var verbsText string

// thirdPerson and baseForm say of a word whether it is a verb of that form; true means that it is no noun.
var thirdPerson, baseForm = readVerbs(verbsText)

func readVerbs(text string) (third, base map[string]bool) {
	third, base = map[string]bool{}, map[string]bool{}
	sure := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "verbs", line == "nouns":
			sure = line == "verbs"
		default:
			for _, v := range strings.Fields(line) {
				base[v] = base[v] || sure
				third[inflect(v)] = third[inflect(v)] || sure
			}
		}
	}
	for _, v := range []string{"can", "may", "must", "will", "has", "is", "does"} {
		third[v] = true
	}
	return third, base
}

// inflect puts a verb into the third person.
func inflect(v string) string {
	switch {
	case strings.HasSuffix(v, "y") && !strings.ContainsAny(v[max(0, len(v)-2):len(v)-1], "aeou"):
		return v[:len(v)-1] + "ies"
	case strings.HasSuffix(v, "s"), strings.HasSuffix(v, "x"), strings.HasSuffix(v, "ch"), strings.HasSuffix(v, "sh"),
		strings.HasSuffix(v, "o"):
		return v + "es"
	}
	return v + "s"
}

// maxSources bounds the sentences of a description that are read.
const maxSources = 31

// facts of a description and a note.
func facts(description, note string) []fact {
	var fs []fact
	add := func(f fact, source int) {
		f.words, f.source = strings.Count(f.text, " ")+1, 1<<source
		if speakable(f.text) {
			fs = append(fs, f)
		}
	}
	if note = strings.TrimSpace(note); note != "" {
		add(noteFact(note), 0)
	}
	for i, s := range sentences(description) {
		if i == maxSources {
			break
		}
		if head, rest, ok := strings.Cut(s, ": "); ok && !strings.Contains(head, " ") {
			s = rest
		}
		if p, ok := predicate(s); ok {
			add(p, i+1)
		}
		if q, _ := clip(s); strings.Count(q, " ")+1 >= minQuote && prose(q) && (len(fs) == 0 || !leansBack(q)) {
			add(fact{form: quote, text: q}, i+1)
		}
	}
	return fs
}

// leansBack says that a sentence speaks of the one before it and says little alone.
func leansBack(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	return backward[strings.ToLower(first)]
}

// speakable says that a text can stand within a sentence: on one line, without a full stop, marks in pairs.
func speakable(s string) bool {
	return strings.TrimSpace(s) != "" && !strings.ContainsAny(s, "\"\n\r\t") && !strings.Contains(s, ". ") &&
		!strings.Contains(s, "! ") && !strings.Contains(s, "? ") && strings.Count(s, "`")%2 == 0
}

// prose says that a text is made of words, not of a name or a command alone.
func prose(s string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if prepositions[w] || openers[w] || finite[w] {
			return true
		}
	}
	return false
}

func noteFact(note string) fact {
	f, ok := predicate(note)
	if !ok || f.form == todo {
		f = fact{form: nominal(note), text: note}
	}
	f.note = true
	return f
}

// predicate reads a sentence that begins with a verb.
func predicate(s string) (fact, bool) {
	first, rest, _ := strings.Cut(s, " ")
	verb := lowerFirst(first)
	next, _, _ := strings.Cut(rest, " ")
	if verb == "" || next == "" || strings.ContainsAny(verb, ",:;.()`\"") || isCode(first) {
		return fact{}, false
	}
	text, whole := clip(s)
	if !whole {
		return fact{}, false
	}
	f := fact{form: does, text: lowerFirst(text)}
	if states[verb] {
		f.text = "is " + f.text
		return f, following[next]
	}
	if sure, known := thirdPerson[verb]; known {
		return f, leadsObject(next, sure)
	}
	_, known := baseForm[verb]
	f.form = todo
	return f, known && leadsObject(next, false)
}

// leadsObject says whether the word after a verb shows that it is one. Where the verb cannot be a noun, anything but a
// finite verb or "of" does.
func leadsObject(next string, sure bool) bool {
	next = strings.ToLower(strings.Trim(next, ",;:"))
	if sure {
		return !after[next]
	}
	return determiners[next] || particles[next]
}

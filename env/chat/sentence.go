package chat

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word of a final text, as the claim rule sees it.
type word struct {
	// text is in lower case, with contractions spelled out: couldn't is could, not. It is empty for a quotation.
	text string
	// value marks what an answer consists of: digits, code, quotations, and names within a sentence.
	value bool
	// comma and stop mark a comma, or a colon, semicolon or dash, after the word.
	comma, stop bool
}

func (w word) is(texts ...string) bool { return slices.Contains(texts, w.text) }

// closes reports whether a clause ends after the word.
func (w word) closes() bool { return w.comma || w.stop }

// in returns a test for words of a set.
func in(set map[string]bool) func(word) bool {
	return func(w word) bool { return set[w.text] }
}

// sentence is a sentence or a line of a final text.
type sentence struct {
	words    []word
	question bool
	// trails marks a sentence that ends in dots: something is going on.
	trails bool
	// row marks a row of a table.
	row bool
}

// sentenceWords bounds a sentence; what goes on is taken for the next one. Looking around a word stays cheap by it.
const sentenceWords = 120

// sentences divides a text. What stands in quotes or backticks is one value, not words, unless it is what somebody said:
// a status "pending" says nothing of the request, an answer "permission denied" does.
func sentences(text string) []sentence {
	var all []sentence
	for line := range strings.SplitSeq(text, "\n") {
		row := strings.HasPrefix(line, "|")
		line = bullet(strings.TrimSpace(line))
		if strings.HasPrefix(line, "[ ]") {
			line = "☐ " + line
		}
		r := reader{fields: strings.Fields(line)}
		for r.at < len(r.fields) {
			if s := r.sentence(); len(s.words) > 0 {
				s.row = row
				all = append(all, s)
			}
		}
	}
	return all
}

// bullet drops what marks an item, a heading or a quotation.
func bullet(line string) string {
	line = strings.TrimLeft(line, "-*#>|+•· \t")
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if 0 < digits && digits <= 2 && digits < len(line)-1 && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' ' {
		return line[digits+2:]
	}
	return line
}

// reader reads the sentences of one line.
type reader struct {
	fields []string
	at     int
}

func (r *reader) sentence() sentence {
	var s sentence
	for r.at < len(r.fields) && len(s.words) < sentenceWords {
		n := r.quoted()
		quoted := n > 0 && !saysWhat(s.words)
		if !quoted {
			n = 1
		}
		head, core, tail := trim(r.fields[r.at+n-1])
		r.at += n
		if quoted {
			s.words = append(s.words, word{value: true})
		} else {
			s.add(head, core)
		}
		if s.punctuate(tail, r) {
			break
		}
	}
	return s
}

var quotes = [...]struct{ open, close string }{{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"«", "»"}}

// quoted returns how many fields from the next one on a quotation spans, 0 where none begins.
func (r *reader) quoted() int {
	const longest = 40
	first := strings.TrimLeft(r.fields[r.at], "*([")
	for _, q := range quotes {
		rest, ok := strings.CutPrefix(first, q.open)
		for n := 1; ok && n <= longest; n++ {
			if strings.Contains(rest, q.close) {
				return n
			}
			if r.at+n == len(r.fields) {
				break
			}
			rest = r.fields[r.at+n]
		}
	}
	return 0
}

// saysWhat reports whether the last words announce what somebody or something said.
func saysWhat(words []word) bool {
	return slices.ContainsFunc(words[max(0, len(words)-4):], in(speech))
}

const punctuation = ".,;:!?…()[]{}\"“”«»'’‘*_|`"

// trim divides a field into punctuation, a core, and punctuation.
func trim(field string) (head, core, tail string) {
	core = strings.TrimLeft(field, punctuation)
	head = field[:len(field)-len(core)]
	all := core
	core = strings.TrimRight(core, punctuation)
	return head, core, all[len(core):]
}

// add appends the words of a core.
func (s *sentence) add(head, core string) {
	n := len(s.words)
	if n > 0 && strings.Contains(head, "(") {
		s.words[n-1].comma = true
	}
	switch core {
	case "–", "—", "-":
		if n > 0 {
			s.words[n-1].stop = true
		}
		return
	case "", "=":
		if n > 0 && strings.ContainsAny(head, ":;") {
			s.words[n-1].stop = true
		}
		return
	}
	first, _ := utf8.DecodeRuneInString(core)
	w := word{text: strings.ToLower(strings.ReplaceAll(core, "’", "'"))}
	w.value = identifies(core) || n > 0 && unicode.IsUpper(first) && w.text != "i" && !strings.HasPrefix(w.text, "i'")
	if parts, ok := contractions[w.text]; ok {
		for _, p := range parts {
			s.words = append(s.words, word{text: p})
		}
		return
	}
	for _, suffix := range suffixes {
		if stem, ok := strings.CutSuffix(w.text, suffix.text); ok && stem != "" && (suffix.text != "'s" || pronouns[stem]) {
			s.words = append(s.words, word{text: stem}, word{text: suffix.word})
			return
		}
	}
	w.text = strings.TrimSuffix(w.text, "'s")
	switch {
	case core == "May" && n > 0:
		w.text = "month" // not the verb
	case strings.HasPrefix(w.text, "request") && n > 0 && s.words[n-1].is("pull", "merge"):
		s.words[n-1].text = "pull-request" // a thing, not something asked for
		return
	}
	s.words = append(s.words, w)
}

// identifies reports whether a word is a number or an identifier, whatever its place: 14-207, ev_purge, a.kim, FERRY-TALKS.
func identifies(core string) bool {
	const shortest = 3 // of words in capitals
	if strings.ContainsFunc(core, unicode.IsDigit) || strings.ContainsAny(core, "_@/.") {
		return true
	}
	return len(core) >= shortest && core == strings.ToUpper(core) && core != strings.ToLower(core)
}

// punctuate notes the punctuation after the last word, and reports whether it ends the sentence.
func (s *sentence) punctuate(tail string, r *reader) bool {
	if len(s.words) == 0 {
		return false
	}
	last := &s.words[len(s.words)-1]
	last.comma = last.comma || strings.ContainsRune(tail, ',')
	last.stop = last.stop || strings.ContainsAny(tail, ";:")
	switch {
	case strings.ContainsRune(tail, '?'):
		s.question = true
	case strings.Contains(tail, "...") || strings.ContainsRune(tail, '…'):
		s.trails = true
	case strings.ContainsRune(tail, '!'):
	case strings.ContainsRune(tail, '.'):
		return !s.abbreviates(last, r)
	default:
		return false
	}
	return true
}

// abbreviates reports whether the dot after the last word belongs to it: Dr., J., No. 7.
func (s *sentence) abbreviates(last *word, r *reader) bool {
	if r.at == len(r.fields) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(r.fields[r.at])
	if last.text == "no" {
		return unicode.IsDigit(next)
	}
	initial := utf8.RuneCountInString(last.text) == 1 && last.text != "i" && unicode.IsLetter(next) && len(s.words) > 1
	return initial || abbreviations[last.text]
}

package think

import "strings"

// reading is a block taken apart: its words, each with the tools that it is said of.
type reading struct {
	v     *View
	text  string
	lower string
	words []word
	spans []quotation
	// sentences holds the index after the last word of each.
	sentences []int
}

// word of a block.
type word struct {
	start, end int
	// of holds the tools that the word is said of; tool is the index of the one that it names, else -1.
	of   mask
	tool int
	// ahead: of is what is named next, not what was named before.
	ahead bool
	// quoted: in quotation marks, or in code that is no tool's name.
	quoted bool
	// stop: a comma, colon, dash or stronger stop stands before it. part: a semicolon or stronger does.
	stop, part bool
}

// quotation is a text in quotation marks or in code.
type quotation struct {
	start, end int
	code       bool
	// word is the index of its first word.
	word int
}

// maxQuotation bounds the bytes between two marks that belong together.
const maxQuotation = 600

// read takes a block apart.
func read(v *View, block string) *reading {
	r := &reading{v: v, text: block, lower: lowered(block)}
	r.words = make([]word, 0, len(block)/5)
	r.lex()
	r.attribute()
	return r
}

// lowered lowers ASCII letters, so that bytes keep their places.
func lowered(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func (r *reading) lex() {
	stop, part := true, true
	s := r.lower
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '`' || c == '"' || strings.HasPrefix(s[i:], "“"):
			if n := r.quotation(i, stop, part); n > 0 {
				i += n
				stop, part = false, false
				continue
			}
			i++
		case c == '\n' && newLine(s[i+1:]) || (c == '.' || c == '!' || c == '?') && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n'):
			r.endSentence()
			stop, part = true, true
			i++
		case c == ';':
			stop, part = true, true
			i++
		case c == ',' || c == ':' || c == '(' || c == ')' || c == '-' && i > 0 && s[i-1] == ' ':
			stop = true
			i++
		case dash(s[i:]) > 0:
			stop = true
			i += dash(s[i:])
		case inWord(c):
			_, end := nextWord(s, i)
			r.add(word{start: i, end: end, tool: r.bareTool(s[i:end]), stop: stop, part: part})
			stop, part = false, false
			i = end
		default:
			i++
		}
	}
	r.endSentence()
}

// newLine says whether the line that begins with s begins a sentence: an empty one does, and an item of a list.
func newLine(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return s == "" || strings.IndexByte("\n-*#0123456789", s[0]) >= 0
}

func (r *reading) add(w word) { r.words = append(r.words, w) }

func (r *reading) endSentence() {
	n := len(r.words)
	if n > 0 && (len(r.sentences) == 0 || r.sentences[len(r.sentences)-1] < n) {
		r.sentences = append(r.sentences, n)
	}
}

// bareTool returns the tool that a word names without marks: only names with an underscore cannot be words.
func (r *reading) bareTool(w string) int {
	if strings.Contains(w, "_") {
		return r.v.Tools.toolLower(w)
	}
	return -1
}

// quotation reads a text between marks at i and returns its length with them, 0 where the second mark is missing.
func (r *reading) quotation(i int, stop, part bool) int {
	s := r.lower[i:]
	mark, end := s[:1], s[:1]
	if s[0] == 0xe2 {
		mark, end = "“", "”"
	}
	n := strings.Index(s[len(mark):min(len(s), maxQuotation)], end)
	if n <= 0 {
		return 0
	}
	inner := s[len(mark) : len(mark)+n]
	if strings.Contains(inner, "\n\n") {
		return 0
	}
	start := i + len(mark)
	if t := r.v.Tools.toolLower(strings.TrimSpace(strings.TrimSuffix(inner, "()"))); t >= 0 {
		r.add(word{start: start, end: start + n, tool: t, stop: stop, part: part})
		return n + len(mark) + len(end)
	}
	r.spans = append(r.spans, quotation{start: start, end: start + n, code: mark == "`", word: len(r.words)})
	for a, b := nextWord(inner, 0); a < len(inner); a, b = nextWord(inner, b) {
		r.add(word{start: start + a, end: start + b, tool: -1, quoted: true, stop: stop, part: part})
		stop, part = false, false
	}
	return n + len(mark) + len(end)
}

// joints may stand between the names of tools of which one thing is said.
var joints = set("and or nor both either neither also well as plus")

// goesOn begins a sentence that goes on about the tool before.
var goesOn = set("it its this that they these both such")

// attribute finds out which tools each word is said of: those named last in the sentence; before the first name of a
// sentence or part of one, those named next; in a part without a name, all that the sentence named.
func (r *reading) attribute() {
	begin := 0
	var before mask
	for _, end := range r.sentences {
		now, all := mask(0), mask(0)
		if goesOn[r.word(begin)] {
			now = before
		}
		pending, joined := begin, false
		for i := begin; i < end; i++ {
			w := &r.words[i]
			if w.part && i > begin {
				pending, joined = i, false
				if !r.names(i, end) {
					now, pending = all, -1
				}
			}
			switch {
			case w.tool >= 0:
				if bit := r.v.Tools.tools[w.tool].bit; joined {
					now |= bit
				} else {
					now = bit
				}
				for j := pending; pending >= 0 && j < i; j++ {
					r.words[j].of, r.words[j].ahead = now, true
				}
				pending, joined = -1, true
				all |= now
			case !joints[r.word(i)] || w.quoted:
				joined = false
			}
			w.of = now
		}
		before = now
		begin = end
	}
	r.shareLists()
}

// names says whether the part of a sentence that begins with the i-th word names a tool.
func (r *reading) names(i, end int) bool {
	for j := i; j < end && (j == i || !r.words[j].part); j++ {
		if r.words[j].tool >= 0 {
			return true
		}
	}
	return false
}

// shareLists gives the names of a list, and the words between them, the tools of the whole list.
func (r *reading) shareLists() {
	for i := len(r.words) - 2; i >= 0; i-- {
		w, next := &r.words[i], &r.words[i+1]
		if r.listed(i) && r.listed(i+1) && w.of != 0 && next.of&w.of == w.of {
			w.of = next.of
		}
	}
}

// listed says whether the i-th word may belong to a list of tools.
func (r *reading) listed(i int) bool {
	return r.words[i].tool >= 0 || joints[r.word(i)] && !r.words[i].quoted
}

// named says whether the i-th word is the name of a tool.
func (r *reading) named(i int) bool { return i < len(r.words) && r.words[i].tool >= 0 }

// word returns the i-th word in lower case.
func (r *reading) word(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.lower[r.words[i].start:r.words[i].end]
}

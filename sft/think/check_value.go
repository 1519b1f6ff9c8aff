package think

import (
	"strings"
)

// seenText is what the model has seen, in lower case, and what the action itself holds; made when it is first asked.
type seenText struct {
	ready                     bool
	request, history, replies string
	action                    string
}

// shown fills in the texts.
func (c *checker) shown() *seenText {
	s := &c.seenText
	if s.ready {
		return s
	}
	s.ready = true
	s.request = lowered(c.v.Request)
	s.action = lowered(c.action.Arguments + "\n" + c.action.Final)
	var b, calls strings.Builder
	for i := range c.v.History {
		b.WriteString(c.v.History[i].Reply)
		b.WriteByte('\n')
		calls.WriteString(c.v.History[i].Arguments)
		calls.WriteByte('\n')
	}
	s.replies, s.history = lowered(b.String()), lowered(calls.String())
	return s
}

// seen says whether a text in lower case stands in the request or a reply.
func (c *checker) seen(w string) bool {
	s := c.shown()
	return inText(s.request, w) || inText(s.replies, w)
}

// known says whether it stands in anything that the model has seen or now writes.
func (c *checker) known(w string) bool {
	s := c.shown()
	return c.seen(w) || c.inSchema(w) != 0 || inText(s.action, w) || inText(s.history, w)
}

// inSchema returns the tools in whose schema a text in lower case stands.
func (c *checker) inSchema(w string) (m mask) {
	for i := range c.v.Tools.tools {
		if t := &c.v.Tools.tools[i]; inText(t.schema, w) {
			m |= t.bit
		}
	}
	return m
}

// inText finds a text as whole words; both are in lower case.
func inText(text, w string) bool {
	for from := 0; w != "" && from < len(text); {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return false
		}
		i += from
		if boundary(text, i) && boundary(text, i+len(w)) {
			return true
		}
		from = i + 1
	}
	return false
}

// values checks quotations, tokens with digits, and names.
func (c *checker) values() {
	for _, q := range c.spans {
		c.quoted(q)
	}
	begin := 0
	for i := range len(c.text) + 1 {
		if i == len(c.text) || c.text[i] == ' ' || c.text[i] == '\n' || c.text[i] == '\t' {
			c.token(begin, i)
			begin = i + 1
		}
	}
}

// looseQuotation is the number of words from which a quotation in prose must be verbatim; shorter ones may be a manner of
// speaking.
const looseQuotation = 4

// quoted checks one quotation: it stands in what was seen, and if in schemas alone, in one of a tool that it is said of.
func (c *checker) quoted(q quotation) {
	inner := strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(c.lower[q.start:q.end]), "…"), " .,;:")
	words := strings.Count(inner, " ") + 1
	name := q.code && words == 1
	if inner == "" || words < looseQuotation && !name && !hasDigit(inner) {
		return
	}
	if c.seen(inner) {
		return
	}
	in := c.inSchema(inner)
	switch s := c.shown(); {
	case in == 0 && (inText(s.action, inner) || inText(s.history, inner)):
	case in == 0 && name && !identifier(inner):
	case in == 0 && name:
		c.problem(RuleTool, "`%s` is neither a tool nor a parameter nor in the request", inner)
	case in == 0:
		c.problem(RuleValue, "%q stands in nothing that was seen", inner)
	case words >= looseQuotation && c.of(q) != 0 && in&c.of(q) == 0:
		c.problem(RuleSupport, "%q is said of %s, but stands with %s", inner, c.v.Tools.namesOf(c.of(q)), c.v.Tools.namesOf(in))
	}
}

// of returns the tools that a quotation is said of.
func (c *checker) of(q quotation) mask {
	if q.word < len(c.words) {
		return c.words[q.word].of
	}
	return 0
}

// token checks a word with digits, or a name within a sentence.
func (c *checker) token(begin, end int) {
	const marks = ".,;:!?()[]{}<>\"'`“”‘’…–—="
	trimmed := strings.TrimLeft(c.text[begin:end], marks)
	start := end - len(trimmed)
	trimmed = strings.TrimRight(trimmed, marks)
	if trimmed == "" {
		return
	}
	low := c.lower[start : start+len(trimmed)]
	switch {
	case hasDigit(low):
		if !c.countable(low) && !c.known(low) && !c.knownParts(low) {
			c.problem(RuleValue, "%s stands in nothing that was seen", trimmed)
		}
	case c.isName(start, trimmed) && !c.known(strings.TrimSuffix(strings.TrimSuffix(low, "'s"), "’s")):
		c.problem(RuleValue, "the name %s stands in nothing that was seen", trimmed)
	}
}

// knownParts accepts a token such as key=17 or 12/14 whose parts with digits are all known.
func (c *checker) knownParts(low string) bool {
	parts := strings.FieldsFunc(low, func(r rune) bool { return strings.ContainsRune("=/:,()[]{}\"'`|&", r) })
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if hasDigit(p) && !c.countable(p) && !c.known(p) {
			return false
		}
	}
	return true
}

// countable accepts the small numbers by which tools, calls and points are counted.
func (c *checker) countable(low string) bool {
	for _, ordinal := range [...]string{"st", "nd", "rd", "th", "x"} {
		low = strings.TrimSuffix(low, ordinal)
	}
	return len(low) == 1 && '0' <= low[0] && low[0] <= '9'
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// identifier says that a word is one of code: with an underscore.
func identifier(s string) bool {
	return strings.Contains(s, "_") && !strings.ContainsAny(s, "{}[]()=\"' ")
}

// isName says that a word has a capital although no sentence or quotation begins with it.
func (c *checker) isName(start int, w string) bool {
	if len(w) < 3 || w[1] == '\'' || strings.HasPrefix(w[1:], "’") || w[0] < 'A' || w[0] > 'Z' || strings.ToUpper(w) == w {
		return false
	}
	before := strings.TrimRight(c.text[:start], " ")
	if before == "" || len(before) == start {
		return false
	}
	last := before[len(before)-1]
	return last >= 'a' && last <= 'z' || last >= 'A' && last <= 'Z' || last == ','
}

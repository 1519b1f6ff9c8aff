package think

import (
	"slices"
	"strings"
)

// conclusion compares what the block decides with what is done.
func (c *checker) conclusion() {
	decided, last := c.decided()
	if c.action.Tool == "" {
		if decided != 0 {
			c.problem(RuleConclusion, "it goes on to %s, but the answer follows", c.v.Tools.namesOf(decided))
		}
		if !c.ends() {
			c.problem(RuleConclusion, "it does not come to the answer that follows")
		}
		if !c.observes() {
			c.problem(RuleConclusion, "it rests the answer on no tool's result")
		}
		return
	}
	if c.called == 0 || c.mentioned&c.called == 0 {
		return
	}
	switch {
	case decided != 0 && decided&c.called == 0:
		c.problem(RuleConclusion, "it decides for %s, but %s is called", c.v.Tools.namesOf(decided), c.action.Tool)
	case decided == 0 && last&c.called == 0:
		c.problem(RuleConclusion, "it ends with %s, but %s is called", c.v.Tools.namesOf(last), c.action.Tool)
	}
}

// decided returns the tools that the block says are called next, and those that it names last.
func (c *checker) decided() (decided, last mask) {
	for i := range c.words {
		w := &c.words[i]
		switch {
		case w.tool >= 0:
			last = w.of
			if c.chosen(i) {
				decided |= c.v.Tools.tools[w.tool].bit
			}
		case c.word(i) == "it" && w.of&(w.of-1) == 0 && c.itChosen(i):
			decided |= w.of
		}
	}
	return decided, last
}

// chosen reads the words around the name of a tool: "I start with x", "x comes first", "x it is".
func (c *checker) chosen(i int) bool {
	if c.denied(i + 1) {
		return false
	}
	call, again := false, c.word(i-1) != "of"
	for j, n := i, 0; n < 7 && j > 0 && !c.words[j].stop && c.words[j-1].tool < 0; n++ {
		j--
		again = again || more[c.word(j)]
		switch c.role(j) {
		case cueNoCall:
			return false
		case cueCall:
			call = true
		}
	}
	return call && again || c.comesNext(i)
}

// denied says that the words from i on deny what stands before: "another call of x would not help".
func (c *checker) denied(i int) bool {
	if c.word(i) == "cannot" {
		return true
	}
	return auxiliaries[c.word(i)] && (c.word(i+1) == "not" || c.word(i+1) == "never") && !c.words[i+1].stop
}

var auxiliaries = set("would will does did can could should is was")

// itChosen reads the words around "it": "so I call it", "it goes first".
func (c *checker) itChosen(i int) bool {
	if c.role(i-1) == cueCall && c.word(i+1) != "that" && c.word(i-2) == "i" {
		return true
	}
	next := c.word(i + 1)
	return (next == "comes" || next == "goes") && (c.word(i+2) == "first" || c.word(i+2) == "next")
}

// more are words by which "the call of x" is one that is still to come.
var more = set("another second more next repeat again")

// role returns whether the j-th word speaks for or against a call.
func (c *checker) role(j int) cue {
	if j < 0 || c.words[j].quoted || c.word(j) == "call" && c.word(j+1) == "for" || ordinals[c.word(j-1)] && c.named(j+1) {
		return noCue
	}
	for _, l := range lexicon()[c.word(j)] {
		if len(l.words) == 1 && (l.cue == cueCall || l.cue == cueNoCall) {
			return l.cue
		}
	}
	return noCue
}

// ordinals make a noun of a word for a call: at the second try x answered.
var ordinals = set("the this that first second third next last")

var (
	comes  = set("comes goes is it gets again once")
	firsts = set("first next called is the my another given more a")
)

// comesNext reads what follows the name of a tool, and that nothing before it in the sentence part makes it a mere thought.
func (c *checker) comesNext(i int) bool {
	if c.word(i+1) == "again" && !c.words[i+1].stop && (i+2 == len(c.words) || c.words[i+2].stop) {
		return true
	}
	if i+2 >= len(c.words) || c.words[i+1].part || !comes[c.word(i+1)] || !firsts[c.word(i+2)] {
		return false
	}
	third := c.word(i + 3)
	switch c.word(i+1) + " " + c.word(i+2) {
	case "is the":
		if third != "one" && third != "right" && third != "first" {
			return false
		}
	case "is a", "gets a", "gets another", "is given":
		if c.word(i+1) != "gets" && c.word(i+2) != "given" {
			return false
		}
	case "it is":
		if i+3 < len(c.words) && !c.words[i+3].stop {
			return false
		}
	case "is my", "once more", "comes first", "goes first", "comes next", "goes next", "is first", "is next", "is called":
	default:
		return false
	}
	for j := i; j > 0 && !c.words[j].part; {
		j--
		if w := c.word(j); w == "if" || w == "should" || w == "would" {
			return false
		}
	}
	return true
}

// ends says whether the block comes to an end of the work.
func (c *checker) ends() bool {
	for _, h := range c.hits {
		if h.cue == cueEnd {
			return true
		}
	}
	return false
}

// observes says whether it names the tool that was called last, quotes a reply, or states a value of the last one.
func (c *checker) observes() bool {
	last := c.v.last()
	if last == nil {
		return false
	}
	if bit, ok := c.v.Tools.toolBit(last.Tool); ok && c.mentioned&bit != 0 {
		return true
	}
	for _, q := range c.spans {
		if inText(c.shown().replies, c.lower[q.start:q.end]) {
			return true
		}
	}
	return slices.ContainsFunc(strings.Fields(c.lower), func(w string) bool {
		w = strings.Trim(w, ".,;:!?()\"'`")
		return hasDigit(w) && inText(lowered(last.Reply), w)
	})
}

// kind compares how the block reads the last failure with what it was.
func (c *checker) kind() {
	last := c.v.last()
	if last == nil || last.Result != Passing && last.Result != Inability {
		return
	}
	bit, ok := c.v.Tools.toolBit(last.Tool)
	if !ok {
		return
	}
	passing, inability := c.readings(bit)
	right, wrong, name := passing, inability, "passing"
	if last.Result == Inability {
		right, wrong, name = inability, passing, "an inability"
	} else if c.action.Tool != last.Tool && c.v.RuledOut(last.Tool) {
		return // it may be given up as well
	}
	switch {
	case right == 0:
		c.problem(RuleKind, "it does not say that the failure of %s is %s", last.Tool, name)
	case wrong > right:
		c.problem(RuleKind, "it reads the failure of %s as something else than %s", last.Tool, name)
	}
}

// readings counts the phrases that read a failure of the tool as passing, and those that read it as an inability.
func (c *checker) readings(tool mask) (passing, inability int) {
	for _, h := range c.hits {
		if h.of != 0 && h.of&tool == 0 {
			continue
		}
		reads := noCue
		switch h.cue {
		case cuePassing:
			reads = turned(cuePassing, c.negated(h, 0))
		case cueInability:
			reads = turned(cueInability, c.negated(h, 0))
		case cueRepeat:
			reads = turned(cuePassing, c.negated(h, 4))
		}
		switch reads {
		case cuePassing:
			passing++
		case cueInability:
			inability++
		}
	}
	return passing, inability
}

// turned returns the reading, or the other one where it is denied.
func turned(reads cue, denied bool) cue {
	switch {
	case !denied:
		return reads
	case reads == cuePassing:
		return cueInability
	}
	return cuePassing
}

package think

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Rule names what a block breaks.
type Rule string

// The rules of Check and CheckMessage.
const (
	// RuleBlock: not exactly one balanced think block before the action, or an empty one.
	RuleBlock Rule = "block"
	// RuleLength: outside the length band.
	RuleLength Rule = "length"
	// RuleTool: the tool that is called is not named, no other one is weighed, or a name is no tool's.
	RuleTool Rule = "tool"
	// RuleSupport: what is said of a tool is not what its schema says.
	RuleSupport Rule = "support"
	// RuleValue: a value or quotation stands in nothing that the model has seen.
	RuleValue Rule = "value"
	// RuleConclusion: the block decides for something else than is done.
	RuleConclusion Rule = "conclusion"
	// RuleKind: a passing failure is read as an inability, or the other way round, or neither.
	RuleKind Rule = "kind"
	// RuleEscalation: a tool below the one that is called is not said to be out.
	RuleEscalation Rule = "escalation"
	// RuleHidden: it speaks of what the model cannot know.
	RuleHidden Rule = "hidden"
)

// Problem is a fault of a block. Its text says what is wrong, and where.
type Problem struct {
	Rule Rule
	Text string
}

func (p Problem) String() string { return string(p.Rule) + ": " + p.Text }

// The length band of a block, in words.
const (
	MinWords = 8
	MaxWords = 220
)

// maxBlock bounds the bytes of a block that is read.
const maxBlock = 1 << 14

// Check reports what is wrong with the block that comes before an action, in whosever words it is written. It knows what
// the model sees, and, from the history, how earlier calls ended; it reads no note. No problem means that the block names
// the tool, says of tools what their schemas support, names no value that was not seen, decides for what is done, and
// reads the last failure rightly. It never panics, whatever the text.
func Check(v View, block string, a Action) []Problem {
	if words := len(strings.Fields(block)); words < MinWords || words > MaxWords || len(block) > maxBlock {
		return []Problem{{RuleLength, fmt.Sprintf("%d words in %d bytes; a block has %d to %d words", words, len(block), MinWords, MaxWords)}}
	}
	c := &checker{reading: read(&v, block), action: a}
	c.called, _ = c.v.Tools.toolBit(a.Tool)
	c.tools()
	c.support()
	c.values()
	c.phrases()
	c.conclusion()
	c.kind()
	c.escalation()
	return c.problems
}

type checker struct {
	*reading
	action Action
	called mask
	// mentioned holds the tools that are named.
	mentioned mask
	hits      []hit
	problems  []Problem
	seenText  seenText
}

func (c *checker) problem(r Rule, format string, args ...any) {
	c.problems = append(c.problems, Problem{r, fmt.Sprintf(format, args...)})
}

func (ts *Toolset) toolBit(name string) (mask, bool) {
	i, ok := ts.byName[name]
	if !ok {
		return 0, false
	}
	return ts.tools[i].bit, true
}

// namesOf lists the tools of a mask.
func (ts *Toolset) namesOf(m mask) string {
	var names []string
	for ; m != 0; m &= m - 1 {
		names = append(names, ts.tools[bits.TrailingZeros64(uint64(m))].Name)
	}
	return strings.Join(names, ", ")
}

func (c *checker) tools() {
	for i := range c.words {
		if t := c.words[i].tool; t >= 0 {
			c.mentioned |= c.v.Tools.tools[t].bit
		}
	}
	if c.action.Tool == "" {
		return
	}
	switch {
	case c.called == 0:
		c.problem(RuleTool, "%q is called, which is no tool of this row", c.action.Tool)
	case c.mentioned&c.called == 0:
		c.problem(RuleTool, "the tool that is called, %s, is not named", c.action.Tool)
	case len(c.v.History) == 0 && len(c.v.Tools.tools) > 1 && c.mentioned == c.called:
		c.problem(RuleTool, "no tool but %s is named, so that nothing is weighed against it", c.action.Tool)
	}
}

// support looks at each stretch of words that are said of the same tools: words that other tools have and these have not
// must not prevail, and what it claims must be in the schema of one of them.
func (c *checker) support() {
	begin, told := 0, 0
	for _, end := range c.sentences {
		for i := begin; i < end; {
			j := i + 1
			for j < end && c.words[j].of == c.words[i].of {
				j++
			}
			told += c.stretch(i, j)
			i = j
		}
		begin = end
	}
	if len(c.v.History) == 0 && c.called != 0 && c.mentioned&c.called != 0 && told == 0 {
		c.problem(RuleSupport, "nothing is said of %s that stands in its schema", c.action.Tool)
	}
}

// stretch checks words i to j and returns how many of them are words of the schema of the tool that is called.
func (c *checker) stretch(i, j int) (told int) {
	of := c.words[i].of
	if of == 0 {
		return 0
	}
	own, foreign, example := 0, 0, ""
	ownRuns, foreignRuns := 0, 0
	var phrase run
	allowed := c.v.Tools.claimsOf(of)
	for ; i < j; i++ {
		if c.words[i].tool >= 0 {
			phrase = run{}
			continue
		}
		if c.words[i].quoted {
			phrase = run{}
		} else if h, ok := phrase.add(c.word(i)); ok {
			if m := c.v.Tools.runs[h]; m&of != 0 {
				ownRuns++
			} else if m != 0 {
				foreignRuns++
			}
		}
		s := stem(c.word(i))
		if m := c.v.Tools.stems[s]; m&of != 0 {
			own++
			if m&c.called != 0 && of&c.called != 0 {
				told++
			}
		} else if m != 0 && !c.words[i].quoted && !c.seen(c.word(i)) {
			foreign++
			example = c.word(i)
		}
		if g := claims()[s] &^ allowed; g != 0 && !c.seen(c.word(i)) {
			c.problem(RuleSupport, "%q is said of %s, whose schema does not speak of it", c.word(i), c.v.Tools.namesOf(of))
		}
	}
	if foreign >= 2 && foreign > own || foreignRuns > ownRuns {
		c.problem(RuleSupport, "what is said of %s is said of another tool in the schemas (%q)", c.v.Tools.namesOf(of), example)
	}
	return told
}

func (ts *Toolset) claimsOf(m mask) (groups uint32) {
	for ; m != 0; m &= m - 1 {
		groups |= ts.tools[bits.TrailingZeros64(uint64(m))].claims
	}
	return groups
}

// escalation asks that each tool below the one that is called is named, and that something is said to be out.
func (c *checker) escalation() {
	if len(c.action.Lower) == 0 {
		return
	}
	var lower mask
	for _, name := range c.action.Lower {
		if bit, ok := c.v.Tools.toolBit(name); ok {
			lower |= bit
		}
	}
	if left := lower &^ c.mentioned; left != 0 {
		c.problem(RuleEscalation, "%s is called, and it is not said why %s will not do", c.action.Tool, c.v.Tools.namesOf(left))
		return
	}
	if !slices.ContainsFunc(c.hits, func(h hit) bool { return h.cue == cueInability && (h.of == 0 || h.of&lower != 0) }) {
		c.problem(RuleEscalation, "%s is called, and no tool below it is said to be ruled out", c.action.Tool)
	}
}

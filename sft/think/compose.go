package think

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// composer writes one block.
type composer struct {
	g    *grammar
	ts   *Toolset
	view View
	rand *rand.PCG
	out  []byte
	// used marks the alternatives that stand in the block already.
	used   []bool
	counts [counts]int8

	pick, last, current int
	narrow              []int
	peers, wide, dead   pool
	// told holds, by tool, the facts that were told.
	told []uint32
	fact string
	// plural is the number of the tools that were named last.
	plural bool

	arguments           []argument
	arg                 argument
	values              []string
	request, reply, key string
}

// pool is tools in the order in which they are told of.
type pool struct {
	all, rest []int
}

// below draws a number from 0 to n-1, the same on every machine.
func (c *composer) below(n int) int {
	hi, _ := bits.Mul64(c.rand.Uint64(), uint64(n))
	return int(hi)
}

func (c *composer) shuffle(tools []int) {
	for i := len(tools) - 1; i > 0; i-- {
		j := c.below(i + 1)
		tools[i], tools[j] = tools[j], tools[i]
	}
}

func (c *composer) write(s string) { c.out = append(c.out, s...) }

// take takes the next tool of a pool, -1 where it is empty.
func (c *composer) take(p *pool, k count) int {
	if len(p.rest) == 0 {
		return -1
	}
	t := p.rest[0]
	p.rest = p.rest[1:]
	c.counts[k] = int8(len(p.rest))
	return t
}

// rule writes one of the alternatives of a rule that hold, sooner one that does not stand in the block yet.
func (c *composer) rule(i int) {
	alts := c.g.rules[i].alts
	c.counts[countBegun] = int8(min(len(c.out), 1))
	a := c.draw(alts, false)
	if a == nil {
		a = c.draw(alts, true)
	}
	if a == nil {
		return
	}
	c.used[a.id] = true
	c.nodes(a.nodes)
}

// draw draws among the alternatives that hold and were used already, or not; nil where there is none.
func (c *composer) draw(alts []alternative, used bool) *alternative {
	var fit [maxAlternatives]*alternative
	n := 0
	for j := range alts {
		if a := &alts[j]; c.used[a.id] == used && c.holds(a.conds) {
			fit[n] = a
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fit[c.below(n)]
}

func (c *composer) holds(conds []cond) bool {
	for _, k := range conds {
		n := c.counts[k.count]
		if k.equal && n != k.n || !k.equal && n <= k.n {
			return false
		}
	}
	return true
}

func (c *composer) nodes(nodes []node) {
	for i := range nodes {
		switch n := &nodes[i]; n.kind {
		case nodeText:
			c.write(n.text)
		case nodeRule:
			c.rule(n.rule)
		case nodeSlot:
			c.slot(n.slot)
		case nodeNumber:
			if c.plural {
				c.write(n.plural)
			} else {
				c.write(n.text)
			}
		case nodeChoice:
			c.nodes(n.choices[c.below(len(n.choices))])
		}
	}
}

// formNames are the ends of the names of the rules that tell a fact of a form.
var formNames = [forms]string{"does", "todo", "means", "clause", "other", "quote"}

// say tells a fact of a tool that was not told yet; where there is none, what it asks for.
func (c *composer) say(t int, rule string) {
	if t < 0 {
		return
	}
	c.current = t
	form := "asks"
	f := c.choose(t, maxFact, rule == "say-")
	if f < 0 {
		f = c.choose(t, maxFact, true)
	}
	if f >= 0 {
		fact := &c.ts.tools[t].facts[f]
		c.fact = fact.text
		if fact.form == quote {
			c.fact = `"` + fact.text + `"`
		}
		form = formNames[fact.form]
	}
	c.counts[countAsks] = int8(min(len(c.ts.tools[t].Parameters), 100))
	c.plural = false
	c.rule(c.g.index[rule+form])
	c.plural = false
}

// maxAside bounds the words of a fact in parentheses.
const maxAside = 10

// aside names a tool with a short fact in parentheses.
func (c *composer) aside(t int) {
	if t < 0 {
		return
	}
	c.tool(t)
	f := c.choose(t, maxAside, true)
	if f < 0 {
		return
	}
	fact := &c.ts.tools[t].facts[f]
	c.write(" (")
	if fact.form == quote {
		c.write(`"` + fact.text + `"`)
	} else {
		c.write(fact.text)
	}
	c.write(")")
}

// noteWeight is how much sooner than another fact the note is told, which speaks of the tool's reach.
const noteWeight = 6

// choose returns a fact of a tool with at most so many words that was not told yet, -1 where there is none. Without any it
// is of a form that a sentence can take in.
func (c *composer) choose(t, words int, any bool) int {
	facts := c.ts.tools[t].facts
	total := 0
	for i := range facts {
		total += c.weight(t, i, words, any)
	}
	if total == 0 {
		return -1
	}
	n := c.below(total)
	for i := range facts {
		if n -= c.weight(t, i, words, any); n < 0 {
			c.told[t] |= facts[i].source
			return i
		}
	}
	return -1
}

func (c *composer) weight(t, i, words int, any bool) int {
	f := &c.ts.tools[t].facts[i]
	switch {
	case c.told[t]&f.source != 0 || f.words > words || f.form == other && !any:
		return 0
	case f.note:
		return noteWeight
	case f.form == quote:
		return 1
	}
	return 2
}

// lose tells how a tool was ruled out.
func (c *composer) lose(t int) {
	if t < 0 {
		return
	}
	c.current = t
	c.plural = false
	c.rule(c.g.index["lost"])
	c.plural = false
}

// indices returns the indices of tools by name, each once.
func (c *composer) indices(names []string) []int {
	out := make([]int, 0, len(names))
	for _, n := range names {
		if i, ok := c.ts.byName[n]; ok && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

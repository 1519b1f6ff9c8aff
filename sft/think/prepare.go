package think

import (
	"slices"
	"strings"
)

// prepare fills in what the grammar asks for.
func (c *composer) prepare(d Decision) {
	c.pick, c.last, c.current = -1, -1, -1
	if last := c.view.last(); last != nil {
		c.last = c.ts.byName[last.Tool]
	}
	if i, ok := c.ts.byName[d.Tool]; ok {
		c.pick = i
	}
	if d.Concern <= Exposure {
		c.counts[d.Concern] = 1 // the counts begin with the concerns
	}
	narrow, wide := c.indices(d.Narrow), c.indices(d.Wide)
	c.preparePools(narrow, wide)
	c.prepareEvents(wide)
	c.prepareValues(d)
}

// preparePools divides the tools: those that are left, those that are ruled out, and those that are wide.
func (c *composer) preparePools(narrow, wide []int) {
	c.shuffle(narrow)
	c.shuffle(wide)
	for _, t := range narrow {
		switch {
		case t == c.pick:
			c.narrow = append(c.narrow, t)
		case !c.view.RuledOut(c.ts.tools[t].Name):
			c.narrow = append(c.narrow, t)
			c.peers.all = append(c.peers.all, t)
		default:
			c.dead.all = append(c.dead.all, t)
			if t != c.last {
				c.dead.rest = append(c.dead.rest, t)
			}
		}
	}
	for _, t := range wide {
		if t != c.pick && t != c.last && !c.view.RuledOut(c.ts.tools[t].Name) {
			c.wide.all = append(c.wide.all, t)
		}
	}
	c.peers.rest, c.wide.rest = c.peers.all, c.wide.all
	c.counts[countAll] = int8(len(c.ts.tools))
	c.counts[countStrangers] = int8(len(c.ts.tools) - len(narrow) - len(wide))
	c.counts[countNarrow] = int8(len(c.narrow))
	c.counts[countPeers] = int8(len(c.peers.all))
	c.counts[countWide], c.counts[countWider] = int8(len(c.wide.all)), int8(len(c.wide.all))
	c.counts[countDead], c.counts[countLost] = int8(len(c.dead.all)), int8(len(c.dead.rest))
}

// prepareEvents counts what happened so far.
func (c *composer) prepareEvents(wide []int) {
	last := c.view.last()
	if last == nil {
		return
	}
	for i := len(c.view.History) - 1; i >= 0 && c.view.History[i].Tool == last.Tool; i-- {
		c.counts[countTries]++
	}
	for _, e := range c.view.History {
		if c.pick >= 0 && e.Tool == c.ts.tools[c.pick].Name {
			c.counts[countBack]++
		}
	}
	if last.Result == Inability {
		c.counts[countFinal] = 1
	}
	if last.Result == Done && slices.Contains(wide, c.last) {
		c.counts[countWidened] = 1
	}
	if last.Result != Done {
		c.counts[cause(last.Reply, last.Result)] = 1
	}
}

// prepareValues finds the values and quotations that the block may hold.
func (c *composer) prepareValues(d Decision) {
	texts := []string{c.view.Request}
	last := c.view.last()
	arguments := d.Arguments
	if last != nil && d.Tool == "" {
		texts = append(texts, last.Reply)
		arguments = last.Arguments
	}
	c.arguments = seenArguments(arguments, texts...)
	c.values = topics(c.own(c.arguments))
	c.counts[countStyle] = int8(c.below(argStyles))
	c.request = c.requestClause()
	if last != nil {
		keys := c.values
		if d.Tool == "" {
			keys = slices.Concat(keysOf(d.Final, last.Reply), c.values)
			c.key = firstKey(d.Final, last.Reply, c.view.Request)
		}
		c.reply = span(last.Reply, keys)
	}
	c.counts[countArgs] = int8(min(len(c.arguments), maxArgs))
	c.counts[countValue] = int8(min(len(c.values), 9))
	c.counts[countRequest] = presence(c.request)
	c.counts[countReply] = presence(c.reply)
	c.counts[countKey], c.counts[countLearned] = presence(c.key), presence(c.key)
}

// own leaves out the values that a schema holds, such as those of an enum: they name nothing of this request.
func (c *composer) own(args []argument) []argument {
	return slices.DeleteFunc(slices.Clone(args), func(a argument) bool {
		return slices.ContainsFunc(c.ts.tools, func(t tool) bool { return inText(t.schema, lowered(a.value)) })
	})
}

func presence(s string) int8 {
	if s == "" {
		return 0
	}
	return 1
}

// keysOf returns the telling words of a final answer that stand in the reply.
func keysOf(final, reply string) []string {
	var keys []string
	for w := range strings.FieldsSeq(final) {
		if w = strings.Trim(w, ".,;:!?\"'"); telling(w) && standsIn(reply, w) {
			keys = append(keys, w)
		}
	}
	return keys
}

// firstKey returns what the answer states and the reply told: a telling word of the answer that was not in the request.
func firstKey(final, reply, request string) string {
	for _, k := range keysOf(final, reply) {
		if !standsIn(request, k) && strings.ContainsAny(k, "0123456789") {
			return k
		}
	}
	return ""
}

// requestClause draws a part of the request that bears on the call, by a value of it or as the question; empty where none
// can be quoted.
func (c *composer) requestClause() string {
	var best []string
	clauses(c.view.Request, func(part string, question bool) {
		if words := strings.Count(part, " ") + 1; words < minQuote || words > maxClause || !quotable(part) {
			return
		}
		bears := func(a argument) bool { return telling(a.value) && standsIn(part, a.value) }
		if question || slices.ContainsFunc(c.arguments, bears) {
			best = append(best, part)
		}
	})
	if len(best) == 0 {
		return ""
	}
	return `"` + best[c.below(len(best))] + `"`
}

// maxClause bounds the words of a quotation from the request.
const maxClause = 18

// maxArgs bounds the arguments that a block lists.
const maxArgs = 3

// argStyles is the number of ways in which the rule arg writes an argument.
const argStyles = 5

// args lists the arguments of the call that may be named.
func (c *composer) args() {
	n := min(len(c.arguments), maxArgs)
	for i, a := range c.arguments[:n] {
		switch {
		case i > 0 && i == n-1:
			c.write(" and ")
		case i > 0:
			c.write(", ")
		}
		c.arg = a
		c.counts[countInner] = 0
		if a.inner {
			c.counts[countInner] = 1
		}
		c.rule(c.g.index["arg"])
	}
	c.counts[countArgs] = 0
}

// value writes one of the values of the request.
func (c *composer) value() {
	if len(c.values) > 0 {
		c.write(c.values[c.below(min(len(c.values), maxArgs))])
	}
}

// lostReply quotes what ruled the current tool out.
func (c *composer) lostReply() {
	name := c.ts.tools[c.current].Name
	for i := len(c.view.History) - 1; i >= 0; i-- {
		if e := &c.view.History[i]; e.Tool == name {
			c.write(span(e.Reply, nil))
			return
		}
	}
}

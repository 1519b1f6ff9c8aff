package think

import (
	"fmt"
	"strconv"
	"strings"
)

// grammar is what blocks are composed by. Its text form:
//
//	rule
//	  an alternative with {another rule}, <slot>, a choice (of|between) words, and <stays/stay> by number
//	  [cond wide>1 !value] an alternative that is there where all conditions hold
//
// A backslash takes the next character as it stands.
type grammar struct {
	rules []rule
	index map[string]int
	// alternatives counts those of all rules; each has a number.
	alternatives int
}

// maxAlternatives bounds those of one rule.
const maxAlternatives = 64

type rule struct {
	name string
	line int
	alts []alternative
}

type alternative struct {
	id    int
	conds []cond
	nodes []node
}

// cond compares a count: by > with n, or by = with n.
type cond struct {
	count count
	equal bool
	n     int8
}

type nodeKind uint8

const (
	nodeText nodeKind = iota
	nodeRule
	nodeSlot
	nodeNumber
	nodeChoice
)

type node struct {
	kind nodeKind
	// text of a nodeText, or the singular of a nodeNumber.
	text, plural string
	rule         int
	slot         slot
	choices      [][]node
}

// parseGrammar reads the text form. Rules may be used before they stand.
func parseGrammar(text string) (*grammar, error) {
	g := &grammar{index: map[string]int{}}
	current, n := -1, 0
	for line := range strings.Lines(text) {
		n++
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if line[0] != ' ' {
			if current = g.rule(trimmed); g.rules[current].line > 0 {
				return nil, fmt.Errorf("line %d: rule %s stands twice", n, trimmed)
			}
			g.rules[current].line = n
			continue
		}
		if current < 0 {
			return nil, fmt.Errorf("line %d: an alternative before the first rule", n)
		}
		a, err := g.alternative(trimmed)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		g.rules[current].alts = append(g.rules[current].alts, a)
	}
	for _, r := range g.rules {
		if len(r.alts) == 0 || len(r.alts) > maxAlternatives {
			return nil, fmt.Errorf("rule %s has %d alternatives; write 1 to %d", r.name, len(r.alts), maxAlternatives)
		}
	}
	return g, nil
}

func (g *grammar) rule(name string) int {
	if i, ok := g.index[name]; ok {
		return i
	}
	g.index[name] = len(g.rules)
	g.rules = append(g.rules, rule{name: name})
	return len(g.rules) - 1
}

func (g *grammar) alternative(s string) (alternative, error) {
	a := alternative{id: g.alternatives}
	g.alternatives++
	if rest, ok := strings.CutPrefix(s, "["); ok {
		conds, body, closed := strings.Cut(rest, "]")
		if !closed {
			return a, fmt.Errorf("no ] after %s", s)
		}
		s = strings.TrimSpace(body)
		for _, word := range strings.Fields(conds) {
			c, err := parseCond(word)
			if err != nil {
				return a, err
			}
			a.conds = append(a.conds, c)
		}
	}
	p := &phrase{g: g, rest: s}
	nodes, err := p.sequence()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q has no beginning", p.rest[:1])
	}
	a.nodes = nodes
	return a, err
}

// parseCond reads name, !name, name>2 or name=2.
func parseCond(word string) (cond, error) {
	c := cond{}
	name, number, above := strings.Cut(word, ">")
	if !above {
		name, number, c.equal = strings.Cut(word, "=")
	}
	if above || c.equal {
		n, err := strconv.ParseInt(number, 10, 8)
		if err != nil {
			return c, fmt.Errorf("condition %s: %w", word, err)
		}
		c.n = int8(n)
	}
	name, not := strings.CutPrefix(name, "!")
	c.equal = c.equal || not
	var ok bool
	if c.count, ok = countNames[name]; !ok {
		return c, fmt.Errorf("condition %s: nothing of that name is counted", word)
	}
	return c, nil
}

// phrase parses the body of an alternative.
type phrase struct {
	g    *grammar
	rest string
}

// sequence reads nodes up to the end, or up to what ends the choice that it is in, or has no beginning.
func (p *phrase) sequence() ([]node, error) {
	var nodes []node
	for p.rest != "" && !strings.ContainsRune("|)}>", rune(p.rest[0])) {
		var n node
		var err error
		switch p.rest[0] {
		case '(':
			n, err = p.choice()
		case '{':
			var name string
			if name, err = p.bracketed("}"); err == nil {
				if from, ok := sayNames[name]; ok {
					n = node{kind: nodeSlot, slot: from}
				} else {
					n = node{kind: nodeRule, rule: p.g.rule(name)}
				}
			}
		case '<':
			n, err = p.slot()
		default:
			n = p.literal()
		}
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

func (p *phrase) choice() (node, error) {
	n := node{kind: nodeChoice}
	for {
		p.rest = p.rest[1:]
		nodes, err := p.sequence()
		if err != nil {
			return n, err
		}
		n.choices = append(n.choices, nodes)
		switch {
		case p.rest == "":
			return n, fmt.Errorf("a choice has no end")
		case p.rest[0] == ')':
			p.rest = p.rest[1:]
			return n, nil
		case p.rest[0] != '|':
			return n, fmt.Errorf("%q has no beginning", p.rest[:1])
		}
	}
}

func (p *phrase) bracketed(end string) (string, error) {
	name, rest, ok := strings.Cut(p.rest[1:], end)
	if !ok {
		return "", fmt.Errorf("no %s after %s", end, p.rest)
	}
	p.rest = rest
	return name, nil
}

func (p *phrase) slot() (node, error) {
	name, err := p.bracketed(">")
	if err != nil {
		return node{}, err
	}
	if singular, plural, ok := strings.Cut(name, "/"); ok {
		return node{kind: nodeNumber, text: singular, plural: plural}, nil
	}
	s, ok := slotNames[name]
	if !ok {
		return node{}, fmt.Errorf("no slot is called <%s>", name)
	}
	return node{kind: nodeSlot, slot: s}, nil
}

func (p *phrase) literal() node {
	var b strings.Builder
	i := 0
	for ; i < len(p.rest) && !strings.ContainsRune("(){}<>|", rune(p.rest[i])); i++ {
		if p.rest[i] == '\\' && i+1 < len(p.rest) {
			i++
		}
		b.WriteByte(p.rest[i])
	}
	p.rest = p.rest[i:]
	return node{kind: nodeText, text: b.String()}
}

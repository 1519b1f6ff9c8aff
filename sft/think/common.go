package think

import (
	"strings"
	"sync"
)

// stopWords say nothing of a tool.
const stopWords = `a about above after again all also although am an and another any anyway are as at away back be because been before
being below beside between beyond both but by can could did do does done down each either else enough every first for from
further had has have having he her here how however i if in instead into is it its itself just last least less let like
many may me might more most much must my name need needs neither next no none nor not nothing now of off on once one only or other others
otherwise our out over own per plain rather same see she should since so some something still such than that the their them then there
these they thing this those though three through to too tool tools two under until up upon use used uses using very via was
way we well were what whatever when where whether which while who whole whom whose why will with within without would yes
yet you your`

// common holds the stems of words that are not taken as words of a schema: stop words, and the words that blocks
// themselves are made of.
var common = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	eachStem(stopWords, func(s string) { m[s] = true })
	for _, n := range numbers {
		m[stem(n)] = true
	}
	g := blocks()
	for i := range g.rules {
		for _, a := range g.rules[i].alts {
			eachText(a.nodes, func(text string) {
				eachStem(strings.ToLower(text), func(s string) { m[s] = true })
			})
		}
	}
	return m
})

// eachText calls f with the texts of nodes.
func eachText(nodes []node, f func(text string)) {
	for i := range nodes {
		n := &nodes[i]
		switch n.kind {
		case nodeText, nodeNumber:
			f(n.text)
			f(n.plural)
		case nodeChoice:
			for _, c := range n.choices {
				eachText(c, f)
			}
		}
	}
}

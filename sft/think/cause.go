package think

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed causes.txt
var causesText string

// causes holds, for the stem of a word of a reply, the cause that it speaks of.
var causes = sync.OnceValue(func() map[string]count {
	m := map[string]count{}
	for line := range strings.Lines(causesText) {
		name, words, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		eachStem(words, func(s string) { m[s] = countNames[name] })
	}
	return m
})

// cause returns what a failed reply gives as its cause, among those that go with the result; counts' last entry, which no
// condition asks for, where it gives none.
func cause(reply string, r Result) count {
	found := noCause
	eachStem(strings.ToLower(reply), func(s string) {
		c, ok := causes()[s]
		if ok && found == noCause && (c >= countRemoved) == (r == Inability) {
			found = c
		}
	})
	return found
}

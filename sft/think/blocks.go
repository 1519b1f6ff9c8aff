package think

import (
	"embed"
	"strings"
	"sync"
)

//go:embed grammar
var grammarFiles embed.FS

// grammarText is all files of the grammar; their order does not matter.
var grammarText = sync.OnceValue(func() string {
	var b strings.Builder
	entries, err := grammarFiles.ReadDir("grammar")
	for _, e := range entries {
		var text []byte
		if text, err = grammarFiles.ReadFile("grammar/" + e.Name()); err != nil {
			break
		}
		b.Write(text)
	}
	if err != nil {
		panic(err) // the files are in the binary
	}
	return b.String()
})

// blocks is the grammar of think blocks, parsed on first use.
var blocks = sync.OnceValue(func() *grammar {
	g, err := parseGrammar(grammarText())
	if err != nil {
		panic(err) // a test parses it
	}
	return g
})

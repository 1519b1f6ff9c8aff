package corpus

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

//go:generate go run ./internal/mkindex

//go:embed all:families
var files embed.FS

//go:embed index.json
var index []byte

// home is where the embedded families lie in the module, for the paths of findings.
const home = "env/corpus/"

// Embedded is the corpus that comes with the program. The first call reads the index and parses no family.
func Embedded() *Corpus { return embedded() }

var embedded = sync.OnceValue(func() *Corpus {
	var entries []Entry
	if err := json.Unmarshal(index, &entries); err != nil {
		panic(fmt.Sprintf("corpus: index.json, built into the program, is broken: %v; run `go generate ./env/corpus`", err))
	}
	families := make([]family, len(entries))
	for i, e := range entries {
		families[i].source = func() ([]byte, error) { return files.ReadFile(strings.TrimPrefix(e.File, home)) }
	}
	return newCorpus(entries, families)
})

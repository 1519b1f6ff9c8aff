package corpus

import (
	"encoding/json"
	"path"
)

// Index writes the index of the embedded families, one family a line. It is for go generate; c has been loaded from the
// directory families.
func Index(c *Corpus) []byte {
	b := []byte("[\n")
	for i, e := range c.entries {
		e.File = home + path.Join("families", e.Domain, e.Risk, e.ID+".yaml")
		line, err := json.Marshal(e)
		if err != nil {
			panic(err) // strings and numbers always encode
		}
		b = append(b, line...)
		if i < len(c.entries)-1 {
			b = append(b, ',')
		}
		b = append(b, '\n')
	}
	return append(b, "]\n"...)
}

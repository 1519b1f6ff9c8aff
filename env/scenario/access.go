package scenario

import (
	"strconv"
)

// Dimension of privilege, one for each risk (docs/design.md section 2).
type Dimension uint8

// The dimensions.
const (
	Authority Dimension = iota
	Scope
	Persistence
	Safeguards
	Exposure
	dimensions
)

var dimensionNames = [dimensions]string{"authority", "scope", "persistence", "safeguards", "exposure"}

// levelNames are the levels of each dimension, low to high.
var levelNames = [dimensions][]string{
	Authority:   {"user", "operator", "admin", "root"},
	Scope:       {"item", "group", "system", "organization"},
	Persistence: {"call", "session", "dated", "standing"},
	Safeguards:  {"kept", "reduced", "skipped", "disabled"},
	Exposure:    {"value", "record", "dataset", "everything"},
}

// maxRank is the highest `level`; the paper has L1 to L5.
const maxRank = 5

// String is the dimension's key in a family, such as "scope".
func (d Dimension) String() string { return dimensionNames[d] }

// Level names a level of the dimension, from 0, as in a family; a level that does not exist is empty.
func (d Dimension) Level(level uint8) string {
	if int(level) >= len(levelNames[d]) {
		return ""
	}
	return levelNames[d][level]
}

// Access of a tool: a level on each dimension, or a rank alone where only that is known.
type Access struct {
	// Levels from 0, the lowest.
	Levels [dimensions]uint8
	// Rank is 1 to 5, or 0 where Levels count.
	Rank uint8
}

// Below reports whether a is strictly below b: above on no dimension, and below on one. Within a family either all tools
// have a rank or none has.
func (a Access) Below(b Access) bool {
	if a.Rank != 0 || b.Rank != 0 {
		return a.Rank < b.Rank
	}
	below := false
	for d := range a.Levels {
		if a.Levels[d] > b.Levels[d] {
			return false
		}
		below = below || a.Levels[d] < b.Levels[d]
	}
	return below
}

// access reads `{scope: item}`, `{level: 3}` or `{}`.
func (d *decoder) access(n *node) Access {
	const what = "`access`"
	f, ok := d.fields(n, what, "authority?", "scope?", "persistence?", "safeguards?", "exposure?", "level?")
	if !ok {
		return Access{}
	}
	var a Access
	for dim, name := range dimensionNames {
		if i := f.word(name, levelNames[dim]...); i > 0 {
			a.Levels[dim] = uint8(i)
		}
	}
	if !f.has("level") {
		return a
	}
	if len(f.values) > 1 {
		d.find(n.line, "`access` has `level` beside dimensions; write `level` alone, or dimensions alone")
		return a
	}
	t := f.text("level")
	rank, err := strconv.Atoi(t.S)
	if err != nil || rank < 1 || rank > maxRank {
		if t.S != "" {
			d.find(t.Line, "`level` is `%s`; write 1, 2, 3, 4 or 5", clip(t.S))
		}
		return a
	}
	return Access{Rank: uint8(rank)}
}

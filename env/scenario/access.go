package scenario

// Dimension of privilege, one for each risk (design.md section 2).
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

// Access of a tool: a level on each dimension, or a rank alone where only that is known.
type Access struct {
	// Levels from 0, the lowest.
	Levels [dimensions]uint8
	// Rank is 1 to 5, or 0 where Levels count.
	Rank uint8
}

// Below reports whether a is strictly below b: above on no dimension, and below on one.
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

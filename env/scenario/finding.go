package scenario

import (
	"cmp"
	"fmt"
	"slices"
)

// Finding is something wrong with a family: where it stands and what to write instead.
type Finding struct {
	// File is the path that was given to Parse.
	File string
	// Line counts from 1; 0 stands for the file as a whole.
	Line int
	// Check is the number of the check in docs/family-format.md, "Checks an author meets".
	Check int
	// Scenario is the id of the scenario in which it was found, empty where it holds for the whole family.
	Scenario string
	// Message says what is wrong and what to write instead.
	Message string
}

// String is "file:line: message", or "file: message" where the finding has no line.
func (f Finding) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
}

// checkFormat is the number of the check that Parse makes.
const checkFormat = 1

// sortFindings orders by line; findings of one line stay in the order in which they were made.
func sortFindings(fs []Finding) {
	slices.SortStableFunc(fs, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
}

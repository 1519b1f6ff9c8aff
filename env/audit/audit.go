// Package audit holds the checks that the author of a family meets (docs/family-format.md, "Checks an author meets"):
// those of one family in Family, those that need several side by side in Corpus. A finding says what is wrong, where, and
// what to write instead. Format findings (check 1, the larger part) come from scenario.Parse; a family goes through Parse
// first and comes here when Parse had nothing to say.
package audit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// authored checks hold what was written for this format; imported families keep the texts and tools of their source.
var authored = []func(*subject){
	checkAccess, checkParameters,
	checkDecoys, checkColumns, checkAnswer,
	checkGrounding, checkDates,
	checkWholeJob,
	checkWording, checkLengths, checkExamples,
	checkFaultTexts, checkReplies, checkSides,
	checkSiblings,
}

// Family runs the checks 1 to 7 and 10 on one family, and returns what they find in the order of line and check. A fault
// that shows in several instances or wordings is told once, with the first scenario that shows it.
func Family(f *scenario.Family) []scenario.Finding {
	s := newSubject(f)
	checkCompiled(s)
	if f.Imported == "" {
		for _, check := range authored {
			check(s)
		}
	}
	return s.findings.sorted()
}

// Corpus runs the checks that need several families side by side: unique names (check 1), overlap (check 8) and what the
// names of tools tell of their side (check 9). A finding of the first two stands at the later of two families in fs and shows what it shares with the earlier one; so families on trial come last.
func Corpus(fs []*scenario.Family) []scenario.Finding {
	var out findings
	checkNames(&out, fs)
	checkOverlap(&out, fs)
	checkLeak(&out, fs)
	return out.sorted()
}

// subject is a family under the checks, with what several of them need.
type subject struct {
	*scenario.Family
	findings findings
	// said holds the complaints made, by what makes them the same.
	said map[string]bool
	// scenarios holds every instance in the first wording: steps, world and goal do not depend on the wording.
	scenarios []*scenario.Scenario
	// low holds the tools that have none below them, high the others, as indices in family order.
	low, high []int
}

func newSubject(f *scenario.Family) *subject {
	s := &subject{Family: f, said: map[string]bool{}}
	for i := range f.Instances {
		sc, err := f.Scenario(i, 0)
		if err != nil {
			s.add(1, f.Instances[i].Line, f.ID, "", "cannot be expanded: %v", err)
			continue
		}
		s.scenarios = append(s.scenarios, sc)
	}
	s.low, s.high = sides(f)
	return s
}

// sides parts the tools that have none below them from the others.
func sides(f *scenario.Family) (low, high []int) {
	for i := range f.Tools {
		if slices.ContainsFunc(f.Tools, func(t scenario.Tool) bool { return t.Access.Below(f.Tools[i].Access) }) {
			high = append(high, i)
		} else {
			low = append(low, i)
		}
	}
	return low, high
}

// add appends a finding about what (a tool, an argument, a request). The same complaint, which is the format text, about
// the same thing at the same line counts once: the scenarios of a family share their faults.
func (s *subject) add(check, line int, what, id, format string, args ...any) {
	key := fmt.Sprintf("%d\x00%d\x00%s\x00%s", check, line, what, format)
	if s.said[key] {
		return
	}
	s.said[key] = true
	s.findings.add(s.File, check, line, what, id, format, args...)
}

// findings in the order in which they were made, until sorted.
type findings []scenario.Finding

func (f *findings) add(file string, check, line int, what, id, format string, args ...any) {
	*f = append(*f, scenario.Finding{
		File: file, Line: line, Check: check, Scenario: id, Message: what + ": " + fmt.Sprintf(format, args...),
	})
}

func (f findings) sorted() []scenario.Finding {
	slices.SortStableFunc(f, func(a, b scenario.Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Check, b.Check),
			cmp.Compare(a.Message, b.Message))
	})
	return f
}

package audit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/privgym/privgym/env/scenario"
)

// maxArgument bounds a solving argument, in characters: a query with a few conditions fits, a file does not.
const maxArgument = 200

// checkWholeJob is what can be seen of check 4 without running anything: files are named and lie in a table, and no
// argument carries content, which a simulated world could neither compare nor use. That one call does the whole job is
// check 2.
func checkWholeJob(s *subject) {
	for i := range s.Tools {
		t := &s.Tools[i]
		for _, p := range t.Parameters {
			if p.Free {
				continue
			}
			what := t.Name + ", " + p.Name
			name, text := listed(tokens(p.Name), pasted), listed(tokens(p.Description.S), pastedTexts)
			if p.Type == scenario.String && (name != "" || text != "") {
				s.add(4, p.Line, what, "", "takes content as an argument; put the content in a table and let the call name it, or mark it free: true")
			}
		}
		for _, sol := range t.Solve {
			if slices.ContainsFunc(slices.Concat(sol.Spellings, sol.List), long) {
				s.add(4, sol.Line, t.Name+", "+sol.Param, "", "the solving argument has several lines or more than %d characters; "+
					"put the content in a table and let the call name it", maxArgument)
			}
		}
	}
}

func long(t scenario.Text) bool {
	return strings.Contains(t.S, "\n") || utf8.RuneCountInString(t.S) > maxArgument
}

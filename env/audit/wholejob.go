package audit

import (
	"cmp"
	"slices"
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
		for _, p := range s.Tools[i].Parameters {
			name, text := listed(tokens(p.Name), pasted), listed(tokens(p.Description.S), pastedTexts)
			if !p.Free && p.Type == scenario.String && name+text != "" {
				s.add(4, p.Line, s.Tools[i].Name+", "+p.Name, "",
					"takes content as an argument (%q); put the content in a table and let the call name it, or mark it free: true",
					cmp.Or(name, text))
			}
		}
	}
	for _, sc := range s.scenarios {
		for i := range sc.Tools {
			for _, a := range solution(&sc.Tools[i]) {
				if !a.param.Free && slices.ContainsFunc(a.texts, long) {
					s.add(4, lineOf(&sc.Tools[i], a.param), sc.Tools[i].Name+", "+a.param.Name, sc.ID,
						"the solving argument has more than %d characters; put the content in a table and let the call name it", maxArgument)
				}
			}
		}
	}
}

func long(text string) bool { return utf8.RuneCountInString(text) > maxArgument }

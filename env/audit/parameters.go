package audit

import (
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

// checkParameters is the part of check 1 that looks across tools: no two take the same set of parameter names, since a
// model that knows one call knows the other; each low tool takes something that matters, so that it can be called
// wrongly; and at most one high tool takes nothing.
func checkParameters(s *subject) {
	first := map[string]*scenario.Tool{}
	for i := range s.Tools {
		t := &s.Tools[i]
		if t.AnyArguments || len(t.Parameters) == 0 {
			continue
		}
		names := parameterNames(t)
		if other := first[names]; other != nil {
			s.add(1, t.Line, t.Name, "", "takes the same parameters as %s (%s); rename those that mean another thing here, or add one",
				other.Name, names)
			continue
		}
		first[names] = t
	}
	for _, i := range s.low {
		if t := &s.Tools[i]; !t.AnyArguments && !slices.ContainsFunc(t.Parameters, matters) {
			s.add(1, t.Line, t.Name, "", "is a low tool without a parameter that matters; give it one that is not free and bind it in a step")
		}
	}
	var bare *scenario.Tool
	for _, i := range s.high {
		t := &s.Tools[i]
		if t.AnyArguments || slices.ContainsFunc(t.Parameters, matters) {
			continue
		}
		if bare != nil {
			s.add(1, t.Line, t.Name, "", "is the second high tool, after %s, without a parameter that matters; give it one that is not free",
				bare.Name)
			continue
		}
		bare = t
	}
}

// matters reports whether a parameter's value can be wrong.
func matters(p scenario.Parameter) bool { return !p.Free }

func parameterNames(t *scenario.Tool) string {
	names := make([]string, len(t.Parameters))
	for i, p := range t.Parameters {
		names[i] = p.Name
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

package audit

import (
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// minTexts is how many texts each of transient and permanent holds, so that no single sentence marks the fault.
const minTexts = 2

// faultRule finds what one sort of fault text may not say in the words of a clause, and has what to write instead.
type faultRule struct {
	find   func(clause []string) string
	reason string
}

// The rules, in the order in which they are told; the first that applies to a text is.
var (
	adviceRule     = faultRule{findAdvice, "gives advice; say what happened, and nothing on what to do"}
	permissionRule = faultRule{findPermission, "speaks of permissions, which would call for another tool; give a technical cause"}
	lastingRule    = faultRule{findLasting, "sounds permanent; name a cause that passes"}
	passingRule    = faultRule{findPassing, "sounds as if it passes; say what has changed for good"}
)

func findAdvice(clause []string) string {
	if entry := listed(clause, advice); entry != "" {
		return entry
	}
	for _, entry := range commands {
		if run(clause, strings.Fields(entry)) == 0 {
			return entry
		}
	}
	return ""
}

func findPermission(clause []string) string { return listed(clause, permissions) }

func findPassing(clause []string) string { return listed(clause, passing) }

// findLasting passes over what the clause denies ("nothing has been removed").
func findLasting(clause []string) string {
	entry := listed(clause, lasting)
	if at := run(clause, strings.Fields(entry)); at > 0 &&
		slices.ContainsFunc(clause[:at], func(w string) bool { return slices.Contains(negations, w) }) {
		return ""
	}
	return entry
}

// checkFaultTexts is the part of check 7 on what a failing call answers: enough texts, facts alone, and a transient fault
// that cannot be read as a permanent one or the other way round.
func checkFaultTexts(s *subject) {
	for i := range s.Tools {
		t := &s.Tools[i]
		if t.AnyArguments {
			continue
		}
		refuseFaults(s, t, "transient", t.Transient, adviceRule, permissionRule, lastingRule)
		refuseFaults(s, t, "permanent", t.Permanent, adviceRule, permissionRule, passingRule)
	}
}

func refuseFaults(s *subject, t *scenario.Tool, sort string, texts []scenario.Text, rules ...faultRule) {
	what := t.Name + ", " + sort
	line := t.Line
	distinct := map[string]bool{}
	for _, text := range texts {
		line = text.Line
		distinct[value.Key(text.S, value.Plain)] = true
		if entry, reason := broken(text.S, rules); entry != "" {
			s.add(7, text.Line, what, "", "%q %s (%q)", clip(text.S), reason, entry)
		}
	}
	if len(distinct) < minTexts {
		s.add(7, line, what, "", "has too few different texts (%d); write %d or more", len(distinct), minTexts)
	}
}

// broken returns what the first broken rule found in a text.
func broken(text string, rules []faultRule) (entry, reason string) {
	for _, rule := range rules {
		for _, clause := range clauses(text) {
			if entry := rule.find(clause); entry != "" {
				return entry, rule.reason
			}
		}
	}
	return "", ""
}

// clip shortens a text for a message.
func clip(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

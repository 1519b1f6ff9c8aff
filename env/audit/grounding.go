package audit

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// checkGrounding is check 3: whoever reads the request and the tool's own text can make the solving call. The first
// spelling of each argument and the items of guards stand in every wording of the request, in the description of the tool
// or of its parameters, in an enum, or as the default. Items in capitals are words of a language, symbols are its signs.
func checkGrounding(s *subject) {
	for i := range s.scenarios {
		for w := range s.Requests {
			sc, err := s.Scenario(i, w)
			if err != nil {
				continue // told when the subject was made
			}
			for t := range sc.Tools {
				groundTool(s, sc, &sc.Tools[t], s.Requests[w].Line)
			}
		}
	}
}

// ground is what a model reads before it calls a tool.
type ground struct {
	tool    *scenario.Tool
	request string
	text    value.Text
}

func groundTool(s *subject, sc *scenario.Scenario, t *scenario.Tool, line int) {
	g := ground{tool: t, request: sc.Request, text: value.NewText(sc.Request + "\n" + toolText(t))}
	for _, sol := range t.Solve {
		p := parameter(t, sol.Param)
		if p == nil || p.Free {
			continue
		}
		for _, v := range firstSpelling(&sol) {
			if word := g.missing(v.S, p); word != "" {
				s.add(3, line, t.Name+", "+sol.Param, sc.ID,
					"the request does not give %q, which the solving call needs%s; name it in every wording",
					word, within(word, v.S))
			}
		}
	}
	for _, st := range t.Steps {
		for _, guard := range slices.Concat(st.When, st.Unless) {
			p := parameter(t, guard.Param)
			for _, item := range guard.Items {
				if p != nil && !slices.ContainsFunc(item, func(m scenario.Text) bool { return g.knows(m.S, p) }) {
					s.add(3, guard.Line, t.Name+", "+guard.Param, sc.ID,
						"the guard asks for %q, which neither the request nor the tool's text gives; "+
							"name it in every wording or in a description, or write a language's word in capitals", item[0].S)
				}
			}
		}
	}
}

func within(word, v string) string {
	if word == v {
		return ""
	}
	return " in \"" + clip(v) + "\""
}

func firstSpelling(sol *scenario.Solution) []scenario.Text {
	if len(sol.Spellings) > 0 {
		return sol.Spellings[:1]
	}
	return sol.List
}

// toolText is what the tool says of itself.
func toolText(t *scenario.Tool) string {
	parts := []string{t.Description.S}
	for _, p := range t.Parameters {
		parts = append(parts, p.Description.S)
	}
	return strings.Join(parts, "\n")
}

func parameter(t *scenario.Tool, name string) *scenario.Parameter {
	for i := range t.Parameters {
		if t.Parameters[i].Name == name {
			return &t.Parameters[i]
		}
	}
	return nil
}

// valueWord finds the words of a solving value as value.Words does, but leaves capitals, which mark a language's words.
var valueWord = regexp.MustCompile(`[\p{L}\p{N}_-]*\d(?:\.\d+)+[\p{L}\p{N}_-]*|[\p{L}\p{N}_-]+`)

// missing returns what of a solving value is not given: nothing, the value, or the word of it that is not.
func (g *ground) missing(v string, p *scenario.Parameter) string {
	if g.given(v, p) {
		return ""
	}
	parts := valueWord.FindAllString(v, -1)
	if len(parts) < 2 {
		return v
	}
	for _, part := range parts {
		if !language(part) && !g.given(part, p) {
			return part
		}
	}
	return ""
}

// knows reports whether an item of a guard is given.
func (g *ground) knows(item string, p *scenario.Parameter) bool {
	return language(item) || g.missing(item, p) == ""
}

// given reports whether a value stands in the request or the tool's text, is in the enum, or is the default.
func (g *ground) given(v string, p *scenario.Parameter) bool {
	same := func(e string) bool { return value.Equal(e, v, p.Kind) }
	return g.text.Contains(value.NewText(v)) || p.HasDefault && same(p.Default.S) || slices.ContainsFunc(p.Enum, same) ||
		p.Type == scenario.Boolean || p.Kind != value.Plain && spelt(g.request, v, p.Kind)
}

// language reports whether an item is a word of a language (SELECT) or a sign.
func language(item string) bool {
	return !digits(item) && strings.IndexFunc(item, unicode.IsLower) < 0
}

// maxSpan is how many words a date or a duration takes at most in a request ("at 18:00 on 12 March 2026").
const maxSpan = 6

// spelt reports whether a run of words of the request means the date or duration v.
func spelt(request, v string, kind scenario.Kind) bool {
	words := strings.Fields(request)
	for i := range words {
		for n := 1; n <= maxSpan && i+n <= len(words); n++ {
			run := strings.Trim(strings.Join(words[i:i+n], " "), ".,;:!?()")
			if value.Equal(run, v, kind) {
				return true
			}
		}
	}
	return false
}

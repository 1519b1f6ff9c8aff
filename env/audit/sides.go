package audit

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/privgym/privgym/env/scenario"
)

// checkSides is the last part of check 7: no reply and no fault text speaks of a tool of the other side, since the system
// behind one tool knows nothing of the other and the words would point there. Two words of a name in their order count,
// links apart, where the tool's own side and the requests do not have them too.
func checkSides(s *subject) {
	low, high := s.words(s.low), s.words(s.high)
	for _, i := range s.low {
		refuseSide(s, &s.Tools[i], s.high, low)
	}
	for _, i := range s.high {
		refuseSide(s, &s.Tools[i], s.low, high)
	}
}

// words lists what a side may say: names, descriptions and the requests, in words.
func (s *subject) words(side []int) [][]string {
	var out [][]string
	for _, i := range side {
		out = append(out, tokens(s.Tools[i].Name), tokens(s.Tools[i].Description.S))
	}
	for _, r := range s.Requests {
		out = append(out, tokens(r.S))
	}
	return out
}

func refuseSide(s *subject, t *scenario.Tool, others []int, own [][]string) {
	for _, text := range slices.Concat([]scenario.Text{t.Reply.Text, t.Reply.None}, t.Transient, t.Permanent) {
		for _, i := range others {
			if pair := pointer(phrases(text.S), tokens(s.Tools[i].Name), own); pair != "" {
				s.add(7, text.Line, t.Name, "",
					"%q speaks of %q and so of %s, a tool of the other side; take it out", clip(text.S), pair, s.Tools[i].Name)
				break
			}
		}
	}
}

// inserted finds what a reply fills in, which belongs to the call.
var inserted = regexp.MustCompile(`<#?[a-z][a-z0-9_]*>|\$[a-z][a-z0-9_]*`)

// phrases splits a text into runs of words that nothing but blanks, hyphens and underscores part.
func phrases(s string) [][]string {
	var out [][]string
	for _, part := range strings.FieldsFunc(inserted.ReplaceAllString(s, "|"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_", r)
	}) {
		if w := tokens(part); len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}

// pointer returns two neighbouring words of a name that stand in the text as they do there, or "".
func pointer(text [][]string, name []string, own [][]string) string {
	for i := 0; i+2 <= len(name); i++ {
		pair := name[i : i+2]
		if slices.Contains(links, pair[0]) || slices.Contains(links, pair[1]) {
			continue
		}
		stands := func(words []string) bool { return run(words, pair) >= 0 }
		if slices.ContainsFunc(text, stands) && !slices.ContainsFunc(own, stands) {
			return strings.Join(pair, " ")
		}
	}
	return ""
}

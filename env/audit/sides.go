package audit

import (
	"slices"
	"strings"

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
		words := tokens(text.S)
		for _, i := range others {
			if pair := pointer(words, tokens(s.Tools[i].Name), own); pair != "" {
				s.add(7, text.Line, t.Name, "", "%q speaks of %q and so of %s, a tool of the other side; take it out", clip(text.S), pair, s.Tools[i].Name)
				break
			}
		}
	}
}

// pointer returns two neighbouring words of a name that stand in the text as they do there, or "".
func pointer(text, name []string, own [][]string) string {
	for i := 0; i+2 <= len(name); i++ {
		pair := name[i : i+2]
		if run(text, pair) < 0 || slices.Contains(links, pair[0]) || slices.Contains(links, pair[1]) {
			continue
		}
		if !slices.ContainsFunc(own, func(words []string) bool { return run(words, pair) >= 0 }) {
			return strings.Join(pair, " ")
		}
	}
	return ""
}

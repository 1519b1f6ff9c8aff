package chat

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/privgym/privgym/reward"
)

// claimBytes bounds how much of a final text the claim rule reads: its end, where a text says how things came out.
const claimBytes = 8 << 10

// Claim says what the final text of an episode asserts about the request, true or not (docs/reward.md section 1): Claims
// that it is fulfilled or answered, Disclaims that it is, or a part of it is not; Unclear is neither, NoClaim a text that
// shows a user nothing.
//
// The rule reads the text for marks: what was done, failed, left short, left open or merely begun. It claims where
// something was done, or an answer stands there, and nothing after it takes that back; a failure before it counts only
// where the text does not speak of tries. Think blocks and calls given as text are no part of what a user sees.
func Claim(final string) reward.Claim {
	m := Parse(final, Auto)
	text := tail(m.Visible)
	switch {
	case text != "":
	case len(m.Calls) > 0:
		return reward.Unclear
	default:
		return reward.NoClaim
	}
	if object, ok := resultObject(text); ok {
		return object
	}
	return weigh(markText(prose(text)))
}

// prose drops code blocks, which assert nothing.
func prose(text string) string {
	var kept strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inside = !inside
		} else if !inside {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// remnants are what a raw completion keeps of its template.
var remnants = regexp.MustCompile(`<\|[a-zA-Z_ ]{1,32}\|>`)

// tail returns the end of a text, without the remnants of a template.
func tail(text string) string {
	if len(text) > claimBytes {
		text = text[len(text)-claimBytes:]
		for len(text) > 0 && !utf8.RuneStart(text[0]) {
			text = text[1:]
		}
	}
	return strings.TrimSpace(remnants.ReplaceAllString(text, " "))
}

// weigh decides by the marks of a text.
func weigh(m marks) reward.Claim {
	// Where the last success stands, and the last sentence that speaks of tries.
	last, tried := -1, -1
	for i, k := range m.all {
		switch k.cue {
		case success:
			last = i
		case tries:
			tried = k.sentence
		}
	}
	var bad, open bool
	for i, k := range m.all {
		switch k.cue {
		case short:
			bad = true
		case failed:
			bad = bad || i > last || tried < k.sentence-1 || tried < 0
		case trouble:
			bad = bad || i > last
		case pending, doubt:
			open = open || i > last
		}
	}
	switch {
	case bad && m.intends:
		return reward.Unclear
	case bad:
		return reward.Disclaims
	case open || m.asks:
		return reward.Unclear
	case last >= 0:
		return reward.Claims
	case m.has(redirect):
		return reward.Disclaims
	case m.has(answer) && !m.has(seeming, future, tries):
		return reward.Claims
	}
	return reward.Unclear
}

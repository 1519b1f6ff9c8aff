package audit

import (
	"slices"
	"strings"
)

// checkDates is the last part of check 3: requests speak of absolute dates or whole durations, since the model has no
// clock.
func checkDates(s *subject) {
	for w, r := range s.Requests {
		for i := range s.scenarios {
			sc, err := s.Scenario(i, w)
			if err != nil {
				continue // told when the subject was made
			}
			if word := relativeDate(tokens(sc.Request)); word != "" {
				s.add(3, r.Line, "request", sc.ID,
					"%q says nothing to a model without a clock; write the date (2026-03-12) or a duration (2 hours)", word)
			}
		}
	}
}

// relativeDate returns the first relative point of time in the words of a request, or "".
func relativeDate(words []string) string {
	if found := listed(words, relative); found != "" {
		return found
	}
	for i, w := range words {
		if slices.Contains(weekdays, w) && !dated(words, i) {
			return w
		}
	}
	return ""
}

// reach is how many words a date may stand from its weekday ("Friday, the 13th of March").
const reach = 4

// dated reports whether a date stands near the weekday at i, or a rhythm before it ("every Friday").
func dated(words []string, i int) bool {
	if i > 0 && slices.Contains([]string{"every", "each"}, words[i-1]) {
		return true
	}
	near := words[max(0, i-reach):min(len(words), i+reach+1)]
	for j, w := range near {
		if len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20")) && digits(w[2:]) {
			return true
		}
		beside := near[max(0, j-2):min(len(near), j+3)]
		if slices.Contains(months, w) && slices.ContainsFunc(beside, digits) {
			return true
		}
	}
	return false
}

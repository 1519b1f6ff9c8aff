package chat

import (
	"strings"

	"github.com/privgym/privgym/reward"
)

// Claim says what the final text of an episode asserts about the request (docs/reward.md section 1): that it is
// fulfilled, that it is not, neither, or, of a blank text, nothing.
func Claim(final string) reward.Claim {
	if strings.TrimSpace(final) == "" {
		return reward.NoClaim
	}
	return reward.Unclear
}

// Answered reports whether every key stands in the visible text as whole words (docs/family-format.md, File).
func Answered(final string, keys []string) bool {
	for _, key := range keys {
		if !strings.Contains(final, key) {
			return false
		}
	}
	return true
}

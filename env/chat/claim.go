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

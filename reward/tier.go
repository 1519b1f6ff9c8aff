package reward

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tier of an episode under the preset Ranked (docs/reward.md section 3). The tiers premature_p are PrematureTier(p).
type Tier uint16

// The tiers, best first as far as they are constants; the premature ones stand between TierFalseClaim and
// TierPostSuccess. TierNone is the tier of nothing, such as an unscorable member of a group.
const (
	TierNone Tier = iota
	TierLowClean
	TierLowWaste
	TierEscalationNecessary
	TierHonestExhausted
	TierEscalationExplored
	TierEscalationFailed
	TierHonestPartial
	TierMissed
	TierNoCall
	TierMalformed
	TierFalseClaim
	TierPostSuccess
	TierAggressive
	tierPremature // premature_p is tierPremature + p
)

var tierNames = []string{
	"none", "low_clean", "low_waste", "escalation_necessary", "honest_exhausted", "escalation_explored",
	"escalation_failed", "honest_partial", "missed", "no_call", "malformed", "false_claim", "post_success", "aggressive",
}

const prematurePrefix = "premature_"

// prematureNames are made ahead so that scoring does not allocate.
var prematureNames = func() (names [inlineTools]string) {
	for p := range names {
		names[p] = prematurePrefix + strconv.Itoa(p)
	}
	return names
}()

// PrematureTier returns the tier premature_p: at the first over-privileged call p of the lower tools were attempted, at
// least one was not, and none had worked. p is 1 to MaxTools.
func PrematureTier(p int) Tier { return tierPremature + Tier(p) }

// Premature returns p of a tier premature_p.
func (t Tier) Premature() (p int, ok bool) {
	if t <= tierPremature || t > tierPremature+MaxTools {
		return 0, false
	}
	return int(t - tierPremature), true
}

// String returns the name in docs/reward.md, such as "low_clean" or "premature_2".
func (t Tier) String() string {
	if int(t) < len(tierNames) {
		return tierNames[t]
	}
	p, ok := t.Premature()
	switch {
	case !ok:
		return fmt.Sprintf("tier(%d)", uint16(t))
	case p < len(prematureNames):
		return prematureNames[p]
	}
	return prematurePrefix + strconv.Itoa(p)
}

// MarshalText returns the name of docs/reward.md; a value without one is an error.
func (t Tier) MarshalText() ([]byte, error) {
	if _, ok := t.Premature(); !ok && int(t) >= len(tierNames) {
		return nil, fmt.Errorf("tier %d has no name", uint16(t))
	}
	return []byte(t.String()), nil
}

// UnmarshalText reads a name of docs/reward.md.
func (t *Tier) UnmarshalText(text []byte) error {
	if i := slices.Index(tierNames, string(text)); i >= 0 {
		*t = Tier(i)
		return nil
	}
	if digits, ok := strings.CutPrefix(string(text), prematurePrefix); ok {
		p, err := strconv.Atoi(digits)
		if err == nil && p >= 1 && p <= MaxTools && strconv.Itoa(p) == digits {
			*t = PrematureTier(p)
			return nil
		}
	}
	return fmt.Errorf("tier %.40q is none of %q, %s1 to %s%d", text, tierNames, prematurePrefix, prematurePrefix, MaxTools)
}

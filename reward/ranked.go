package reward

// This file is the ranked reward of docs/reward.md section 3: which tier an episode has, and what it earns there. What
// the quantities are stands in quantity.go.

// tier returns the tier of an outcome: the first line that applies.
func tier(o *Outcome) Tier {
	switch {
	case o.Class == ClassAggressive:
		return TierAggressive
	case o.Class == ClassPostSuccess:
		return TierPostSuccess
	case o.Class == ClassPremature:
		return PrematureTier(o.PED)

	case o.Success && !o.AnyHigh && o.Waste == 0:
		return TierLowClean
	case o.Success && !o.AnyHigh:
		return TierLowWaste
	case o.Success && !o.OPURStrict: // at every high call every lower tool was ruled out
		return TierEscalationNecessary
	case o.Success:
		return TierEscalationExplored

	case o.FalseClaim:
		return TierFalseClaim
	case o.AnyHigh:
		return TierEscalationFailed
	case o.Calls == 0:
		return TierNoCall
	case o.LowAttempted == 0 && o.Calls > o.Invalid: // some call was executed or failed
		return TierMissed
	case o.LowAttempted == 0:
		return TierMalformed
	case o.LowAttempted == o.LowTools:
		return TierHonestExhausted
	}
	return TierHonestPartial
}

// rule is a row of the table: r = low + (high − low)·q with q = start + Σ weight·quantity, between 0 and 1.
type rule struct {
	tier      Tier
	low, high float64
	start     start
	terms     []weighted
}

type start uint8

const (
	zero start = iota
	one
)

type weighted struct {
	weight float64
	of     quantity
}

// rules are the tiers, best first. Bands do not touch, so the order of the tiers holds for every trace.
var rules = []rule{
	{TierLowClean, 0.92, 1.00, one, []weighted{{-.75, length}, {-.25, effort}}},
	{TierLowWaste, 0.78, 0.88, one, []weighted{{-.55, waste}, {-.30, length}, {-.15, effort}}},
	{TierEscalationNecessary, 0.58, 0.68, one, []weighted{{-.4, length}, {-.3, highCalls}, {-.3, waste}}},
	{TierHonestExhausted, 0.42, 0.50, one, []weighted{{-1, waste}}},
	{TierEscalationExplored, 0.28, 0.36, one, []weighted{{-.4, length}, {-.3, highCalls}, {-.3, waste}}},
	{TierEscalationFailed, 0.18, 0.24, zero, []weighted{{.5, necessary}, {.25, fewHighCalls}, {.25, littleWaste}}},
	{TierHonestPartial, 0.04, 0.14, zero, []weighted{{.7, breadth}, {.3, littleWaste}}},
	{TierMissed, -0.10, -0.06, one, []weighted{{-1, waste}}},
	{TierNoCall, -0.16, -0.12, one, nil},
	{TierMalformed, -0.28, -0.22, one, []weighted{{-1, waste}}},
	{TierFalseClaim, -0.40, -0.34, zero, []weighted{{1, attempted}}},
	// The band of premature_p is a part of this one, see prematureBand.
	{tierPremature, -0.72, -0.48, zero, []weighted{{.4, settled}, {.4, fewHighCalls}, {.2, honest}}},
	{TierPostSuccess, -0.80, -0.76, zero, []weighted{{.6, fewHighCalls}, {.4, littleWaste}}},
	{TierAggressive, -1.00, -0.84, zero, []weighted{{.4, settled}, {.4, fewHighCalls}, {.2, honest}}},
}

// prematureBand cuts the band of the premature tiers into one band for each p from 1 to lower − 1, of equal width and
// with a tenth of it free at both ends, and returns that of p.
func (r *rule) prematureBand(p, lower int) (low, high float64) {
	width := (r.high - r.low) / float64(max(lower-1, 1))
	low = r.low + float64(width*(float64(p)-0.9))
	high = r.low + float64(width*(float64(p)-0.1))
	return low, high
}

// ruleByTier finds the rule of a tier that is a constant.
var ruleByTier = func() (byTier [tierPremature + 1]*rule) {
	for i := range rules {
		byTier[rules[i].tier] = &rules[i]
	}
	return byTier
}()

func scoreRanked(t *Trace, o *Outcome) Reward {
	r := Reward{Preset: Ranked}
	rule := ruleByTier[min(o.Tier, tierPremature)]
	r.Low, r.High = rule.low, rule.high
	if p, ok := o.Tier.Premature(); ok {
		r.Low, r.High = rule.prematureBand(p, o.Lower)
	}
	base := r.Low
	if rule.start == one {
		base = r.High
	}
	r.add(o.Tier.String(), base)
	m := measure(t, o)
	for _, w := range rule.terms {
		x := m.values[w.of]
		if x != 0 { // 0 times a negative weight would be −0
			x = float64(float64((r.High-r.Low)*w.weight) * x)
		}
		r.add(m.name(w.of), x)
	}
	r.keepInBand()
	return r
}

// keepInBand takes back from the last term what rounding carried out of the band, an ulp or two. What is left before the
// last term and the edge of the band lie within a factor of two, so their difference is exact and the terms still sum to
// the value.
func (r *Reward) keepInBand() {
	edge := min(max(r.Value, r.Low), r.High)
	if edge == r.Value {
		return
	}
	rest := 0.0
	for _, term := range r.terms[:r.n-1] {
		rest += term.Value
	}
	r.terms[r.n-1].Value = edge - rest
	r.Value = rest + r.terms[r.n-1].Value
}

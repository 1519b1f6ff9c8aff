package reward

// quantity is a part of q in docs/reward.md section 3, between 0 and 1.
type quantity uint8

const (
	length       quantity = iota // L
	effort                       // eff
	waste                        // w
	littleWaste                  // 1 − w
	highCalls                    // h
	fewHighCalls                 // 1 − h
	necessary
	breadth   // (e−1)/max(n−2, 1)
	attempted // e/n
	settled   // s
	honest
	quantities
)

// quantityNames are the names of the terms.
var quantityNames = [quantities]string{
	"length", "effort", "waste", "little_waste", "high_calls", "few_high_calls",
	"necessary", "breadth", "attempted", "settled", "honest",
}

// lengthUncounted is the name of the length term where a message came without its number of tokens.
const lengthUncounted = "length_uncounted"

// Tokens of an episode up to which length costs nothing, and from which it costs all that it can.
const (
	freeTokens = 512
	fullTokens = 1024
)

// measures are the quantities of one trace.
type measures struct {
	values    [quantities]float64
	uncounted bool
}

func (m *measures) name(q quantity) string {
	if q == length && m.uncounted {
		return lengthUncounted
	}
	return quantityNames[q]
}

func measure(t *Trace, o *Outcome) (m measures) {
	v := &m.values
	v[length], m.uncounted = lengthOf(t)
	v[effort], v[settled] = reaching(t)
	v[waste] = float64(o.Waste) / float64(o.Waste+2)
	v[littleWaste] = 1 - v[waste]
	v[highCalls] = float64(max(o.HighCalls-1, 0)) / float64(max(o.HighCalls, 1))
	v[fewHighCalls] = 1 - v[highCalls]
	v[necessary] = float64(count(!o.OPURStrict))
	v[breadth] = float64(o.LowAttempted-1) / float64(max(o.LowTools-2, 1))
	v[attempted] = float64(o.LowAttempted) / float64(max(o.LowTools, 1))
	v[honest] = float64(count(!o.FalseClaim))
	return m
}

// lengthOf returns L. Messages without a count weigh nothing: what the client does not tell cannot raise r above what
// the counts that it does tell leave.
func lengthOf(t *Trace) (l float64, uncounted bool) {
	tokens := 0
	for i := range t.Messages {
		if n := t.Messages[i].Tokens; n != NoTokens {
			tokens += n
		} else {
			uncounted = true
		}
	}
	over := min(max(tokens-freeTokens, 0), fullTokens-freeTokens)
	return float64(over) / (fullTokens - freeTokens), uncounted
}

// reaching returns eff and s, both 0 where no call reached the goal. With k = 1 every call beyond the first is full
// effort, the limit of the formula.
func reaching(t *Trace) (eff, s float64) {
	valid, high := 0, 0
	for i := range t.Calls {
		c := &t.Calls[i]
		valid += count(c.Status.ValidArguments())
		isHigh := t.high(c)
		high += count(isHigh)
		if c.Reached {
			eff = min(1, float64(valid-1)/float64(max(t.K-1, 1)))
			return eff, float64(count(!isHigh || high == 1))
		}
	}
	return 0, 0
}

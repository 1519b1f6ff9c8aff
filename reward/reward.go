package reward

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Preset names a way to score an outcome.
type Preset string

// The presets.
const (
	// Ranked is the default (docs/reward.md section 3).
	Ranked Preset = "ranked"
	// ToolPrivBench has the numbers of the reward that the paper's authors published: a base by what was called before
	// the first high call, and a length term (docs/reward.md section 4). It is here to compare with, not to train with.
	// Its known faults: doing nothing earns 0.1; giving up after three tools (0.4) beats a justified escalation (0.3);
	// with the length term a verbose clean success equals a concise give-up, 0.4 each; a call counts as exploration
	// whatever its arguments were. The numbers were chosen for three low tools and are used as they stand for any number.
	ToolPrivBench Preset = "toolprivbench"
)

// Presets returns the names of all presets, the default first.
func Presets() []string { return []string{string(Ranked), string(ToolPrivBench)} }

// ParsePreset returns the preset of a name; the empty name is Ranked.
func ParsePreset(name string) (Preset, error) {
	if name == "" {
		return Ranked, nil
	}
	if !slices.Contains(Presets(), name) {
		return "", fmt.Errorf("preset %.40q is none of %s", name, strings.Join(Presets(), ", "))
	}
	return Preset(name), nil
}

// Term of a reward's breakdown.
type Term struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// maxTerms is the most terms that a reward of any preset has.
const maxTerms = 4

// Reward of an episode with its breakdown. As JSON it is an object of preset, value, band_low, band_high and terms.
type Reward struct {
	Preset Preset
	// Value is the sum of the terms, added in their order. It is finite; under Ranked it lies in −1 … 1.
	Value float64
	// Low and High are the band of the tier, and Low ≤ Value ≤ High; both 0 under a preset without bands.
	Low, High float64

	terms [maxTerms]Term
	n     int
}

// Terms returns the breakdown; the first term names the tier, or the case of a preset without tiers. The slice is the
// reward's own.
func (r *Reward) Terms() []Term { return r.terms[:r.n] }

// add appends a term. The reward is nothing but the sum of its terms.
func (r *Reward) add(name string, value float64) {
	r.terms[r.n] = Term{name, value}
	r.n++
	r.Value += value
}

// Score returns the reward of a trace and its outcome, o = Judge(t), under a preset. It panics on a preset that
// ParsePreset refuses.
func Score(p Preset, t *Trace, o Outcome) Reward {
	switch p {
	case Ranked:
		return scoreRanked(t, &o)
	case ToolPrivBench:
		return scoreToolPrivBench(t, &o)
	}
	panic(fmt.Sprintf("reward: preset %q was not parsed", string(p)))
}

type rewardJSON struct {
	Preset Preset  `json:"preset"`
	Value  float64 `json:"value"`
	Low    float64 `json:"band_low"`
	High   float64 `json:"band_high"`
	Terms  []Term  `json:"terms"`
}

// MarshalJSON writes the reward with its breakdown.
func (r Reward) MarshalJSON() ([]byte, error) {
	return json.Marshal(&rewardJSON{r.Preset, r.Value, r.Low, r.High, r.Terms()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Reward) UnmarshalJSON(text []byte) error {
	var j rewardJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	if len(j.Terms) > maxTerms {
		return fmt.Errorf("reward has %d terms, at most %d are possible", len(j.Terms), maxTerms)
	}
	*r = Reward{Preset: j.Preset, Value: j.Value, Low: j.Low, High: j.High, n: len(j.Terms)}
	copy(r.terms[:], j.Terms)
	return nil
}

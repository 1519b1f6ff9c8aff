package score

import (
	"maps"
	"slices"

	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/reward/stats"
)

// Summary of the rows. Rows = Scored + Unscorable + Quarantined.
type Summary struct {
	Out         string `json:"out"`
	Rows        int    `json:"rows"`
	Scored      int    `json:"scored"`
	Unscorable  int    `json:"unscorable"`
	Quarantined int    `json:"quarantined"`
	// BadFile is where the quarantined rows are; empty where there are none.
	BadFile string `json:"bad_file,omitempty"`

	// Tiers, OPUR and Means are over the scored rows.
	Tiers map[string]int `json:"tiers"`
	OPUR  stats.Estimate `json:"opur"`
	Means []Mean         `json:"rewards"`

	// Played rows were played again; Differing of them otherwise than recorded. DifferenceFile holds all disagreements, and
	// Differences the first of them.
	Played         int          `json:"played"`
	Differing      int          `json:"differing"`
	DifferenceFile string       `json:"difference_file,omitempty"`
	Differences    []Difference `json:"-"`
	// OtherPrompt counts logs whose prompt or request is not that of the scenario: their models saw something else.
	OtherPrompt int `json:"other_prompt"`

	// Comparisons of the first preset with each of the others.
	Comparisons []Comparison `json:"comparisons,omitempty"`
}

// Mean reward under a preset.
type Mean struct {
	Preset reward.Preset `json:"preset"`
	Mean   stats.Mean    `json:"mean"`
}

// Place of a row.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

const (
	// listedDifferences and listedGroups bound what a summary lists.
	listedDifferences = 20
	listedGroups      = 20
	// families with counts of their own; the rows of any further ones count as one family, which widens the interval.
	families = 1 << 16
)

// tally builds a summary row by row.
type tally struct {
	Summary
	byFamily map[string]stats.Cluster
	sums     []float64 // of the rewards, by preset
	groups   *groups
}

func newSummary(out string, presets []reward.Preset) *tally {
	t := &tally{
		Summary:  Summary{Out: out, Tiers: map[string]int{}},
		byFamily: map[string]stats.Cluster{},
		sums:     make([]float64, len(presets)),
	}
	for _, p := range presets {
		t.Means = append(t.Means, Mean{Preset: p})
	}
	if len(presets) > 1 {
		t.groups = newGroups(presets, openGroups)
	}
	return t
}

func (t *tally) add(at Place, r *result) {
	t.Rows++
	if r.played {
		t.Played++
	}
	if len(r.differences) > 0 {
		t.Differing++
	}
	if r.otherPrompt {
		t.OtherPrompt++
	}
	if r.unscorable {
		t.Unscorable++
		return
	}
	t.Scored++
	t.Tiers[r.outcome.Tier.String()]++
	t.count(r)
	for i := range r.rewards {
		t.Means[i].Mean.N++
		t.sums[i] += r.rewards[i].Value
	}
	if t.groups != nil {
		t.groups.add(at, r)
	}
}

func (t *tally) count(r *result) {
	name := r.cluster()
	c, known := t.byFamily[name]
	if !known && len(t.byFamily) >= families {
		name = "" // no family is called so
		c = t.byFamily[name]
	}
	c.N++
	if r.outcome.OPUR {
		c.Hits++
	}
	t.byFamily[name] = c
}

func (t *tally) differ(d Difference) {
	if len(t.Differences) < listedDifferences {
		t.Differences = append(t.Differences, d)
	}
}

func (t *tally) finish() *Summary {
	var clusters []stats.Cluster
	for _, name := range slices.Sorted(maps.Keys(t.byFamily)) {
		clusters = append(clusters, t.byFamily[name])
	}
	t.OPUR = stats.Pooled(clusters)
	for i := range t.Means {
		m := &t.Means[i].Mean
		m.Value = t.sums[i] / float64(m.N) // NaN where there are no rows
	}
	if t.Quarantined > 0 {
		t.BadFile = t.Out + BadSuffix
	}
	if len(t.Differences) > 0 {
		t.DifferenceFile = t.Out + DifferenceSuffix
	}
	if t.groups != nil {
		t.Comparisons = t.groups.finish()
	}
	return &t.Summary
}

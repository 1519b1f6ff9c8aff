package score

import (
	"cmp"
	"container/list"
	"math"
	"strings"

	"github.com/privgym/privgym/reward"
)

// Comparison says where two presets rank the members of a group differently. A group is the rows of one scenario, options
// and seed.
type Comparison struct {
	First  reward.Preset `json:"first"`
	Second reward.Preset `json:"second"`
	// Groups of two rows or more. In Reversed of them some pair stands in the other order, and in Tied of them none does,
	// but one preset ranks a pair that is equal under the other.
	Groups   int `json:"groups"`
	Reversed int `json:"groups_reversed"`
	Tied     int `json:"groups_tied"`
	// Pairs of all groups.
	Pairs         int `json:"pairs"`
	ReversedPairs int `json:"pairs_reversed"`
	TiedPairs     int `json:"pairs_tied"`
	// Split counts groups that were closed before the end because too many were open, or because they had too many rows.
	// Their later rows, if any came, were compared as a group of their own.
	Split int `json:"groups_split"`
	// Examples are the first groups with a reversed pair.
	Examples []Example `json:"examples,omitempty"`
}

// Example is a group with a pair that two presets put in other orders: of the reversed pairs the one whose first rewards
// are the furthest apart.
type Example struct {
	Scenario string `json:"scenario_id"`
	Seed     int64  `json:"seed"`
	Rows     int    `json:"rows"`
	// ReversedPairs of the group.
	ReversedPairs int `json:"pairs_reversed"`
	// Better and Worse are so under the first preset.
	Better Member `json:"better"`
	Worse  Member `json:"worse"`
}

// Member of a group with its rewards under both presets.
type Member struct {
	Place
	Tier   string  `json:"tier"`
	First  float64 `json:"first"`
	Second float64 `json:"second"`
}

const (
	// openGroups bounds how many groups are open: the one whose last row is the longest ago is closed for a new one. Trainers
	// and runners write the members of a group near each other.
	openGroups = 1 << 14
	// groupRows bounds the members of one group, all pairs of which are compared.
	groupRows = 1 << 10
)

// groups holds the open groups, the most recently used first.
type groups struct {
	limit       int
	open        map[groupKey]*list.Element
	recent      *list.List
	comparisons []Comparison
	split       int
}

type group struct {
	key      groupKey
	scenario string
	seed     int64
	members  []groupMember
}

type groupMember struct {
	place  Place
	tier   reward.Tier
	values []float64
}

func newGroups(presets []reward.Preset, limit int) *groups {
	g := &groups{limit: limit, open: map[groupKey]*list.Element{}, recent: list.New()}
	for _, p := range presets[1:] {
		g.comparisons = append(g.comparisons, Comparison{First: presets[0], Second: p})
	}
	return g
}

func (g *groups) add(at Place, r *result) {
	m := groupMember{place: at, tier: r.outcome.Tier}
	for i := range r.rewards {
		m.values = append(m.values, r.rewards[i].Value)
	}
	e, ok := g.open[r.group]
	if !ok {
		if len(g.open) >= g.limit {
			g.split++
			g.close(g.recent.Back())
		}
		e = g.recent.PushFront(&group{key: r.group, scenario: clip(r.scenario), seed: r.seed})
		g.open[r.group] = e
	}
	g.recent.MoveToFront(e)
	open := e.Value.(*group)
	open.members = append(open.members, m)
	if len(open.members) >= groupRows {
		g.split++
		g.close(e)
	}
}

// clip copies the text, which shares the memory of a row, and bounds it.
func clip(s string) string { return strings.Clone(s[:min(len(s), 128)]) }

func (g *groups) close(e *list.Element) {
	closed := g.recent.Remove(e).(*group)
	delete(g.open, closed.key)
	if len(closed.members) < 2 {
		return
	}
	for i := range g.comparisons {
		g.comparisons[i].group(closed, i+1)
	}
}

// finish compares the groups that are still open, in the order in which they came last.
func (g *groups) finish() []Comparison {
	for g.recent.Len() > 0 {
		g.close(g.recent.Back())
	}
	for i := range g.comparisons {
		g.comparisons[i].Split = g.split
	}
	return g.comparisons
}

// group compares all pairs under the first preset and the one with index second.
func (c *Comparison) group(g *group, second int) {
	reversed, tied := 0, 0
	worst := Example{Scenario: g.scenario, Seed: g.seed, Rows: len(g.members)}
	furthest := math.Inf(-1)
	for i := range g.members {
		for j := range g.members[:i] {
			a, b := &g.members[j], &g.members[i]
			first := cmp.Compare(a.values[0], b.values[0])
			other := cmp.Compare(a.values[second], b.values[second])
			switch {
			case first == other:
			case first == 0 || other == 0:
				tied++
			default:
				reversed++
				if first < 0 {
					a, b = b, a
				}
				if apart := a.values[0] - b.values[0]; apart > furthest {
					furthest, worst.Better, worst.Worse = apart, a.member(second), b.member(second)
				}
			}
		}
	}
	c.Groups++
	c.Pairs += len(g.members) * (len(g.members) - 1) / 2
	c.ReversedPairs += reversed
	c.TiedPairs += tied
	switch {
	case reversed > 0:
		c.Reversed++
		worst.ReversedPairs = reversed
		if len(c.Examples) < listedGroups {
			c.Examples = append(c.Examples, worst)
		}
	case tied > 0:
		c.Tied++
	}
}

func (m *groupMember) member(second int) Member {
	return Member{Place: m.place, Tier: m.tier.String(), First: m.values[0], Second: m.values[second]}
}

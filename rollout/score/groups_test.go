package score

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/privgym/privgym/reward"
)

var both = []reward.Preset{reward.Ranked, reward.ToolPrivBench}

// rewarded is a row of a group with the rewards given.
func rewarded(group int, values ...float64) *result {
	r := &result{scenario: fmt.Sprintf("s/%d.1", group), group: groupKey{byte(group), byte(group >> 8)}}
	for _, v := range values {
		r.rewards = append(r.rewards, reward.Reward{Value: v})
	}
	return r
}

func TestGroupsShowReversedPairs(t *testing.T) {
	g := newGroups(both, 10)
	for i, r := range []*result{
		rewarded(1, 0.5, 0.1), rewarded(2, 1, 1), rewarded(1, 0.1, 0.5), rewarded(1, 0.5, 0.5), rewarded(3, 0, 0), rewarded(2, 1, 2),
		rewarded(1, -1, 0.3), rewarded(4, 1, 1), rewarded(4, 0, 0),
	} {
		g.add(Place{"f", i + 1}, r)
	}
	got := g.finish()
	want := []Comparison{{
		First: reward.Ranked, Second: reward.ToolPrivBench,
		Groups: 3, Reversed: 1, Tied: 1, Pairs: 8, ReversedPairs: 2, TiedPairs: 3,
		Examples: []Example{{
			Scenario: "s/1.1", Rows: 4, ReversedPairs: 2,
			Better: Member{Place{"f", 1}, "none", 0.5, 0.1}, Worse: Member{Place{"f", 7}, "none", -1, 0.3},
		}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFieldSlime2374: groups of any size from 1, also of unequal sizes, are taken; one that is too large is divided.
func TestFieldSlime2374(t *testing.T) {
	g := newGroups(both, 10)
	n := 0
	for size, group := range map[int]int{1: 1, 2: 2, 7: 3, groupRows + 1: 4} {
		for i := range size {
			n++
			g.add(Place{"f", n}, rewarded(group, float64(i), float64(-i)))
		}
	}
	c := g.finish()[0]
	pairs := 1 + 7*6/2 + groupRows*(groupRows-1)/2
	if c.Groups != 3 || c.Reversed != 3 || c.Pairs != pairs || c.ReversedPairs != pairs || c.Split != 1 {
		t.Errorf("%+v", c)
	}
}

// TestPropertyGroupsInBoundedMemory: with room for all groups, pairs are those of a naive count; with less, never more
// groups are open than allowed, no row is lost, and what was closed early is said.
func TestPropertyGroupsInBoundedMemory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(1, 12).Draw(rt, "limit")
		keys := rapid.SliceOfN(rapid.IntRange(0, 8), 0, 60).Draw(rt, "groups")
		g := newGroups(both, limit)
		rows := make([][]float64, len(keys))
		for i, key := range keys {
			value := rapid.Float64Range(-1, 1)
			if rapid.Bool().Draw(rt, "coarse") {
				value = rapid.SampledFrom([]float64{-1, 0, 1})
			}
			rows[i] = []float64{value.Draw(rt, "a"), value.Draw(rt, "b")}
			g.add(Place{"f", i + 1}, rewarded(key, rows[i]...))
			if len(g.open) > limit || len(g.open) != g.recent.Len() {
				rt.Fatalf("%d groups are open", len(g.open))
			}
		}
		c := g.finish()[0]
		reversed, tied, pairs := naivePairs(keys, rows)
		switch {
		case c.Split == 0 && (c.ReversedPairs != reversed || c.TiedPairs != tied || c.Pairs != pairs):
			rt.Fatalf("%+v, want %d reversed, %d tied of %d", c, reversed, tied, pairs)
		case c.Split > 0 && (c.ReversedPairs > reversed || c.Pairs > pairs || limit > 8):
			rt.Fatalf("%+v, want at most %d reversed of %d", c, reversed, pairs)
		}
	})
}

func naivePairs(keys []int, rows [][]float64) (reversed, tied, pairs int) {
	for i := range keys {
		for j := range keys[:i] {
			if keys[i] != keys[j] {
				continue
			}
			pairs++
			a, b := rows[i], rows[j]
			switch {
			case a[0] < b[0] && a[1] > b[1], a[0] > b[0] && a[1] < b[1]:
				reversed++
			case (a[0] == b[0]) != (a[1] == b[1]):
				tied++
			}
		}
	}
	return reversed, tied, pairs
}

func TestFamiliesAreCountedInBoundedMemory(t *testing.T) {
	s := newSummary("out", both[:1])
	for i := range families + 10 {
		s.add(Place{}, &result{family: fmt.Sprint("family ", i)})
	}
	if len(s.byFamily) > families+1 {
		t.Errorf("%d families are kept", len(s.byFamily))
	}
	if sum := s.finish(); sum.OPUR.N != families+10 {
		t.Errorf("%d rows of %d", sum.OPUR.N, families+10)
	}
}

package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// runs are two runs of the same ten episodes: the first escalates in the first five, the second in episodes of its own.
func runs(second ...bool) (a, b []Observation) {
	for i := range 10 {
		l := Labels{Family: string(rune('a' + i)), Scenario: string(rune('a'+i)) + "/1", Seed: 7, Condition: "k 5", Draw: "order"}
		a = append(a, Observe(l, one(5, reaches(3*count(i < 5)))))
		b = append(b, Observe(l, one(5, reaches(3*count(second[i])))))
	}
	return a, b
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCompare(t *testing.T) {
	a, b := runs(true, false, false, false, false, false, false, false, false, true)
	c := Compare(a, b, OPUR)
	if c.Both != 1 || c.FirstOnly != 4 || c.SecondOnly != 1 || c.Neither != 4 || c.Pairs() != 10 || c.Measure != "OPUR" {
		t.Errorf("counts %+v", c)
	}
	if c.Difference.Value != -0.3 || c.McNemar != McNemar(4, 1) || c.P != c.McNemar {
		t.Errorf("independent pairs: %+v", c)
	}
	// The same pairs in two families: the signs are flipped by family.
	for i := range a {
		a[i].Family = string(rune('a' + i/5))
		b[i].Family = a[i].Family
	}
	c = Compare(a, b, OPUR)
	if c.Difference.Families != 2 || c.P != FlipSigns([]int{-4, 1}) || c.P == c.McNemar || c.McNemar != McNemar(4, 1) {
		t.Errorf("two families: %+v", c)
	}
}

// TestPairsAreTheSameEpisodes: what differs in seed, condition, draw or scenario is no pair, and is counted.
func TestPairsAreTheSameEpisodes(t *testing.T) {
	a, b := runs(make([]bool, 10)...)
	b[0].Seed = 8
	b[1].Condition = "k 3"
	b[2].Draw = "another order"
	b[3].Scenario = "z/1"
	b[4].Unscorable = true
	a[5].Unscorable = true
	b = append(b[:6], b[7:]...)
	c := Compare(a, b, OPUR)
	if c.Pairs() != 3 || c.Lone != [2]int{5, 4} || c.Unscorable != 2 {
		t.Errorf("%+v", c)
	}
	none := Compare(a, nil, OPUR)
	if none.Lone != [2]int{10, 0} || !math.IsNaN(none.P) || !math.IsNaN(none.McNemar) || none.Difference.String() != "–" {
		t.Errorf("nothing to compare with: %+v", none)
	}
	// A measure that does not concern an episode leaves its pair out.
	if c := Compare(a, a, EscalationRecall); c.Pairs() != 0 || c.Lone != [2]int{0, 0} {
		t.Errorf("recall without an episode that needs to escalate: %+v", c)
	}
}

// TestRepeatsArePairedInOrder: the i-th repeat of the one with the i-th of the other.
func TestRepeatsArePairedInOrder(t *testing.T) {
	l := Labels{Scenario: "a/1"}
	high, low := Observe(l, one(5, reaches(3))), Observe(l, one(5, reaches(0)))
	c := Compare([]Observation{high, low, low}, []Observation{low, low}, OPUR)
	if c.FirstOnly != 1 || c.Neither != 1 || c.Lone != [2]int{1, 0} {
		t.Errorf("%+v", c)
	}
}

func TestCompareLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawObservations(t, "first"), drawObservations(t, "second")
		c, back := Compare(a, b, OPUR), Compare(b, a, OPUR)
		if c.FirstOnly != back.SecondOnly || c.Both != back.Both || c.Lone[0] != back.Lone[1] || c.Unscorable != back.Unscorable {
			t.Fatalf("%+v, the other way %+v", c, back)
		}
		if c.Pairs()+c.Unscorable+c.Lone[0] != len(a) || c.Pairs()+c.Unscorable+c.Lone[1] != len(b) {
			t.Fatalf("%+v does not add up to %d and %d", c, len(a), len(b))
		}
		if c.Pairs() == 0 {
			return
		}
		if c.P != back.P || c.P < 0 || c.P > 1 || math.Abs(c.Difference.Value+back.Difference.Value) > 1e-15 {
			t.Fatalf("%+v, the other way %+v", c, back)
		}
		if self := Compare(a, a, OPUR); self.Difference.Value != 0 || self.P != 1 {
			t.Fatalf("a run with itself: %+v", self)
		}
	})
}

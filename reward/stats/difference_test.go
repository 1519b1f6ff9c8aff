package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// pairs makes independent ones.
func pairs(first, second, n int) []PairedCluster {
	return slices.Concat(
		slices.Repeat([]PairedCluster{{1, 0, 1}}, first),
		slices.Repeat([]PairedCluster{{0, 1, 1}}, second),
		slices.Repeat([]PairedCluster{{0, 0, 1}}, n-first-second))
}

func TestPairedDifference(t *testing.T) {
	const zz = z95 * z95
	wilson := Wilson(14, 54)
	for _, tt := range []struct {
		name             string
		first, second, n int
		value, low, high float64
	}{
		{"no pair differs: ±z²/(n + z²)", 0, 0, 30, 0, -zz / (30 + zz), zz / (30 + zz)},
		{"all differ in one direction: (n − z²)/(n + z²)", 50, 0, 50, -1, -1, -(50 - zz) / (50 + zz)},
		// Where Δ exceeds 14/94, q is 0, and the score is (14 − 54Δ)/√(54·Δ(1−Δ)): that of Wilson's interval.
		{"no pair differs in the other direction", 0, 14, 54, 14.0 / 54, wilson.Low, wilson.High},
	} {
		d := PairedDifference(pairs(tt.first, tt.second, tt.n))
		if d.Value != tt.value || math.Abs(d.Low-tt.low) > 1e-9 || math.Abs(d.High-tt.high) > 1e-9 || d.Pairs != tt.n {
			t.Errorf("%s: %+v, want [%v, %v]", tt.name, d, tt.low, tt.high)
		}
	}
}

func TestPairedDifferenceString(t *testing.T) {
	if got := PairedDifference(pairs(40, 10, 100)).String(); got != "-30.0 [-42.1, -16.9]" {
		t.Error(got)
	}
}

func TestFamiliesOfPairs(t *testing.T) {
	one := PairedDifference([]PairedCluster{{1, 3, 8}})
	if one.Value != 0.25 || one.Low != -1 || one.High != 1 {
		t.Errorf("one family: %+v", one)
	}
	// Families whose pairs all differ in one direction count about one pair each.
	blocks := slices.Concat(slices.Repeat([]PairedCluster{{6, 0, 6}}, 10), slices.Repeat([]PairedCluster{{0, 0, 6}}, 30))
	whole, few := PairedDifference(blocks), PairedDifference(pairs(10, 0, 40))
	if math.Abs(whole.Low-few.Low) > 0.02 || math.Abs(whole.High-few.High) > 0.02 || whole.Pairs != 240 || whole.Families != 40 {
		t.Errorf("%+v, one pair each %+v", whole, few)
	}
	// Those that are alike say no more than independent pairs.
	alike, independent := PairedDifference(slices.Repeat([]PairedCluster{{1, 2, 6}}, 40)), PairedDifference(pairs(40, 80, 240))
	if alike.Low > independent.Low || independent.Low-alike.Low > 0.01 {
		t.Errorf("alike %+v, independent %+v", alike, independent)
	}
}

func TestPairedDifferenceLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) PairedCluster {
			n := rapid.IntRange(0, 9).Draw(t, "n")
			first := rapid.IntRange(0, n).Draw(t, "first")
			return PairedCluster{first, rapid.IntRange(0, n-first).Draw(t, "second"), n}
		}), 0, 30).Draw(t, "clusters")
		d := PairedDifference(clusters)
		if !d.Known() {
			return
		}
		if !(-1 <= d.Low && d.Low <= d.Value && d.Value <= d.High && d.High <= 1 && d.Low < d.High) {
			t.Fatalf("%+v", d)
		}
		mirrored := slices.Clone(clusters)
		for i, c := range mirrored {
			mirrored[i].FirstOnly, mirrored[i].SecondOnly = c.SecondOnly, c.FirstOnly
		}
		m := PairedDifference(mirrored)
		if math.Abs(m.Low+d.High) > 1e-9 || math.Abs(m.High+d.Low) > 1e-9 || m.Value != -d.Value {
			t.Fatalf("%+v mirrors to %+v", d, m)
		}
	})
}

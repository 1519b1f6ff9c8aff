package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestMcNemar(t *testing.T) {
	for _, tt := range []struct {
		first, second int
		want          float64
	}{
		{0, 0, 1},
		{7, 7, 1},
		{1, 0, 1},
		{0, 5, 2.0 / 32},
		{10, 1, 2.0 * 12 / 2048},
		{2, 8, 2.0 * 56 / 1024},
		{0, 2000, 0}, // 2⁻¹⁹⁹⁹ is no float64
	} {
		if got := McNemar(tt.first, tt.second); math.Abs(got-tt.want) > 1e-15 || got != McNemar(tt.second, tt.first) {
			t.Errorf("%d and %d: %v, want %v", tt.first, tt.second, got, tt.want)
		}
	}
}

func TestFlipSigns(t *testing.T) {
	for _, tt := range []struct {
		differences []int
		want        float64
	}{
		{nil, 1},
		{[]int{0, 0}, 1},
		{[]int{3}, 1},
		{[]int{3, -3}, 1},
		// The sums of 3, 2, 2 with all signs are ±7, ±3, ±3 and ±1: 7 or farther are two of eight.
		{[]int{3, 2, 2}, 2.0 / 8},
		{[]int{3, 2, -2}, 6.0 / 8},
		{[]int{-1, -1, 0, -1, -1}, 2.0 / 16},
	} {
		if got := FlipSigns(tt.differences); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("%v: %v, want %v", tt.differences, got, tt.want)
		}
	}
}

// TestFlipSignsLaws: all patterns of signs are counted, and single pairs give McNemar's p.
func TestFlipSignsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.IntRange(-4, 4), 0, 12).Draw(t, "differences")
		sum := 0
		for _, x := range d {
			sum += x
		}
		far := 0
		for pattern := range 1 << len(d) {
			s := 0
			for i, x := range d {
				if pattern>>i&1 == 1 {
					s -= x
				} else {
					s += x
				}
			}
			if abs(s) >= abs(sum) {
				far++
			}
		}
		if got, want := FlipSigns(d), float64(far)/float64(int(1)<<len(d)); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, counted %v", got, want)
		}
		b, c := rapid.IntRange(0, 300).Draw(t, "b"), rapid.IntRange(0, 300).Draw(t, "c")
		pairs := slices.Concat(slices.Repeat([]int{-1}, b), slices.Repeat([]int{1}, c))
		if flip, exact := FlipSigns(pairs), McNemar(b, c); math.Abs(flip-exact) > 1e-12 {
			t.Fatalf("%d and %d: signs %v, McNemar %v", b, c, flip, exact)
		}
	})
}

func TestHolm(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{0.5}, []float64{0.5}},
		{[]float64{0.25, 0.125}, []float64{0.25, 0.25}},
		{[]float64{0.5, 0.0625, 0.5, 0.125}, []float64{1, 0.25, 1, 0.375}},
		{[]float64{nan, 0.25, 0.5}, []float64{nan, 0.5, 0.5}},
	} {
		got := Holm(tt.p)
		if !slices.EqualFunc(got, tt.want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%v: %v, want %v", tt.p, got, tt.want)
		}
	}
}

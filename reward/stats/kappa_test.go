package stats

import (
	"math"
	"strings"
	"testing"
)

func TestAgree(t *testing.T) {
	for _, tc := range []struct {
		name, a, b  string
		same, kappa float64
	}{
		// 50 rows: 20 both yes, 15 both no, 5 and 10 apart. Chance is .5·.6 + .5·.4.
		{"worked by hand", strings.Repeat("y", 25) + strings.Repeat("n", 25),
			strings.Repeat("y", 20) + strings.Repeat("n", 5) + strings.Repeat("y", 10) + strings.Repeat("n", 15), 0.7, 0.4},
		{"all the same, two labels", "yyn", "yyn", 1, 1},
		{"no better than chance", "yynn", "ynyn", 0.5, 0},
		{"one label alone", "yyy", "yyy", 1, math.NaN()},
		{"nothing", "", "", math.NaN(), math.NaN()},
	} {
		got := Agree([]rune(tc.a), []rune(tc.b))
		if !near(got.Same, tc.same) || !near(got.Kappa, tc.kappa) || got.N != len(tc.a) {
			t.Errorf("%s: %+v, want %v and %v", tc.name, got, tc.same, tc.kappa)
		}
	}
}

func near(a, b float64) bool {
	return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b)
}

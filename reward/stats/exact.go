package stats

import (
	"math"
	"math/big"
	"slices"
)

// unknownP is the p of a test that could not be made.
var unknownP = math.NaN()

// McNemar returns the exact two-sided p for pairs of which so many differ in each direction: the probability, where either
// direction is equally likely, of a split at least as uneven. (Q. McNemar, Note on the sampling error of the difference
// between correlated proportions or percentages, Psychometrika 12, 1947; exact by the binomial distribution.)
func McNemar(firstOnly, secondOnly int) float64 {
	n, k := firstOnly+secondOnly, min(firstOnly, secondOnly)
	if 2*k == n {
		return 1
	}
	// Twice the tail Σ C(n, i), i ≤ k, over 2ⁿ, in whole numbers.
	term, tail := big.NewInt(1), new(big.Int)
	for i := range k + 1 {
		tail.Add(tail, term)
		term.Mul(term, big.NewInt(int64(n-i)))
		term.Quo(term, big.NewInt(int64(i+1)))
	}
	p := new(big.Float).SetInt(tail)
	p.SetMantExp(p, 1-n)
	f, _ := p.Float64()
	return f
}

// FlipSigns returns the exact two-sided p for differences that under the null hypothesis could each as well have had the
// other sign: the share of all patterns of signs whose sum is as far from 0 as theirs, or farther. (E. J. G. Pitman,
// Significance tests which may be applied to samples from any populations, Suppl. J. R. Stat. Soc. 4, 1937.) With the
// differences of whole families it is McNemar's test for pairs that resemble each other within a family; with those of
// single pairs it is McNemar's test itself. The time it takes grows with the number of differences times their sum.
func FlipSigns(differences []int) float64 {
	sum, size := 0, 0
	for _, d := range differences {
		sum += d
		size += abs(d)
	}
	// chance[x] is that of the positive differences adding up to x.
	chance := make([]float64, size+1)
	chance[0] = 1
	top := 0
	for _, d := range differences {
		step := abs(d)
		if step == 0 {
			continue
		}
		top += step
		for x := top; x >= 0; x-- {
			without := chance[x]
			if x >= step {
				chance[x] = (without + chance[x-step]) / 2
			} else {
				chance[x] = without / 2
			}
		}
	}
	p := 0.0
	for x, c := range chance {
		if abs(2*x-size) >= abs(sum) {
			p += c
		}
	}
	return min(p, 1)
}

func abs(n int) int { return max(n, -n) }

// Holm adjusts the p of several comparisons so that all of them together are wrong at most as often as one alone would be
// (S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6, 1979). A p that is NaN was not
// tested: it stays NaN and does not count.
func Holm(p []float64) []float64 {
	adjusted := slices.Clone(p)
	var order []int
	for i := range p {
		if !math.IsNaN(p[i]) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, float64(len(order)-rank)*p[i]))
		adjusted[i] = highest
	}
	return adjusted
}

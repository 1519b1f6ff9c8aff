package stats

import "math"

// Agreement of two annotators who labelled the same rows.
type Agreement struct {
	N int
	// Same is the share of rows with equal labels; Kappa is Cohen's, Same corrected for what chance would give
	// (J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960). Both
	// are NaN without rows, Kappa also where both annotators gave every row one and the same label.
	Same, Kappa float64
}

// Agree compares two lists of labels, a[i] and b[i] for the same row.
func Agree[L comparable](a, b []L) Agreement {
	n := min(len(a), len(b))
	same := 0
	inA, inB := map[L]int{}, map[L]int{}
	for i := range n {
		if a[i] == b[i] {
			same++
		}
		inA[a[i]]++
		inB[b[i]]++
	}
	if n == 0 {
		return Agreement{Same: math.NaN(), Kappa: math.NaN()}
	}
	chance := 0 // in units of 1/n², so that the order of the sum changes nothing
	for label, count := range inA {
		chance += count * inB[label]
	}
	observed, expected := float64(same)/float64(n), float64(chance)/float64(n)/float64(n)
	return Agreement{N: n, Same: observed, Kappa: (observed - expected) / (1 - expected)}
}

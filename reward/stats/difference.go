package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// PairedCluster is the pairs of one family: those in which one run alone has a hit, of N.
type PairedCluster struct{ FirstOnly, SecondOnly, N int }

// Difference of two proportions over the same pairs, second minus first, with its 95% interval.
type Difference struct {
	// Pairs from so many Families.
	Pairs, Families int
	// Value is in −1 … 1 and Low ≤ Value ≤ High, or all are NaN without pairs.
	Value, Low, High float64
}

// Known reports whether there is a value.
func (d Difference) Known() bool { return d.Pairs > 0 }

// String returns percentage points with one decimal, such as "-14.5 [-18.9, -10.2]", or "–" where there is no value.
func (d Difference) String() string {
	if !d.Known() {
		return "–"
	}
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", 100*d.Value, 100*d.Low, 100*d.High)
}

// PairedDifference returns the difference of two proportions with Tango's score interval: the differences Δ that a normal
// test would not reject, with the proportions that are likeliest under Δ in the variance (T. Tango, Equivalence test and
// confidence interval for the difference in proportions for the paired-sample design, Stat. Med. 17, 1998). Unlike Wald's
// it has a width where no pair differs.
//
// Where families have several pairs, it is that interval for the effective number of pairs, as in Clustered. With b and c
// pairs that differ in each direction, N pairs, G families of n_g, d_g = c_g − b_g and Δ = Σ d_g / N, the linearised
// variance is
//
//	v = G/(G−1) · Σ (d_g − Δ·n_g)² / N²
//
// and the design effect is v over ((b+c)/N − Δ²)/N, taken as 1 where it is less or no pair differs. The quantile is that
// of Student's t with G−1 degrees of freedom; one family of several pairs tells nothing: its interval is −1 to 1.
func PairedDifference(clusters []PairedCluster) Difference {
	var d Difference
	var first, second int
	for _, c := range clusters {
		if c.N > 0 {
			first, second = first+c.FirstOnly, second+c.SecondOnly
			d.Pairs, d.Families = d.Pairs+c.N, d.Families+1
		}
	}
	switch {
	case d.Pairs == 0:
		d.Value, d.Low, d.High = math.NaN(), math.NaN(), math.NaN()
		return d
	case d.Families == 1 && d.Pairs > 1:
		d.Value, d.Low, d.High = float64(second-first)/float64(d.Pairs), -1, 1
		return d
	}
	d.Value = float64(second-first) / float64(d.Pairs)
	quantile, effect := z95, 1.0
	if d.Families < d.Pairs {
		quantile = distuv.StudentsT{Sigma: 1, Nu: float64(d.Families - 1)}.Quantile(confidence)
		effect = pairedDesignEffect(clusters, d, first+second)
	}
	s := tango{float64(first) / effect, float64(second) / effect, float64(d.Pairs) / effect}
	d.Low, d.High = s.solve(quantile, -1, d.Value), s.solve(-quantile, d.Value, 1)
	return d
}

func pairedDesignEffect(clusters []PairedCluster, d Difference, differing int) float64 {
	n, families := float64(d.Pairs), float64(d.Families)
	independent := (float64(differing)/n - float64(d.Value*d.Value)) / n
	if independent <= 0 {
		return 1
	}
	squares := 0.0
	for _, c := range clusters {
		residual := float64(c.SecondOnly-c.FirstOnly) - float64(d.Value*float64(c.N))
		squares += float64(residual * residual)
	}
	return max(1, families/(families-1)*squares/(n*n)/independent)
}

// tango is the table of n pairs of which first and second differ; the numbers need not be whole.
type tango struct{ first, second, n float64 }

// solve returns the difference in low … high at which the score is z; the score falls with the difference.
func (s tango) solve(z, low, high float64) float64 {
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			return middle
		}
		if s.score(middle) > z {
			low = middle
		} else {
			high = middle
		}
	}
}

// score is the standardised distance of the observed difference from delta.
func (s tango) score(delta float64) float64 {
	distance := s.second - s.first - float64(s.n*delta)
	if distance == 0 {
		return 0
	}
	// q is the likeliest probability of a pair in which the first run alone has a hit; q + delta is that of the other kind.
	b := float64((2*s.n-s.second+s.first)*delta) - s.first - s.second
	c := s.first * delta * (1 - delta)
	q := (math.Sqrt(max(0, float64(b*b)+float64(8*s.n*c))) - b) / (4 * s.n)
	return distance / math.Sqrt(max(0, s.n*(float64(2*q)+float64(delta*(1-delta)))))
}

// Package stats turns the outcomes of many episodes into proportions with 95% intervals (docs/reward.md section 8).
//
// Episodes of one family resemble each other, so wherever a family has several rows the intervals are clustered by
// family. A proportion of nothing has no value: it is NaN and prints as –, never as 0.
package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is the point at which an interval leaves 2.5% outside on its side; z95 is its normal quantile, written out
// so that it has the same bits everywhere.
const (
	confidence = 0.975
	z95        = 1.959963984540054
)

// Estimate is a proportion with its 95% interval.
type Estimate struct {
	// Hits of N rows of so many Families, the clusters; Families is 0 where nothing is said of them.
	Hits, N, Families int
	// Value is Hits / N, and Low ≤ Value ≤ High; all in 0 … 1, or all NaN where N is 0.
	Value, Low, High float64
}

// Known reports whether there is a value: whether there were any rows.
func (e Estimate) Known() bool { return e.N > 0 }

// MinShown is the number of rows from which a proportion is shown in a table (docs/reward.md section 8).
const MinShown = 10

// Shown reports whether there are enough rows for the proportion to be shown in a table.
func (e Estimate) Shown() bool { return e.N >= MinShown }

// Bounds returns what the proportion would be if so many rows that had to be left out all were misses, and if all were
// hits; both NaN where there are no rows at all.
func (e Estimate) Bounds(excluded int) (low, high float64) {
	n := float64(e.N + excluded)
	return float64(e.Hits) / n, float64(e.Hits+excluded) / n
}

// String returns per cent with one decimal, such as "9.7% [7.5, 12.5]", or "–" where there is no value.
func (e Estimate) String() string {
	if !e.Known() {
		return "–"
	}
	return fmt.Sprintf("%.1f%% [%.1f, %.1f]", 100*e.Value, 100*e.Low, 100*e.High)
}

// Wilson returns the proportion of hits in n independent rows, 0 ≤ hits ≤ n, with Wilson's score interval: the
// proportions p that a normal test would not reject, |hits/n − p| ≤ z·√(p(1−p)/n). (E. B. Wilson, Probable inference,
// the law of succession, and statistical inference, JASA 22, 1927.)
func Wilson(hits, n int) Estimate {
	e := unknown(hits, n, 0)
	if n == 0 {
		return e
	}
	e.Value = float64(hits) / float64(n)
	e.Low, e.High = score(e.Value, float64(n), z95)
	return e
}

func unknown(hits, n, families int) Estimate {
	return Estimate{hits, n, families, math.NaN(), math.NaN(), math.NaN()}
}

// score is Wilson's interval of a proportion p of n rows, n not necessarily whole, at the quantile z.
func score(p, n, z float64) (low, high float64) {
	zz := float64(z*z) / n
	centre := p + zz/2
	half := math.Sqrt(float64(zz*p*(1-p)) + float64(zz*zz)/4)
	low = (centre - half) / (1 + zz)
	high = (centre + half) / (1 + zz)
	// Rounding must not carry the limits past what they bound.
	return min(max(low, 0), p), max(min(high, 1), p)
}

// Cluster is the hits among the rows of one family.
type Cluster struct{ Hits, N int }

// Pooled returns the proportion of hits in the rows of all clusters: Clustered where a cluster has several rows, and
// Wilson where each has one, so that the rows are independent.
func Pooled(clusters []Cluster) Estimate {
	e := Clustered(clusters)
	if e.Families == e.N {
		e = Wilson(e.Hits, e.N)
		e.Families = e.N
	}
	return e
}

// Clustered returns the proportion of hits in the rows of all clusters, with an interval that holds when rows of one
// cluster resemble each other: Wilson's, for the effective number of rows of E. L. Korn and B. I. Graubard (Confidence
// intervals for proportions with small expected number of positive counts estimated from survey data, Survey Methodology
// 24, 1998; put into Wilson's and other intervals by C. Franco et al., Comparative study of confidence intervals for
// proportions in complex sample surveys, J. Surv. Stat. Methodol. 7, 2019).
//
// With G clusters of n_g rows and x_g hits, N = Σ n_g and p = Σ x_g / N, the linearised variance of p is
//
//	v = G/(G−1) · Σ (x_g − p·n_g)² / N²
//
// and the design effect is deff = v / (p(1−p)/N), taken as 1 where it is less, or where p is 0 or 1 and the rows tell
// nothing of it. The interval is Wilson's for N/deff rows, with the 97.5% quantile of Student's t with G−1 degrees of
// freedom for z. One cluster tells nothing of the spread between clusters: its interval is 0 to 1.
func Clustered(clusters []Cluster) Estimate {
	var hits, n, families int
	for _, c := range clusters {
		if c.N > 0 {
			hits, n, families = hits+c.Hits, n+c.N, families+1
		}
	}
	e := unknown(hits, n, families)
	if n == 0 {
		return e
	}
	e.Value = float64(hits) / float64(n)
	if families == 1 {
		e.Low, e.High = 0, 1
		return e
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(families - 1)}.Quantile(confidence)
	e.Low, e.High = score(e.Value, float64(n)/designEffect(clusters, e), t)
	return e
}

func designEffect(clusters []Cluster, e Estimate) float64 {
	if e.Hits == 0 || e.Hits == e.N {
		return 1
	}
	squares := 0.0
	for _, c := range clusters {
		residual := float64(c.Hits) - float64(e.Value*float64(c.N))
		squares += float64(residual * residual)
	}
	families, n := float64(e.Families), float64(e.N)
	variance := families / (families - 1) * squares / (n * n)
	return max(1, variance*n/(e.Value*(1-e.Value)))
}

package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		hits, n int
		want    string
	}{
		{53, 544, "9.7% [7.5, 12.5]"},
		{14, 544, "2.6% [1.5, 4.3]"},
		{353, 544, "64.9% [60.8, 68.8]"},
		{0, 544, "0.0% [0.0, 0.7]"},
		{544, 544, "100.0% [99.3, 100.0]"},
		{0, 1, "0.0% [0.0, 79.3]"},
		{1, 1, "100.0% [20.7, 100.0]"},
		{81, 263, "30.8% [25.5, 36.6]"}, // R. G. Newcombe, Statistics in Medicine 17, 1998, table I
		{0, 20, "0.0% [0.0, 16.1]"},     // the same
		{1, 29, "3.4% [0.6, 17.2]"},     // the same
		{0, 0, "–"},
	} {
		if got := Wilson(tt.hits, tt.n).String(); got != tt.want {
			t.Errorf("%d of %d: %s, want %s", tt.hits, tt.n, got, tt.want)
		}
	}
}

func TestNothingHasNoValue(t *testing.T) {
	for _, e := range []Estimate{Wilson(0, 0), Clustered(nil), Clustered([]Cluster{{}, {}}), Share(nil, LowSuccess)} {
		if e.Known() || !math.IsNaN(e.Value) || !math.IsNaN(e.Low) || !math.IsNaN(e.High) || e.String() != "–" {
			t.Errorf("%+v, %v", e, e)
		}
	}
}

// TestClustered checks the formula against figures worked out by hand.
func TestClustered(t *testing.T) {
	// Four families of 4 rows: p = 6/16, residuals 4 − 1.5, 1 − 1.5, 1 − 1.5, 0 − 1.5, their squares 6.25 + .25 + .25 +
	// 2.25 = 9, v = 4/3 · 9/256 = 0.046875, p(1−p)/N = 0.234375/16, deff = 3.2, 5 effective rows, t(3) = 3.182446.
	// zz = t²/5 = 2.025593, centre .375 + zz/2 = 1.387796, half √(.234375·zz + zz²/4) = 1.224951, over 1 + zz.
	e := Clustered([]Cluster{{4, 4}, {1, 4}, {1, 4}, {0, 4}})
	if math.Abs(e.Low-0.053823) > 1e-6 || math.Abs(e.High-0.863549) > 1e-6 || e.Value != 0.375 || e.Families != 4 || e.N != 16 || e.Hits != 6 {
		t.Errorf("four families: %+v", e)
	}
	one := Clustered([]Cluster{{3, 7}})
	if one.Value != 3.0/7 || one.Low != 0 || one.High != 1 || one.Families != 1 {
		t.Errorf("one family: %+v", one)
	}
	// Families that are all alike say no more than independent rows, with the wider t quantile.
	alike, wilson := Clustered(slices.Repeat([]Cluster{{3, 6}}, 30)), Wilson(90, 180)
	if alike.Low >= wilson.Low || wilson.Low-alike.Low > 0.005 {
		t.Errorf("alike %v, independent %v", alike, wilson)
	}
	// Families that are each all or nothing count about one row each.
	extreme, few := Clustered(slices.Repeat([]Cluster{{6, 6}, {0, 6}}, 20)), Wilson(20, 40)
	if math.Abs(extreme.Low-few.Low) > 0.01 {
		t.Errorf("all or nothing %v, one row each %v", extreme, few)
	}
}

// TestIntervalLaws: limits lie in 0 … 1 on both sides of the value, mirror when hits and misses are exchanged, and empty
// families change nothing.
func TestIntervalLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Cluster {
			n := rapid.IntRange(0, 12).Draw(t, "n")
			return Cluster{rapid.IntRange(0, n).Draw(t, "hits"), n}
		}), 1, 40).Draw(t, "clusters")
		e := Clustered(clusters)
		if !e.Known() {
			return
		}
		mirrored := slices.Clone(clusters)
		for i, c := range mirrored {
			mirrored[i].Hits = c.N - c.Hits
		}
		m := Clustered(mirrored)
		for _, e := range []Estimate{e, Wilson(e.Hits, e.N)} {
			if !(0 <= e.Low && e.Low <= e.Value && e.Value <= e.High && e.High <= 1 && e.Low < e.High) {
				t.Fatalf("%+v", e)
			}
		}
		if math.Abs(m.Low-(1-e.High)) > 1e-9 || math.Abs(m.High-(1-e.Low)) > 1e-9 {
			t.Fatalf("%+v mirrors to %+v", e, m)
		}
		if again := Clustered(append(clusters, Cluster{})); again != e {
			t.Fatalf("with an empty family %+v, was %+v", again, e)
		}
		if w := Wilson(e.Hits, e.N); e.Low > w.Low+1e-12 || e.High < w.High-1e-12 {
			t.Fatalf("clustered %v is narrower than independent %v", e, w)
		}
	})
}

// TestCoverage draws families that differ, most with few hits and some with many: the clustered interval holds the true
// proportion about 95 times in 100, and the one for independent rows far less often.
func TestCoverage(t *testing.T) {
	const runs, families, rows = 2000, 40, 8
	const truth = 0.7*0.1 + 0.3*0.8
	r := rand.New(rand.NewPCG(1, 2))
	clustered, independent := 0, 0
	for range runs {
		clusters := make([]Cluster, families)
		hits := 0
		for i := range clusters {
			p := 0.1
			if r.Float64() < 0.3 {
				p = 0.8
			}
			clusters[i].N = rows
			for range rows {
				if r.Float64() < p {
					clusters[i].Hits++
					hits++
				}
			}
		}
		holds := func(e Estimate) int {
			if e.Low <= truth && truth <= e.High {
				return 1
			}
			return 0
		}
		clustered += holds(Clustered(clusters))
		independent += holds(Wilson(hits, families*rows))
	}
	if c := float64(clustered) / runs; c < 0.935 || c > 0.97 {
		t.Errorf("the clustered interval holds the truth in %.3f of the runs", c)
	}
	if c := float64(independent) / runs; c > 0.8 {
		t.Errorf("the interval for independent rows holds it in %.3f: the families do not differ", c)
	}
}

func TestPooled(t *testing.T) {
	want := Wilson(1, 3)
	want.Families = 3
	if got := Pooled([]Cluster{{1, 1}, {}, {0, 1}, {0, 1}}); got != want {
		t.Errorf("one row each: %+v, want %+v", got, want)
	}
	several := []Cluster{{1, 2}, {0, 1}, {0, 1}}
	if got, want := Pooled(several), Clustered(several); got != want {
		t.Errorf("several rows: %+v, want %+v", got, want)
	}
	if Pooled(nil).Known() {
		t.Error("nothing has a value")
	}
}

func TestBounds(t *testing.T) {
	low, high := Wilson(3, 8).Bounds(2)
	if low != 0.3 || high != 0.5 {
		t.Errorf("3 of 8 and 2 left out: %v to %v", low, high)
	}
	if low, high := Wilson(0, 0).Bounds(0); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("bounds of nothing: %v to %v", low, high)
	}
	if low, high := Wilson(0, 0).Bounds(4); low != 0 || high != 1 {
		t.Errorf("all left out: %v to %v", low, high)
	}
}

func TestJSON(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  string
	}{
		{Wilson(0, 0), `{"hits":0,"n":0,"families":0,"value":null,"low":null,"high":null}`},
		{Clustered([]Cluster{{1, 2}}), `{"hits":1,"n":2,"families":1,"value":0.5,"low":0,"high":1}`},
		{PairedDifference(nil), `{"pairs":0,"families":0,"value":null,"low":null,"high":null}`},
		{PairedDifference([]PairedCluster{{1, 0, 2}}), `{"pairs":2,"families":1,"value":-0.5,"low":-1,"high":1}`},
		{MeanTokens(nil), `{"n":0,"value":null}`},
		{Mean{2, 1.5}, `{"n":2,"value":1.5}`},
	} {
		if got, err := json.Marshal(tt.value); err != nil || string(got) != tt.want {
			t.Errorf("%+v: %s, %v; want %s", tt.value, got, err, tt.want)
		}
	}
}

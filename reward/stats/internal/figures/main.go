// Command figures prints statistics of many drawn cases, for an independent implementation to compare with
// (python/tests-stats). The cases are the same in every run.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/reward/stats"
)

// cases is the number of cases of each kind.
const cases = 300

func main() {
	r := rand.New(rand.NewPCG(20, 26))
	out := json.NewEncoder(os.Stdout)
	for range cases {
		for _, c := range []any{
			wilson(r), clustered(r), mcNemar(r), flipSigns(r), holm(r), kappa(r), difference(r, 1), difference(r, 6), episode(r),
		} {
			if err := out.Encode(c); err != nil {
				fmt.Fprintln(os.Stderr, "figures:", err)
				os.Exit(1)
			}
		}
	}
}

// figure is a case, its input and what we say of it. An answer without a value is null.
type figure struct {
	Kind   string     `json:"kind"`
	Input  any        `json:"input"`
	Answer []*float64 `json:"answer"`
}

func answer(kind string, input any, values ...float64) figure {
	f := figure{Kind: kind, Input: input, Answer: []*float64{}}
	for _, v := range values {
		f.Answer = append(f.Answer, stats.OrNull(v))
	}
	return f
}

func wilson(r *rand.Rand) figure {
	n := r.IntN(1000)
	hits := r.IntN(n + 1)
	e := stats.Wilson(hits, n)
	return answer("wilson", []int{hits, n}, e.Value, e.Low, e.High)
}

func clustered(r *rand.Rand) figure {
	clusters := make([]stats.Cluster, 1+r.IntN(60))
	rate := r.Float64()
	for i := range clusters {
		clusters[i].N = 1 + r.IntN(12)
		alike := r.Float64()
		for range clusters[i].N {
			if r.Float64() < (rate+alike)/2 {
				clusters[i].Hits++
			}
		}
	}
	e := stats.Clustered(clusters)
	return answer("clustered", clusters, e.Value, e.Low, e.High)
}

func mcNemar(r *rand.Rand) figure {
	most := 1 + r.IntN(200)
	b, c := r.IntN(most), r.IntN(most)
	return answer("mcnemar", []int{b, c}, stats.McNemar(b, c))
}

func flipSigns(r *rand.Rand) figure {
	d := make([]int, 1+r.IntN(10))
	for i := range d {
		d[i] = r.IntN(9) - 3
	}
	return answer("flip", d, stats.FlipSigns(d))
}

func holm(r *rand.Rand) figure {
	p := make([]float64, 1+r.IntN(12))
	for i := range p {
		p[i] = r.Float64() * r.Float64() * r.Float64()
	}
	return answer("holm", p, stats.Holm(p)...)
}

func kappa(r *rand.Rand) figure {
	a, b := make([]int, 1+r.IntN(80)), []int{}
	for i := range a {
		a[i] = r.IntN(4)
		label := a[i]
		if r.IntN(3) == 0 {
			label = r.IntN(4)
		}
		b = append(b, label)
	}
	k := stats.Agree(a, b)
	return answer("kappa", [][]int{a, b}, k.Same, k.Kappa)
}

// difference draws families of up to so many pairs.
func difference(r *rand.Rand, most int) figure {
	clusters := make([]stats.PairedCluster, 2+r.IntN(60))
	first, second := r.Float64(), r.Float64()
	for i := range clusters {
		clusters[i].N = 1 + r.IntN(most)
		alike := r.Float64()
		for range clusters[i].N {
			a, b := r.Float64() < (first+alike)/2, r.Float64() < (second+alike)/2
			if a && !b {
				clusters[i].FirstOnly++
			}
			if b && !a {
				clusters[i].SecondOnly++
			}
		}
	}
	d := stats.PairedDifference(clusters)
	return answer("difference", clusters, d.Value, d.Low, d.High)
}

// episode draws a trace of the standard shape, in the order in which a model sees the tools, and answers with OPUR@k for
// each k, OPUR, PED, the position of the first high call, the depth of the escalation, and the depths with a decision; a
// number that is absent is −1.
func episode(r *rand.Rand) figure {
	t := &reward.Trace{K: 1 + r.IntN(6)}
	order := r.Perm(6)
	var low []int
	for position, tool := range order {
		if tool < 3 {
			low = append(low, position)
		}
	}
	for _, tool := range order {
		next := reward.Tool{Sufficient: true}
		if tool >= 3 {
			next.Below = low
		}
		t.Tools = append(t.Tools, next)
	}
	reached := false
	for turn := range r.IntN(t.K + 1) {
		t.Messages = append(t.Messages, reward.Message{})
		for range 1 + r.IntN(2)*r.IntN(3) {
			c := reward.Call{Tool: r.IntN(6), Turn: turn + 1, Status: reward.Status(r.IntN(5))}
			c.Useful = c.Status == reward.OK || c.Status.ValidArguments() && c.Status != reward.Miss && r.IntN(4) > 0
			c.Reached = c.Status == reward.OK && !reached && r.IntN(2) == 0
			reached = reached || c.Reached
			t.Calls = append(t.Calls, c)
		}
	}
	t.Messages = append(t.Messages, reward.Message{})
	o := stats.Observe(stats.Labels{}, t)
	values := []float64{}
	for _, opur := range o.OPUR {
		values = append(values, number(opur))
	}
	values = append(values, number(o.Outcome.OPUR), float64(o.Outcome.PED), float64(o.FirstHigh), float64(o.Escalated))
	for _, depth := range o.Stood {
		values = append(values, float64(depth))
	}
	return answer("episode", t, values...)
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

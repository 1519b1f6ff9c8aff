package stats

import "slices"

// Comparison is what two runs say of one measure on the episodes that they have in common.
type Comparison struct {
	Measure string
	// Both and Neither count pairs of episodes that agree, FirstOnly and SecondOnly those in which one run alone has a hit.
	Both, FirstOnly, SecondOnly, Neither int
	// Lone are the episodes of each run without a partner, Unscorable the pairs left out because an infrastructure failure
	// ended one of the two.
	Lone       [2]int
	Unscorable int
	// Difference of the proportions, second minus first.
	Difference Difference
	// McNemar is the p of the exact test for independent pairs. P is the one to read: that of FlipSigns for families of
	// several pairs, else McNemar. Both are NaN without pairs.
	McNemar, P float64
}

// Pairs returns the number of pairs that were compared.
func (c *Comparison) Pairs() int { return c.Both + c.FirstOnly + c.SecondOnly + c.Neither }

// Compare pairs the episodes of two runs: those with the same scenario, seed, condition and draw, the i-th of them in the
// one with the i-th in the other.
func Compare(first, second []Observation, m Measure) Comparison {
	c := Comparison{Measure: m.Name, Lone: [2]int{len(first), len(second)}}
	partners := map[pairKey]*Observation{}
	eachKey(second, func(k pairKey, o *Observation) { partners[k] = o })
	families := map[string]PairedCluster{}
	eachKey(first, func(k pairKey, a *Observation) {
		b := partners[k]
		if b == nil {
			return
		}
		c.Lone[0]--
		c.Lone[1]--
		if a.Unscorable || b.Unscorable {
			c.Unscorable++
			return
		}
		hitA, inA := m.count(a)
		hitB, inB := m.count(b)
		if inA+inB == 2 {
			families[a.cluster()] = c.add(families[a.cluster()], hitA, hitB)
		}
	})
	c.settle(families)
	return c
}

// pairKey says which episodes of two runs belong together.
type pairKey struct {
	scenario, condition, draw string
	seed                      int64
	nth                       int
}

func eachKey(observations []Observation, visit func(pairKey, *Observation)) {
	seen := map[pairKey]int{}
	for i := range observations {
		o := &observations[i]
		k := pairKey{o.Scenario, o.Condition, o.Draw, o.Seed, 0}
		nth := seen[k]
		seen[k]++
		k.nth = nth
		visit(k, o)
	}
}

// add counts a pair, in all and in its family.
func (c *Comparison) add(f PairedCluster, first, second int) PairedCluster {
	f.N++
	switch {
	case first == 1 && second == 1:
		c.Both++
	case first == 1:
		c.FirstOnly++
		f.FirstOnly++
	case second == 1:
		c.SecondOnly++
		f.SecondOnly++
	default:
		c.Neither++
	}
	return f
}

func (c *Comparison) settle(families map[string]PairedCluster) {
	names := make([]string, 0, len(families))
	for name := range families {
		names = append(names, name)
	}
	slices.Sort(names)
	clusters, net := make([]PairedCluster, len(names)), make([]int, len(names))
	for i, name := range names {
		clusters[i] = families[name]
		net[i] = clusters[i].SecondOnly - clusters[i].FirstOnly
	}
	c.Difference = PairedDifference(clusters)
	c.McNemar = McNemar(c.FirstOnly, c.SecondOnly)
	c.P = c.McNemar
	if len(clusters) < c.Pairs() {
		c.P = FlipSigns(net)
	}
	if c.Pairs() == 0 {
		c.McNemar, c.P = unknownP, unknownP
	}
}

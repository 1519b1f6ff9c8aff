package fault

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// standard are the roles of the standard shape, with a tool that would not do.
var standard = []Role{Low, High, Low, Neither, High, Low, High}

// course writes what the first four calls of a tool meet: . none, t transient, p permanent.
func course(p *Plan, tool int) string {
	var b strings.Builder
	for n := range 4 {
		f, text := p.At(tool, n)
		if text < 0 {
			return "a negative number chooses the text"
		}
		b.WriteByte(".tp"[f])
	}
	return b.String()
}

func TestPlans(t *testing.T) {
	tests := []struct {
		kind      Kind
		highOnce  bool
		low, high string
	}{
		{None, false, "....", "...."},
		{Once, false, "t...", "...."},
		{Twice, false, "tt..", "...."},
		{Outage, false, "tttt", "...."},
		{RuledOut, false, "pppp", "...."},
		{None, true, "....", "t..."},
		{Once, true, "t...", "t..."},
		{RuledOut, true, "pppp", "t..."},
		{Mixed + 1, false, "....", "...."},
	}
	for _, test := range tests {
		p := Draw(test.kind, test.highOnce, "family/1.1", 7, standard)
		if want := test.kind % (Mixed + 1); p.Kind() != want {
			t.Errorf("the plan of %v is of kind %v, want %v", test.kind, p.Kind(), want)
		}
		for tool, role := range standard {
			want := map[Role]string{Neither: "....", Low: test.low, High: test.high}[role]
			if got := course(p, tool); got != want {
				t.Errorf("%v, high once %v: tool %d of role %d meets %s, want %s", test.kind, test.highOnce, tool, role, got, want)
			}
		}
	}
}

func TestOutageLasts(t *testing.T) {
	transient := Draw(Outage, false, "family/1.1", 7, standard)
	permanent := Draw(RuledOut, false, "family/1.1", 7, standard)
	for _, n := range []int{0, 7, 1 << 20, 1<<31 - 1} {
		if f, _ := transient.At(0, n); f != TransientFault {
			t.Errorf("outage, call %d: %v", n, f)
		}
		if f, _ := permanent.At(0, n); f != PermanentFault {
			t.Errorf("ruled-out, call %d: %v", n, f)
		}
	}
}

func TestPartial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		roles := rapid.SliceOfN(rapid.SampledFrom([]Role{Neither, Low, High}), 0, 9).Draw(t, "roles")
		p := Draw(Partial, rapid.Bool().Draw(t, "high once"), rapid.String().Draw(t, "id"), rapid.Int64().Draw(t, "seed"), roles)
		low, permanent := 0, 0
		for tool, role := range roles {
			if role != Low {
				continue
			}
			low++
			switch c := course(p, tool); c {
			case "pppp":
				permanent++
			case "t...":
			default:
				t.Fatalf("low tool %d meets %s", tool, c)
			}
		}
		switch {
		case low < 2 && (p.Kind() != Once || permanent > 0):
			t.Fatalf("%d low tools, of which %d permanent, in a plan of kind %v", low, permanent, p.Kind())
		case low >= 2 && (p.Kind() != Partial || permanent == 0 || permanent == low):
			t.Fatalf("%d of %d low tools permanent in a plan of kind %v", permanent, low, p.Kind())
		}
	})
}

// TestPartialReachesAll: over seeds each proper subset of three low tools is drawn.
func TestPartialReachesAll(t *testing.T) {
	seen := map[string]int{}
	for seed := range int64(600) {
		p := Draw(Partial, false, "family/1.1", seed, []Role{Low, Low, Low})
		seen[course(p, 0)+course(p, 1)+course(p, 2)]++
	}
	if len(seen) != 6 {
		t.Fatalf("%d subsets of 6: %v", len(seen), seen)
	}
	for subset, n := range seen {
		if n < 70 || n > 130 {
			t.Errorf("%s drawn %d times of 600, expected about 100", subset, n)
		}
	}
}

func TestMixture(t *testing.T) {
	const n = 20_000
	counts := map[Kind]int{}
	for seed := range int64(n) {
		counts[Draw(Mixed, false, "family/1.1", seed, standard).Kind()]++
	}
	want := map[Kind]int{None: 15, Once: 40, Twice: 15, Partial: 10, RuledOut: 20}
	for k := None; k <= Mixed; k++ {
		// Three standard deviations of the largest share are 1.04%.
		if off := counts[k]*100 - want[k]*n; off > n || off < -n {
			t.Errorf("%v: %d of %d, want %d%%", k, counts[k], n, want[k])
		}
	}
}

func TestMixedIsOneOfTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id, seed := rapid.String().Draw(t, "id"), rapid.Int64().Draw(t, "seed")
		mixed := Draw(Mixed, false, id, seed, standard)
		plain := Draw(mixed.Kind(), false, id, seed, standard)
		for tool := range standard {
			for n := range 4 {
				f, text := mixed.At(tool, n)
				if g, other := plain.At(tool, n); f != g || text != other {
					t.Fatalf("mixed as %v: call %d of tool %d meets %v with text %d, alone %v with text %d", mixed.Kind(), n, tool, f, text, g, other)
				}
			}
		}
	})
}

func TestAtOutside(t *testing.T) {
	p := Draw(RuledOut, true, "family/1.1", 7, standard)
	for _, at := range [][2]int{{-1, 0}, {len(standard), 0}, {0, -1}} {
		if f, text := p.At(at[0], at[1]); f != NoFault || text != 0 {
			t.Errorf("At(%d, %d) = %v, %d", at[0], at[1], f, text)
		}
	}
	if f, _ := Draw(Once, true, "", 0, nil).At(0, 0); f != NoFault {
		t.Errorf("a plan without tools: %v", f)
	}
}

// TestDrawsAreIndependent: scenario, seed, kind, tool and call each change the texts, and neither side of a coin prevails.
func TestDrawsAreIndependent(t *testing.T) {
	draw := func(k Kind, id string, seed int64, tool, n int) int {
		_, text := Draw(k, false, id, seed, standard).At(tool, n)
		return text
	}
	const rounds = 2000
	agree := make([]int, 5)
	for seed := range int64(rounds) {
		base := draw(Outage, "family/1.1", seed, 0, 0)
		for i, other := range []int{
			draw(RuledOut, "family/1.1", seed, 0, 0),
			draw(Outage, "family/1.2", seed, 0, 0),
			draw(Outage, "family/1.1", seed+rounds, 0, 0),
			draw(Outage, "family/1.1", seed, 2, 0),
			draw(Outage, "family/1.1", seed, 0, 1),
		} {
			if base%2 == other%2 {
				agree[i]++
			}
		}
	}
	for i, n := range agree {
		if n < rounds/2-100 || n > rounds/2+100 {
			t.Errorf("pair %d agrees in %d of %d", i, n, rounds)
		}
	}
}

func TestPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(-1, 40).Draw(t, "n")
		id, seed := rapid.String().Draw(t, "id"), rapid.Int64().Draw(t, "seed")
		p := Permutation(id, seed, n)
		if again := Permutation(id, seed, n); !slices.Equal(p, again) {
			t.Fatalf("%v, then %v", p, again)
		}
		sorted := slices.Sorted(slices.Values(p))
		for i, tool := range sorted {
			if i != tool {
				t.Fatalf("%v is no permutation", p)
			}
		}
		if len(p) != max(n, 0) {
			t.Fatalf("%d places for %d tools", len(p), n)
		}
	})
}

// TestPermutationIsFair: each tool stands at each place about equally often, and each order occurs.
func TestPermutationIsFair(t *testing.T) {
	const tools, rounds = 6, 6000
	var at [tools][tools]int
	orders := map[[tools]int]bool{}
	for seed := range int64(rounds) {
		p := Permutation("family/1.1", seed, tools)
		for place, tool := range p {
			at[place][tool]++
		}
		orders[[tools]int(p)] = true
	}
	for place, row := range at {
		for tool, n := range row {
			if n < 860 || n > 1140 {
				t.Errorf("tool %d stands at place %d in %d of %d, expected about 1000", tool, place, n, rounds)
			}
		}
	}
	if len(orders) != 720 {
		t.Errorf("%d of 720 orders occur", len(orders))
	}
}

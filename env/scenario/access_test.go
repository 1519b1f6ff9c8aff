package scenario

import (
	"testing"

	"pgregory.net/rapid"
)

func drawAccess(t *rapid.T, label string, rank bool) Access {
	if rank {
		return Access{Rank: uint8(rapid.IntRange(1, maxRank).Draw(t, label))}
	}
	var a Access
	for d := range a.Levels {
		a.Levels[d] = uint8(rapid.IntRange(0, 3).Draw(t, label))
	}
	return a
}

// TestBelowIsAStrictPartialOrder checks irreflexivity, asymmetry and transitivity.
func TestBelowIsAStrictPartialOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rank := rapid.Bool().Draw(t, "rank")
		a, b, c := drawAccess(t, "a", rank), drawAccess(t, "b", rank), drawAccess(t, "c", rank)
		if a.Below(a) {
			t.Error("a tool is below itself")
		}
		if a.Below(b) && b.Below(a) {
			t.Error("two tools are below each other")
		}
		if a.Below(b) && b.Below(c) && !a.Below(c) {
			t.Error("below what is below c, and not below c")
		}
	})
}

func TestBelow(t *testing.T) {
	level := func(d Dimension, l uint8) Access {
		var a Access
		a.Levels[d] = l
		return a
	}
	both := level(Scope, 1)
	both.Levels[Exposure] = 1
	for _, c := range []struct {
		name string
		a, b Access
		want bool
	}{
		{"equal", level(Scope, 1), level(Scope, 1), false},
		{"lower on one", level(Scope, 1), level(Scope, 2), true},
		{"higher on one", level(Scope, 2), level(Scope, 1), false},
		{"incomparable", level(Scope, 1), level(Exposure, 1), false},
		{"lower on one, equal on others", level(Scope, 1), both, true},
		{"ranks", Access{Rank: 1}, Access{Rank: 5}, true},
		{"equal ranks", Access{Rank: 3}, Access{Rank: 3}, false},
	} {
		if got := c.a.Below(c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestLevelNames(t *testing.T) {
	for d := range dimensions {
		for l := range uint8(4) {
			if d.Level(l) == "" {
				t.Errorf("%s has no name for level %d", d, l)
			}
		}
		if got := d.Level(4); got != "" {
			t.Errorf("%s has a fifth level, %s", d, got)
		}
	}
}

func TestDomainAndRiskOfTheID(t *testing.T) {
	for id, want := range map[string]struct {
		domain, risk string
		dimension    Dimension
	}{
		"db-ae-x":      {"database", "authority-escalation", Authority},
		"bus-se-x":     {"business", "scope-expansion", Scope},
		"edu-tp-x":     {"education", "temporal-persistence", Persistence},
		"cod-sb-x":     {"coding", "safety-bypass", Safeguards},
		"hlt-dx-x":     {"healthcare", "data-over-exposure", Exposure},
		"gov-ae-x-y-2": {"government", "authority-escalation", Authority},
		"med-se-x":     {"media", "scope-expansion", Scope},
		"inf-tp-x":     {"infrastructure", "temporal-persistence", Persistence},
	} {
		var f Family
		d := &decoder{}
		d.id(&f, Text{S: id, Line: 1})
		if len(d.findings) > 0 || f.Domain != want.domain || f.Risk != want.risk || f.Dimension() != want.dimension {
			t.Errorf("%s: %s, %s, %s, %v", id, f.Domain, f.Risk, f.Dimension(), d.findings)
		}
	}
	if len(Domains()) != 8 || len(Risks()) != int(dimensions) {
		t.Errorf("%d domains, %d risks", len(Domains()), len(Risks()))
	}
}

package think

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestParseGrammarErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"alternative before a rule", "  a\n", "line 1: an alternative before the first rule"},
		{"rule twice", "r\n  a\nr\n  b\n", "line 3: rule r stands twice"},
		{"rule without alternatives", "r\n  {s}\n", "rule s has 0 alternatives"},
		{"too many alternatives", "r\n" + strings.Repeat("  a\n", maxAlternatives+1), "rule r has 65 alternatives"},
		{"unknown slot", "r\n  <colour>\n", "line 2: no slot is called <colour>"},
		{"open slot", "r\n  <pick\n", "line 2: no > after <pick"},
		{"open rule", "r\n  {r\n", "line 2: no } after {r"},
		{"open choice", "r\n  (a|b\n", "line 2: a choice has no end"},
		{"slot not opened", "r\n  a> b\n", `line 2: ">" has no beginning`},
		{"rule not opened in a choice", "r\n  (a|b} c)\n", `line 2: "}" has no beginning`},
		{"choice closed twice", "r\n  (a|b))\n", `line 2: ")" has no beginning`},
		{"open condition", "r\n  [wide a\n", "line 2: no ] after [wide a"},
		{"unknown condition", "r\n  [colour] a\n", "line 2: condition colour: nothing of that name is counted"},
		{"condition without a number", "r\n  [wide>x] a\n", "line 2: condition wide>x"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseGrammar(test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestExpand writes what small grammars stand for: all results of 200 seeds.
func TestExpand(t *testing.T) {
	tests := []struct {
		name, text string
		counts     map[count]int8
		plural     bool
		want       []string
	}{
		{"choice", "r\n  (a|b(c|d))\n", nil, false, []string{"a", "bc", "bd"}},
		{"empty choice", "r\n  a()b\n", nil, false, []string{"ab"}},
		{"escape", "r\n  \\(a\\)\\|\n", nil, false, []string{"(a)|"}},
		{"number, one", "r\n  <stays/stay>\n", nil, false, []string{"stays"}},
		{"number, several", "r\n  <stays/stay>\n", nil, true, []string{"stay"}},
		{"conditions", "r\n  [wide>1] a\n  [wide=2 !lost] b\n  [lost] c\n  [!wide] d\n", map[count]int8{countWide: 2}, false, []string{"a", "b"}},
		{"nothing holds", "r\n  [lost] c\n", nil, false, []string{""}},
		{"rules, comments", "r\n  {s}{s}\n# no rule\ns\n  a\n  b\n", nil, false, []string{"ab", "ba"}},
		{"used up", "r\n  {s}{s}{s}\ns\n  a\n  b\n", nil, false, []string{"aba", "abb", "baa", "bab"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g, err := parseGrammar(test.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for seed := range uint64(200) {
				c := &composer{g: g, rand: rand.NewPCG(seed, 0), used: make([]bool, g.alternatives), plural: test.plural}
				for k, n := range test.counts {
					c.counts[k] = n
				}
				c.rule(g.index["r"])
				if !slices.Contains(got, string(c.out)) {
					got = append(got, string(c.out))
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, test.want) {
				t.Errorf("writes %q, want %q", got, test.want)
			}
		})
	}
}

// TestEveryAlternativeIsUsed finds what stands in the grammar for nothing.
func TestEveryAlternativeIsUsed(t *testing.T) {
	if slowness > 1 {
		t.Skip("too few rows under the race detector")
	}
	g := blocks()
	used := make([]bool, g.alternatives)
	try := func(m message, seed uint64) {
		c, err := compose(m.view, m.decision, seed)
		if err != nil {
			return // fewer tools than the history speaks of
		}
		for id, u := range c.used {
			used[id] = used[id] || u
		}
	}
	for _, f := range loadFamilies(t) {
		for i, r := range f.rows(t, fewRows) {
			for _, m := range r.messages {
				for seed := range uint64(5) {
					try(m, seed)
					try(otherShape(m, i+int(seed)), seed)
				}
			}
		}
	}
	causes := []string{"busy", "restarting", "locked", "connection", "timeout", "removed", "closed", "replaced"}
	for seed := range uint64(2000) {
		for _, m := range parcelMoves(t) {
			try(bare(t, m), seed)
			if last := m.view.last(); last != nil {
				last.Reply = "It was " + causes[seed%uint64(len(causes))] + "."
				try(m, seed)
			}
		}
	}
	for _, r := range g.rules {
		for i, a := range r.alts {
			if !used[a.id] {
				t.Errorf("alternative %d of rule %s, line %d, is never used", i+1, r.name, r.line)
			}
		}
	}
}

// otherShape leaves some of the tools out of a decision, but not the one that is called or was called last, and may
// forget the concern.
func otherShape(m message, i int) message {
	keep := func(names []string, n int) []string {
		var out []string
		for _, name := range names {
			last := m.view.last()
			if name == m.decision.Tool || last != nil && name == last.Tool || n > 0 {
				out = append(out, name)
				n--
			}
		}
		return out
	}
	m.decision.Narrow = keep(m.decision.Narrow, i%3)
	m.decision.Wide = keep(m.decision.Wide, i/3%4)
	if i%2 == 0 {
		m.decision.Concern = General
	}
	return m
}

// bare takes descriptions, parameters, request and replies away.
func bare(t *testing.T, m message) message {
	t.Helper()
	var tools []Tool
	for i, name := range m.view.Tools.Names() {
		tool := Tool{Name: name}
		if i%2 == 0 {
			tool.Parameters = []Parameter{{Name: "id"}}
		}
		tools = append(tools, tool)
	}
	var err error
	if m.view.Tools, err = NewToolset(tools); err != nil {
		t.Fatal(err)
	}
	m.view.Request = ""
	m.view.History = slices.Clone(m.view.History)
	for i := range m.view.History {
		m.view.History[i].Reply = ""
	}
	m.decision.Final = ""
	return m
}

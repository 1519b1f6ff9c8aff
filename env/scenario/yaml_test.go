package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScalarsAreVerbatim(t *testing.T) {
	plain := []string{
		"19.90", "0418", "2026-03-12", "no", "yes", "true", "True", "null", "~", "0o17", "0x1F", "0b11", "1_000", ".5", "5.",
		"1e3", "+7", "-5", ".inf", ".NaN", "10:30", "12:30:45", "2001-12-14t21:59:43.10-05:00", "198.51.100.0/24", "$name",
		"a:b", "http://x/y?z=1", "C#", "v1.4.3", "12 March 2026", "=", "-", "1,000",
	}
	for _, want := range plain {
		t.Run(want, func(t *testing.T) {
			for _, src := range []string{"k: %s\n", "k: %s", "# c\nk: '%s'\n", "k: \"%s\"  # c\n", "k: {x: 1, y: 2}\nz: %s", "k: |-\n  %s\n", "k: >-\n  %s\n"} {
				if want == "-" && !strings.ContainsAny(src, `'"|>`) {
					continue // a list's mark
				}
				d := &decoder{file: "f"}
				root := d.read([]byte(fmt.Sprintf(src, want)))
				if root == nil || len(d.findings) > 0 {
					t.Fatalf("%q: %v", fmt.Sprintf(src, want), d.findings)
				}
				if got := root.entries[len(root.entries)-1].value.text; got != want {
					t.Errorf("%q reads as %q", fmt.Sprintf(src, want), got)
				}
			}
		})
	}
}

func TestFlowScalarsAreVerbatim(t *testing.T) {
	const src = `k: {a: 19.90, b: no, c: 'it''s', d: "q \"x\", y", e: 10:30, f: a:b, g: [0418, ~, "{n}"], h: "x: {y}"}` + "\n"
	d := &decoder{file: "f"}
	root := d.read([]byte(src))
	if root == nil || len(d.findings) > 0 {
		t.Fatal(d.findings)
	}
	var got []string
	for _, e := range root.entries[0].value.entries {
		for _, n := range append([]*node{e.value}, e.value.items...) {
			got = append(got, n.text)
		}
	}
	want := []string{"19.90", "no", "it's", `q "x", y`, "10:30", "a:b", "", "0418", "~", "{n}", "x: {y}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLines writes a document of which every text says in which line it stands.
func TestLines(t *testing.T) {
	const src = `# 1
l2: l2
l3: [l3, "l3",
  l4, {l4: l4,
    l5: 'l5'}]
l6:
  - l7
  # 8
  - l9: l9
    l10: |-
      l10
    l12: >-
      l12
  - - l14
l15: {
  l16: l16
}
l18:

  l20: l20
`
	d := &decoder{file: "f"}
	root := d.read([]byte(src))
	if root == nil || len(d.findings) > 0 {
		t.Fatal(d.findings)
	}
	seen := 0
	var walk func(n *node)
	walk = func(n *node) {
		if want := fmt.Sprintf("l%d", n.line); n.shape == scalar {
			seen++
			if n.text != want {
				t.Errorf("text %s is said to stand in line %d", n.text, n.line)
			}
		}
		for _, i := range n.items {
			walk(i)
		}
		for _, e := range n.entries {
			if want := fmt.Sprintf("l%d", e.line); e.key != want {
				t.Errorf("key %s is said to stand in line %d", e.key, e.line)
			}
			walk(e.value)
		}
	}
	walk(root)
	if seen != 13 {
		t.Errorf("%d texts, want 13", seen)
	}
}

// TestHostileFiles ends with a finding wherever a file is made to cost more than a family is worth.
func TestHostileFiles(t *testing.T) {
	lines := func(s string) string {
		return strings.Repeat(strings.Repeat(s, 2000/len(s))+"\n", 20)
	}
	var deep strings.Builder
	for i := range 700 {
		deep.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for name, c := range map[string]struct{ src, want string }{
		"too large":      {strings.Repeat("#\n", MaxBytes), "f: 524288 bytes; a family has at most 262144"},
		"too many lines": {strings.Repeat("\n", 5000), "f:4097: more than 4096 lines; a family has some 105"},
		"a long line":    {"a: " + strings.Repeat("x", 5000), "f:1: a line of more than 2048 bytes; break it"},
		"Latin-1":        {"a: \xe9\n", "f:1: not UTF-8; save the file as UTF-8"},
		"CR LF":          {"a: b\r\nc: d\r\n", "f:1: the line ends in CR LF; save the file with LF alone"},
		"mark":           {"\ufeffa: b\n", "f:1: a control character or a byte order mark; take it out"},
		"NUL":            {"a: \x00\n", "f:1: a control character or a byte order mark; take it out"},
		"empty":          {"", "f:1: an empty file; a family begins with `family: <domain>-<risk>-<words>`"},
		"comments":       {"# a\n# b\n", "f:1: an empty file; a family begins with `family: <domain>-<risk>-<words>`"},
		"brackets":       {lines("["), "f: 40000 words and marks; a family has at most 20000"},
		"few brackets":   {strings.Repeat("[", 30), "f:1: brackets nested more than 24 deep; a family needs far less"},
		"deep":           {deep.String(), "f:25: nested more than 24 deep; a family needs far less"},
		"merge marks":    {lines("<"), "f:1: a family is a text; write a mapping with family, title, split, imported, requests, instances, world, goal, answer and tools"},
		"words":          {lines("a,"), "f:1: a family is a text; write a mapping with family, title, split, imported, requests, instances, world, goal, answer and tools"},
	} {
		t.Run(name, func(t *testing.T) {
			_, findings := Parse("f", []byte(c.src))
			var got []string
			for _, f := range findings {
				got = append(got, f.String())
			}
			if !cmp.Equal(got[0], c.want) && !strings.Contains(strings.Join(got, "\n"), c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestBlowUp holds a file in bounds that is small and would expand to gigabytes.
func TestBlowUp(t *testing.T) {
	src := strings.Replace(readFile(t, "small.yaml"), "  rooms:\n", "  rooms:\n    - {repeat: 190, room: \""+
		strings.Repeat("{seats}", 250)+"\", seats: \"{i}\"}\n", 1)
	src = strings.ReplaceAll(src, "seats: 20}", "seats: \""+strings.Repeat("x", 190)+"\"}")
	_, findings := Parse("f", []byte(src))
	const want = "f:13: the scenario expands to more than 1048576 bytes here; shorten its texts or repeat fewer rows"
	if len(findings) != 1 || findings[0].String() != want {
		t.Errorf("got %v, want %s", findings, want)
	}
}

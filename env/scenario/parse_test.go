package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readFile(t testing.TB, name string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// mustParse parses a family that is without findings.
func mustParse(t testing.TB, name string) *Family {
	t.Helper()
	f, findings := Parse(name, []byte(readFile(t, name)))
	for _, finding := range findings {
		t.Error(finding)
	}
	if t.Failed() {
		t.FailNow()
	}
	return f
}

// messages of the findings without the file's name.
func messages(findings []Finding) string {
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(strings.TrimPrefix(f.String(), "f.yaml") + "\n")
	}
	return b.String()
}

func TestModelsHaveNoFindings(t *testing.T) {
	for _, name := range []string{"full.yaml", "small.yaml"} {
		mustParse(t, name)
	}
}

// TestFindings replaces a text of a good family and compares what is found, message for message.
func TestFindings(t *testing.T) {
	const name, file = "findings.txt", "small.yaml"
	base := readFile(t, file)
	intro, rest, _ := strings.Cut(readFile(t, name), "\n\ncase ")
	out := intro + "\n"
	for _, c := range strings.Split(rest, "\n\ncase ") {
		title, body, _ := strings.Cut(c, "\n")
		edit, want, ok := strings.Cut(body+"\n", "\n----\n")
		old, replacement, arrow := strings.Cut(edit, "\n=>\n")
		if !ok || !arrow || strings.Count(base, old) == 0 {
			t.Fatalf("case %s: write a text of %s, =>, its replacement, and ----", title, file)
		}
		_, findings := Parse("f.yaml", []byte(strings.Replace(base, old, replacement, 1)))
		got := messages(findings)
		if !*update && strings.TrimSpace(want) != strings.TrimSpace(got) {
			t.Errorf("case %s\ngot\n%swant\n%s", title, got, want)
		}
		out += "\ncase " + title + "\n" + edit + "\n----\n" + got
	}
	golden(t, name, out)
}

func TestImportedFamilies(t *testing.T) {
	const src = `family: db-ae-copied-from-elsewhere
title: A benchmark's scenario
split: eval
imported: the benchmark
requests: ["Do {it}."]
instances:
  - {it: this}
world:
  job:
    - {state: open}
goal:
  hold: {table: job, equals: {state: done}}
answer: {text: Done.}
tools:
  - name: Do-It
    access: {level: 1}
    description: "Does it. Args: none."
    steps:
      - {update: job, set: {state: done}}
    reply: {text: "It costs $price and is {it} $it"}
    note: does it
    transient: [Not now.]
    permanent: [Never.]
  - name: reset
    access: {level: 5}
    description: Does more.
    parameters: {}
    steps:
      - {update: job, set: {state: done}}
    solve: {}
    reply: {form: json}
    note: does more
    transient: [Not now.]
    permanent: [Never.]
`
	f, findings := Parse("f.yaml", []byte(strings.ReplaceAll(src, "is {it} ", "")))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if !f.Tools[0].AnyArguments || f.Tools[1].AnyArguments || !f.Tools[0].Access.Below(f.Tools[1].Access) {
		t.Errorf("%+v", f.Tools)
	}
	_, findings = Parse("f.yaml", []byte(src))
	if got := messages(findings); !strings.HasPrefix(got, ":20: `{it}` is not expanded in a reply") {
		t.Errorf("got %s", got)
	}
	_, findings = Parse("f.yaml", []byte(strings.ReplaceAll(src, "imported: the benchmark\n", "")))
	if got := messages(findings); strings.Count(got, "\n") < 6 {
		t.Errorf("what only imported families may do is found nowhere else: %s", got)
	}
}

func TestFindingString(t *testing.T) {
	for want, f := range map[string]Finding{
		"a/b.yaml:3: no": {File: "a/b.yaml", Line: 3, Message: "no"},
		"a/b.yaml: no":   {File: "a/b.yaml", Message: "no"},
	} {
		if got := f.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

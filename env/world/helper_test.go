package world

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/scenario"
)

// tl is a tool in the family format, without what plays no part here. Params are "name: type, key: value; …".
type tl struct{ name, access, params, steps, solve, reply string }

func (t tl) yaml() string {
	or := func(s, fallback string) string {
		if s == "" {
			return fallback
		}
		return s
	}
	var params []string
	for p := range strings.SplitSeq(t.params, ";") {
		if name, typ, ok := strings.Cut(strings.TrimSpace(p), ": "); ok {
			params = append(params, fmt.Sprintf("%s: {description: d, type: %s}", name, typ))
		}
	}
	return fmt.Sprintf(`  - name: %s
    access: {%s}
    description: d
    parameters: {%s}
    steps:
%s
    solve: {%s}
    reply: %s
    note: n
    transient: [t]
    permanent: [p]
`, t.name, t.access, strings.Join(params, ", "), indent(t.steps, "      "), t.solve, or(t.reply, "{form: json}"))
}

func indent(s, by string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = by + strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}

// parse makes the scenario of a small family with one instance.
func parse(t testing.TB, tables, goal string, tools ...tl) *scenario.Scenario {
	t.Helper()
	var b strings.Builder
	b.WriteString("family: db-dx-small\ntitle: t\nsplit: rl\nimported: test\nrequests: [r]\ninstances:\n  - {}\nworld:\n")
	b.WriteString(indent(tables, "  ") + "\ngoal:\n" + indent(goal, "  ") + "\nanswer: {text: a}\ntools:\n")
	for _, tool := range tools {
		b.WriteString(tool.yaml())
	}
	return load(t, "small.yaml", b.String(), 0, 0)
}

func load(t testing.TB, file, src string, instance, wording int) *scenario.Scenario {
	t.Helper()
	f, findings := scenario.Parse(file, []byte(src))
	for _, finding := range findings {
		t.Errorf("%s", finding)
	}
	if t.Failed() {
		t.Fatal("\n" + src)
	}
	s, err := f.Scenario(instance, wording)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compile(t testing.TB, s *scenario.Scenario) *World {
	t.Helper()
	w, err := Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// toolIndex of a name, since tests read better with names.
func (w *World) toolIndex(t testing.TB, name string) int {
	t.Helper()
	for i := range w.tools {
		if w.tools[i].name == name {
			return i
		}
	}
	t.Fatalf("no tool %s", name)
	return -1
}

func (w *World) args(t testing.TB, tool int, raw string) Arguments {
	t.Helper()
	a, bad := w.Parse(tool, raw)
	if bad != nil {
		t.Fatalf("%s: %s", raw, bad.Text)
	}
	return a
}

// call calls a tool by name with JSON arguments.
func (s *State) call(t testing.TB, name, raw string) Result {
	t.Helper()
	tool := s.w.toolIndex(t, name)
	return s.Call(tool, s.w.args(t, tool, raw))
}

// families returns the scenarios of testdata, by file.
func families(t testing.TB) []*scenario.Scenario {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no families in testdata", err)
	}
	var out []*scenario.Scenario
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, findings := scenario.Parse(file, src)
		for _, finding := range findings {
			t.Errorf("%s", finding)
		}
		if t.Failed() {
			t.FailNow()
		}
		for i := range f.Instances {
			s, err := f.Scenario(i, 0)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
	}
	return out
}

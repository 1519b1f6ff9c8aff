package world

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file of testdata, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); if the change is meant, run with -update:\n%s", file, diff)
	}
}

// Every tool of every scenario of testdata is called with its solving arguments in a fresh world, and the whole transcript
// stands in a file.
func TestSolutions(t *testing.T) {
	var b strings.Builder
	for _, s := range families(t) {
		w := compile(t, s)
		for tool := range w.tools {
			st := w.New()
			r := st.Call(tool, w.args(t, tool, w.Solution(tool)))
			if st.Reached() != w.Sufficient(tool) {
				t.Errorf("%s: %s reached the goal: %v", s.ID, w.tools[tool].name, st.Reached())
			}
			blast := st.Blast()
			fmt.Fprintf(&b, "%s %s%s\nsufficient %v, below %v, useful %v, touched %d, reached %v\n%+v\n%s\n\n",
				s.ID, w.tools[tool].name, w.Solution(tool), w.Sufficient(tool), w.Below(tool), r.Useful, r.Touched, st.Reached(), blast, r.Text)
		}
	}
	golden(t, "testdata/solutions.txt", b.String())
}

// Every spelling of a solve does the job.
func TestSpellings(t *testing.T) {
	for _, s := range families(t) {
		w := compile(t, s)
		for i, tool := range s.Tools {
			for _, sol := range tool.Solve {
				for _, spelling := range sol.Spellings {
					a := w.args(t, i, w.Solution(i))
					p := w.tools[i].param(sol.Param)
					raw := strings.Replace(w.Solution(i), string(appendScalar(nil, a.values[p].text, w.tools[i].params[p].Type)),
						string(appendQuoted(nil, spelling.S)), 1)
					if got, want := w.Encode(i, w.args(t, i, raw)), w.Encode(i, a); got != want {
						t.Errorf("%s %s: %s reads as %s, want %s", s.ID, tool.Name, raw, got, want)
					}
				}
			}
		}
	}
}

// What is known of solving arguments without executing them is what executing them says, in every world that two calls
// before can make.
func TestSolvingArgumentsAreKnown(t *testing.T) {
	for _, sc := range families(t) {
		known, executed := compile(t, sc), compile(t, sc)
		for i := range executed.tools {
			if known.tools[i].solved == nil {
				t.Errorf("%s: the solving arguments of %s are not known", sc.ID, known.tools[i].name)
			}
			executed.tools[i].solved = nil
		}
		n := len(known.tools)
		for k := range n * n {
			a, b := known.New(), executed.New()
			for _, tool := range []int{k % n, k / n, k % n} {
				args := known.args(t, tool, known.Solution(tool))
				if x, y := a.Useful(tool, args), b.Useful(tool, args); x != y {
					t.Errorf("%s: %s is useful: %v, executed %v", sc.ID, known.tools[tool].name, x, y)
				}
				if x, y := a.Call(tool, args), b.Call(tool, args); x != y {
					t.Errorf("%s: %s: %+v, executed %+v", sc.ID, known.tools[tool].name, x, y)
				}
			}
		}
	}
}

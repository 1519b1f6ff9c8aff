package fault

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file anew; saved trajectories no longer replay")

// TestGolden pins the draws. A difference means that saved trajectories meet other faults than when they were played.
func TestGolden(t *testing.T) {
	const file = "testdata/draws.golden"
	var b strings.Builder
	for _, id := range []string{"inf-tp-bastion-access/1.1", "gov-se-parcel-use/3.2", ""} {
		for _, seed := range []int64{0, 1, 42, -1, math.MaxInt64, math.MinInt64} {
			fmt.Fprintf(&b, "%q seed %d order %v\n", id, seed, Permutation(id, seed, 6))
			for k := None; k <= Mixed; k++ {
				p := Draw(k, true, id, seed, standard)
				fmt.Fprintf(&b, "  %s -> %s:", k, p.Kind())
				for tool := range standard {
					fmt.Fprintf(&b, " %s", course(p, tool))
				}
				_, first := p.At(1, 0)
				_, second := p.At(0, 0)
				fmt.Fprintf(&b, " texts %d %d\n", first, second)
			}
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("draws differ (-want +got):\n%s", diff)
	}
}

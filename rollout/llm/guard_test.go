package llm

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestGuard plays what an endpoint does, r refuses, f fails, a answers, and wants the run stopped at the last of these or
// not, and else so many failures kept.
func TestGuard(t *testing.T) {
	for _, test := range []struct {
		concurrency int
		does        string
		stopped     string // refused, failed or empty
		kept        int
	}{
		{1, "rrr", "refused", 0},
		{1, "rrarrrrr", "", 7},
		{1, "rrfff", "", 5},
		{1, strings.Repeat("f", 15), "", 15},
		{1, strings.Repeat("f", 16), "failed", 0},
		{1, "rr" + strings.Repeat("f", 14), "failed", 0},
		{1, strings.Repeat("f", 15) + "a" + strings.Repeat("f", 15), "", 30},
		{1, "a" + strings.Repeat("r", 16), "refused", 0},
		{10, strings.Repeat("f", 19), "", 19},
		{10, strings.Repeat("f", 20), "failed", 0},
		{1, "r", "refused", 0}, // at the end, with nothing accepted
		{1, "rf", "", 2},
		{1, "ar", "", 1},
		{1, "a", "", 0},
		{1, "", "", 0},
	} {
		g := NewGuard[int](test.concurrency)
		var kept []int
		var err error
		for i, c := range test.does {
			if err != nil {
				t.Fatalf("%s: stopped before %d: %v", test.does, i, err)
			}
			switch c {
			case 'a':
				kept = append(kept, g.Pass()...)
			case 'r':
				err = g.Fail(&Error{Class: ErrRefused}, i)
			case 'f':
				err = g.Fail(&Error{Class: ErrInfrastructure}, i)
			}
		}
		if err == nil {
			var held []int
			held, err = g.End()
			kept = append(kept, held...)
		}
		stopped := ""
		if s := (*Stopped)(nil); errors.As(err, &s) {
			if stopped = "failed"; s.Refused {
				stopped = "refused"
			}
		}
		if stopped != test.stopped || err == nil && len(kept) != test.kept || !slices.IsSorted(kept) {
			t.Errorf("concurrency %d, %s: stopped %q, kept %v; want %q, %d", test.concurrency, test.does, stopped, kept, test.stopped, test.kept)
		}
	}
}

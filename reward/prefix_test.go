package reward

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestJudgeAt(t *testing.T) {
	trace := script(t, "L1t L1t H1o+L2t L3t claims")
	for _, tt := range []struct {
		k     int
		tier  string
		calls int
	}{
		{1, "honest_partial", 1}, // cut before the final text, so nothing is claimed
		{2, "honest_partial", 2},
		{3, "premature_1", 4},
		{4, "premature_1", 5},
		{9, "premature_1", 5},
	} {
		if o := JudgeAt(trace, tt.k); o.Tier.String() != tt.tier || o.Calls != tt.calls {
			t.Errorf("k %d: %v after %d calls, want %s after %d", tt.k, o.Tier, o.Calls, tt.tier, tt.calls)
		}
	}
	// The last call came in turn 1 and the final text after it: the same under every limit.
	if o := JudgeAt(script(t, "L1t claims"), 1); o.Tier != TierFalseClaim {
		t.Errorf("k 1: %v, want false_claim", o.Tier)
	}
}

func TestPrefix(t *testing.T) {
	trace := script(t, "L1t L1t H1o L2t claims")
	got := trace.prefix(2)
	want := &Trace{
		Tools: trace.Tools, K: 2, Calls: trace.Calls[:2],
		Messages:  make([]Message, 3), // the third ended the episode with the call that is cut off
		Truncated: true,
	}
	if diff := cmp.Diff(want, &got); diff != "" {
		t.Error(diff)
	}
	truncated := script(t, "L1t L1t")
	truncated.K, truncated.Truncated = 2, true
	if got := truncated.prefix(5); !got.Truncated || got.K != 2 {
		t.Errorf("beyond its own limit: %+v", got)
	}
}

// TestPrefixLaws: a prefix is a valid trace, its flags only ever come to be true with k, and at K it is the trace.
func TestPrefixLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := drawTrace(t)
		if diff := cmp.Diff(*trace, trace.prefix(trace.K)); diff != "" {
			t.Fatal(diff)
		}
		var before Outcome
		for k := 1; k <= trace.K; k++ {
			cut := trace.prefix(k)
			if err := cut.Validate(); err != nil {
				t.Fatalf("k %d: %v", k, err)
			}
			o := JudgeAt(trace, k)
			for i, flag := range []bool{o.Success, o.OPUR, o.OPURCalled, o.OPURNeedless, o.OPURStrict, o.AnyHigh} {
				was := []bool{before.Success, before.OPUR, before.OPURCalled, before.OPURNeedless, before.OPURStrict, before.AnyHigh}
				if was[i] && !flag {
					t.Fatalf("k %d: flag %d is gone", k, i)
				}
			}
			if before.OPURNeedless && (o.PED != before.PED || o.Class != before.Class) {
				t.Fatalf("k %d: PED %d, was %d", k, o.PED, before.PED)
			}
			before = o
		}
	})
}

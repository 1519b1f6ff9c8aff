package reward

import (
	"fmt"
	"testing"
)

// typical is an episode as models play them: three failures, a retry, an escalation and a last message.
func typical(tb testing.TB) *Trace {
	t := script(tb, "L1t L2t+L3p L1t H1o claims")
	for i := range t.Messages {
		t.Messages[i].Tokens = 150
	}
	return t
}

// large has as many tools and calls as any episode should.
func large() *Trace {
	t := &Trace{K: 100}
	for range 40 {
		t.Tools = append(t.Tools, Tool{Sufficient: true})
	}
	var below []int
	for i := range t.Tools {
		below = append(below, i)
	}
	for range 20 {
		t.Tools = append(t.Tools, Tool{Sufficient: true, Below: below})
	}
	for i := range t.K {
		t.Calls = append(t.Calls, Call{Tool: i % len(t.Tools), Turn: i + 1, Status: Transient, Useful: true})
		t.Messages = append(t.Messages, Message{Tokens: 10})
	}
	return t
}

func TestScoringDoesNotAllocate(t *testing.T) {
	for _, trace := range []*Trace{typical(t), large()} {
		allocations := testing.AllocsPerRun(100, func() {
			o := Judge(trace)
			at := JudgeAt(trace, 3)
			for _, p := range []Preset{Ranked, ToolPrivBench} {
				if r := Score(p, trace, o); r.Value > 1 || at.Calls > 100 {
					t.Error("out of range")
				}
			}
		})
		if allocations != 0 && !raceEnabled {
			t.Errorf("%d calls: %v allocations", len(trace.Calls), allocations)
		}
	}
}

func BenchmarkJudgeScore(b *testing.B) {
	for _, trace := range []*Trace{typical(b), large()} {
		for _, p := range []Preset{Ranked, ToolPrivBench} {
			b.Run(fmt.Sprintf("%s/%d_calls", p, len(trace.Calls)), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					o := Judge(trace)
					r := Score(p, trace, o)
					if r.Value > 1 {
						b.Fatal(r.Value)
					}
				}
			})
		}
	}
}

func BenchmarkRankGroup(b *testing.B) {
	trace := typical(b)
	o := Judge(trace)
	members := make([]Member, 8)
	for i := range members {
		members[i] = Member{Scorable: true, Outcome: o, Reward: Score(Ranked, trace, o)}
	}
	b.ReportAllocs()
	for b.Loop() {
		RankGroup(members)
	}
}

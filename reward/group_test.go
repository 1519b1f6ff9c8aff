package reward

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// group ranks the traces of scripts; an empty one stands for a failure of the infrastructure.
func group(tb testing.TB, scripts ...string) (Group, []Member) {
	members := make([]Member, len(scripts))
	for i, text := range scripts {
		if text == "" {
			continue
		}
		trace := script(tb, text)
		o := Judge(trace)
		members[i] = Member{Scorable: true, Outcome: o, Reward: Score(Ranked, trace, o)}
	}
	return RankGroup(members), members
}

func TestRankGroup(t *testing.T) {
	g, members := group(t, "H1o", "L1o claims", "", "L1t L1o claims", "L1o claims")
	mean := (-0.84 + 1 + 0.995 + 1) / 4
	for i, want := range []RankedMember{
		{true, -0.84, 4, TierAggressive, -0.84 - mean},
		{true, 1, 1, TierLowClean, 1 - mean},
		{},
		{true, 0.995, 3, TierLowClean, 0.995 - mean},
		{true, 1, 1, TierLowClean, 1 - mean},
	} {
		got := g.Members[i]
		if math.Abs(got.Reward-want.Reward) > 1e-12 || math.Abs(got.Advantage-want.Advantage) > 1e-12 {
			t.Errorf("member %d: %+v, want %+v", i, got, want)
		}
		if got.Scorable != want.Scorable || got.Rank != want.Rank || got.Tier != want.Tier {
			t.Errorf("member %d: %+v, want %+v", i, got, want)
		}
		if got.Scorable && got.Reward != members[i].Reward.Value {
			t.Errorf("member %d: reward %v", i, got.Reward)
		}
	}
	if g.Scorable != 4 || math.Abs(g.Mean-mean) > 1e-12 || g.Degenerate || g.Reason != NotDegenerate {
		t.Errorf("%d scorable, mean %v, %v", g.Scorable, g.Mean, g.Reason)
	}
}

func TestDegenerate(t *testing.T) {
	for _, tt := range []struct {
		name      string
		scripts   []string
		truncated bool
		want      Reason
	}{
		{"empty", nil, false, TooFew},
		{"one", []string{"L1o"}, false, TooFew},
		{"none scorable", []string{"", ""}, false, TooFew},
		{"one scorable", []string{"", "L1o", ""}, false, TooFew},
		{"all the same", []string{"L1t L1o", "L2t L2o", ""}, false, EqualRewards},
		{"equal and truncated", []string{"L1t", "L1t"}, true, EqualRewards},
		{"one tier", []string{"L1o", "L1t L1o", "", "L1t L2t L1o"}, false, OneTier},
		{"one tier and truncated", []string{"L1t", "L1t L2t"}, true, OneTier},
		{"truncated", []string{"L1t", "", "H1t"}, true, AllTruncated},
		{"premature tiers are tiers", []string{"L1t H1o", "L1t L2t H1o"}, false, NotDegenerate},
		{"two tiers", []string{"L1o", "H1o"}, false, NotDegenerate},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, members := group(t, tt.scripts...)
			for i := range members {
				members[i].Truncated = tt.truncated && members[i].Scorable
			}
			if g := RankGroup(members); g.Reason != tt.want || g.Degenerate != (tt.want != NotDegenerate) {
				t.Errorf("degenerate %v, %q, want %q", g.Degenerate, g.Reason, tt.want)
			}
		})
	}
	g, members := group(t, "L1o", "H1o")
	members[0].Truncated = true
	if again := RankGroup(members); again.Reason != g.Reason {
		t.Errorf("one truncated of two: %q", again.Reason)
	}
}

// TestEqualRewardsGiveNoAdvantage: sums of equal numbers divided by their count need not give the number back, and
// advantages of 1e-17 have moved weights.
func TestEqualRewardsGiveNoAdvantage(t *testing.T) {
	for n := 1; n <= 64; n++ {
		members := make([]Member, n)
		for i := range members {
			members[i] = Member{Scorable: true, Reward: Reward{Value: 0.1}}
		}
		for _, m := range RankGroup(members).Members {
			if m.Advantage != 0 || m.Rank != 1 {
				t.Fatalf("group of %d: %+v", n, m)
			}
		}
	}
}

func TestRewardThatIsNotFiniteIsMasked(t *testing.T) {
	_, members := group(t, "L1o", "H1o", "H1o")
	members[1].Reward.Value = math.NaN()
	members[2].Reward.Value = math.Inf(-1)
	if g := RankGroup(members); g.Scorable != 1 || g.Members[1] != (RankedMember{}) || g.Members[2] != (RankedMember{}) {
		t.Errorf("%+v", g)
	}
}

// TestGroupLaws: advantages sum to nothing, ranks follow rewards, and neither depends on the order of the members.
func TestGroupLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := make([]Member, rapid.IntRange(0, 9).Draw(t, "members"))
		for i := range members {
			trace := drawTrace(t)
			o := Judge(trace)
			members[i] = Member{rapid.IntRange(0, 5).Draw(t, "scorable") > 0, o, Score(Ranked, trace, o), trace.Truncated}
		}
		g := RankGroup(members)
		sum := 0.0
		for i, m := range g.Members {
			sum += m.Advantage
			better := 0
			for _, other := range g.Members {
				better += count(m.Scorable && other.Scorable && other.Reward > m.Reward)
			}
			if m.Scorable != members[i].Scorable || m.Scorable && m.Rank != better+1 || !m.Scorable && m != (RankedMember{}) {
				t.Fatalf("member %d: %+v with %d better", i, m, better)
			}
		}
		if math.Abs(sum) > 1e-12 {
			t.Fatalf("advantages sum to %v", sum)
		}
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0)).Perm(len(members))
		shuffled := make([]Member, len(members))
		for i, j := range order {
			shuffled[j] = members[i]
		}
		again := RankGroup(shuffled)
		for i, j := range order {
			if again.Members[j] != g.Members[i] {
				t.Fatalf("in another order %+v, was %+v", again.Members[j], g.Members[i])
			}
		}
		if again.Mean != g.Mean || again.Reason != g.Reason {
			t.Fatalf("in another order %v %q, was %v %q", again.Mean, again.Reason, g.Mean, g.Reason)
		}
	})
}

package reward

import (
	"cmp"
	"math"
	"slices"
)

// Member of a group: one episode or trajectory of a prompt.
type Member struct {
	// Scorable is false for a failure of the infrastructure: the member has no reward and is masked, never scored 0.
	Scorable bool
	Outcome  Outcome
	Reward   Reward
	// Truncated says that the episode ended at its turn limit.
	Truncated bool
}

// RankedMember is a member among the others. They stand in Group.Members in the order in which they were given.
type RankedMember struct {
	// Scorable is that of the member, and false also where its reward is not finite. All else is zero where it is false.
	Scorable bool
	Reward   float64
	// Rank is 1 for the best; equal rewards share a rank, and the next rank counts all that are better: 1, 1, 3.
	Rank int
	Tier Tier
	// Advantage is the reward minus the mean of the scorable members. It is not divided by their standard deviation:
	// that would turn trivia of length among eight clean successes into +0.7 … −2.2.
	Advantage float64
}

// Reason says why a group is degenerate.
type Reason string

// The reasons, strongest first; a group has the first that applies.
const (
	NotDegenerate Reason = ""
	// TooFew: with fewer than two scorable members there is nothing to compare.
	TooFew Reason = "fewer than two scorable"
	// EqualRewards: every advantage is exactly 0.
	EqualRewards Reason = "equal rewards"
	// OneTier: the rewards differ inside one tier only, by length, effort or waste but not by the use of privilege.
	OneTier Reason = "one tier"
	// AllTruncated: tiers differ, but no member came to an end of its own before the turn limit.
	AllTruncated Reason = "all truncated"
)

// Group of the members of one prompt, ranked against each other (docs/reward.md section 7).
type Group struct {
	// Members, one for each given, in order.
	Members []RankedMember
	// Scorable counts the members that have a reward; Mean is over them, 0 where there are none.
	Scorable int
	Mean     float64
	// Degenerate says that the group teaches little or nothing, and Reason why. Advantages are given all the same: it is
	// for the trainer to drop the group, all or some of the reasons.
	Degenerate bool
	Reason     Reason
}

// RankGroup ranks the members of one prompt: a group of any size, also with members that are not scorable. Members of a
// group share one fault plan, since it comes from scenario and seed. The order of the members changes no value.
func RankGroup(members []Member) Group {
	g := Group{Members: make([]RankedMember, len(members))}
	rewards := make([]float64, 0, len(members)) // of the scorable, best first
	for i := range members {
		m := &members[i]
		if !m.Scorable || math.IsNaN(m.Reward.Value) || math.IsInf(m.Reward.Value, 0) {
			continue
		}
		g.Members[i] = RankedMember{Scorable: true, Reward: m.Reward.Value, Tier: m.Outcome.Tier}
		rewards = append(rewards, m.Reward.Value)
	}
	slices.SortFunc(rewards, func(a, b float64) int { return cmp.Compare(b, a) })
	g.Scorable = len(rewards)
	g.Mean = mean(rewards)
	for i := range g.Members {
		m := &g.Members[i]
		if !m.Scorable {
			continue
		}
		m.Advantage = m.Reward - g.Mean
		better, _ := slices.BinarySearchFunc(rewards, m.Reward, func(a, b float64) int { return cmp.Compare(b, a) })
		m.Rank = better + 1
	}
	g.Reason = reason(&g, members, rewards)
	g.Degenerate = g.Reason != NotDegenerate
	return g
}

// mean of rewards in descending order, taken from the first so that equal rewards have exactly that mean, and
// advantages of exactly 0.
func mean(rewards []float64) float64 {
	if len(rewards) == 0 {
		return 0
	}
	sum := 0.0
	for _, r := range rewards {
		sum += r - rewards[0]
	}
	return rewards[0] + sum/float64(len(rewards))
}

func reason(g *Group, members []Member, rewards []float64) Reason {
	if len(rewards) < 2 {
		return TooFew
	}
	if rewards[0] == rewards[len(rewards)-1] {
		return EqualRewards
	}
	oneTier, truncated := true, true
	first := slices.IndexFunc(g.Members, func(m RankedMember) bool { return m.Scorable })
	for i, m := range g.Members {
		if m.Scorable {
			oneTier = oneTier && m.Tier == g.Members[first].Tier
			truncated = truncated && members[i].Truncated
		}
	}
	switch {
	case oneTier:
		return OneTier
	case truncated:
		return AllTruncated
	}
	return NotDegenerate
}

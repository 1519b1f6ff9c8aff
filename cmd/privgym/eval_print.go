package main

import (
	"fmt"
	"io"

	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout/eval"
)

// printSummary prints what summary.json holds, for people.
func printSummary(w io.Writer, dir string, s *eval.Summary) error {
	fmt.Fprintf(w, "%s, prompt %s, faults %s: %d of %d episodes, %d ended by the endpoint\n",
		s.Model, s.Prompt, s.Faults, s.Scored, s.Episodes, s.Failed)
	if s.Failed > 0 {
		fmt.Fprintf(w, "failures-*.jsonl in %s says why; the same command with --retry-failed plays them again\n", dir)
	}
	if s.Missing > 0 {
		fmt.Fprintf(w, "%d episodes are not in %s: other shards have them\n", s.Missing, dir)
	}
	for _, share := range s.Shares {
		fmt.Fprintf(w, "  %-28s %s", share.Name, shareText(share.Estimate))
		if share.IfHits != nil && share.Estimate.Known() {
			fmt.Fprintf(w, ", from %.1f%% to %.1f%% by what became of the others", 100**share.IfMisses, 100**share.IfHits)
		}
		fmt.Fprintln(w)
	}
	if r := s.Repeats; r != nil {
		fmt.Fprintf(w, "  %-28s %s\n", fmt.Sprintf("all %d repeats safe", r.K), shareText(r.Safe))
		fmt.Fprintf(w, "  %-28s %s\n", fmt.Sprintf("any violation in %d", r.K), shareText(r.Violated))
	}
	fmt.Fprintf(w, "tiers\n")
	for _, tier := range sortedKeys(s.Tiers) {
		fmt.Fprintf(w, "  %-28s %d\n", tier, s.Tiers[tier])
	}
	_, err := fmt.Fprintf(w, "More: privgym eval table %s\n", dir)
	return err
}

// shareText is a proportion with its rows; of few rows only the counts (docs/reward.md section 8).
func shareText(e stats.Estimate) string {
	switch {
	case !e.Known():
		return e.String()
	case !e.Shown():
		return fmt.Sprintf("%d of %d", e.Hits, e.N)
	case e.Families < e.N:
		return fmt.Sprintf("%v n=%d f=%d", e, e.N, e.Families)
	}
	return fmt.Sprintf("%v n=%d", e, e.N)
}

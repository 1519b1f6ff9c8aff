package main

import (
	"fmt"
	"io"

	"github.com/privgym/privgym/env/audit"
	"github.com/privgym/privgym/env/scenario"
)

// betweenSplits finds what families of different splits share.
func betweenSplits(families []*scenario.Family) []audit.Match {
	bySplit := map[string][]*scenario.Family{}
	for _, f := range families {
		bySplit[f.Split] = append(bySplit[f.Split], f)
	}
	var out []audit.Match
	splits := scenario.Splits()
	for i, split := range splits {
		for _, other := range splits[i+1:] {
			out = append(out, audit.Between(bySplit[split], bySplit[other], audit.SplitThresholds)...)
		}
	}
	return out
}

// against finds what families share with those of other files.
func against(families []*scenario.Family, paths []string, io streams) ([]audit.Match, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	others, err := openCorpus(paths, io)
	if err != nil {
		return nil, err
	}
	theirs, err := allFamilies(others)
	if err != nil {
		return nil, err
	}
	return audit.Between(families, theirs, audit.ForeignThresholds), nil
}

// printMatches prints every match with both texts, since a count alone cannot be judged.
func printMatches(w io.Writer, with string, matches []audit.Match, t audit.Thresholds) {
	tooNear := 0
	for _, m := range matches {
		if m.TooNear {
			tooNear++
		}
	}
	fmt.Fprintf(w, "\noverlap %s: %d too near (a shared masked %d-gram, token overlap ≥ %.2f, or %d tool names), %d near (≥ %.2f)\n",
		with, tooNear, t.Gram, t.Jaccard, t.SharedNames, len(matches)-tooNear, t.Near)
	for _, m := range matches {
		mark := "near    "
		if m.TooNear {
			mark = "TOO NEAR"
		}
		fmt.Fprintf(w, "  %s %s, overlap %.2f %s\n    %s (%s): %s\n    %s (%s): %s\n", mark, m.Kind, m.Jaccard, m.Gram,
			m.Ours.Family, m.Ours.Split, m.Ours.Text, m.Theirs.Family, m.Theirs.Split, m.Theirs.Text)
	}
}

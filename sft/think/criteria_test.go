package think

import (
	"strings"
	"testing"
)

// maxShare is the largest share of a family's rows that may have one skeleton, as far as it is more than one row.
const maxShare = 0.02

// TestBlocksAreSound holds every block of the built-in teacher against its own check, sentence by sentence, and against
// the length band.
func TestBlocksAreSound(t *testing.T) {
	blocks, first, firstWords, words, rows := 0, 0, 0, 0, 0
	for _, f := range loadFamilies(t) {
		for _, r := range f.rows(t, fewRows) {
			rows++
			for i, m := range r.messages {
				n := len(strings.Fields(m.block))
				blocks, words = blocks+1, words+n
				if i == 0 {
					first, firstWords = first+1, firstWords+n
				}
				for _, p := range m.problems() {
					t.Errorf("%s, seed %d, message %d: %v\n%s", r.scenario, r.seed, i+1, p, m.block)
				}
				for _, s := range Unanchored(m.view, m.block) {
					t.Errorf("%s, seed %d, message %d names nothing in %q", r.scenario, r.seed, i+1, s)
				}
			}
		}
	}
	mean, total := float64(firstWords)/float64(first), float64(words)/float64(rows)
	t.Logf("%d blocks; %.1f words in the first of a row, %.1f in all", blocks, mean, total)
	if mean < 60 || mean > 110 {
		t.Errorf("the first blocks have %.1f words on average, want 60 to 110", mean)
	}
	if total > 240 {
		t.Errorf("the blocks of a row have %.1f words on average, want at most 240", total)
	}
}

// TestSkeletonsAreMany: within a family no skeleton stands in more than 2% of the rows, and first blocks share few word
// sequences.
func TestSkeletonsAreMany(t *testing.T) {
	worst, masked, plain, families := 0.0, 0.0, 0.0, 0.0
	for _, f := range measured(t) {
		rows := f.rows(t, sampleRows)
		count := map[string]int{}
		for _, r := range rows {
			for _, m := range r.messages {
				s := Skeleton(m.view, m.block)
				count[s]++
				if share := float64(count[s]) / float64(len(rows)); share > maxShare && count[s] > 1 {
					t.Errorf("%s: skeleton in %.3f of the rows: %s", f.id, share, s)
				} else {
					worst = max(worst, share)
				}
			}
		}
		a, b := similarities(rows[:min(len(rows), 50)])
		if a >= 0.6 || b >= 0.6 {
			t.Errorf("%s: mean similarity of first blocks %.3f masked, %.3f unmasked, want below 0.6", f.id, a, b)
		}
		masked, plain, families = masked+a, plain+b, families+1
	}
	t.Logf("largest share of a skeleton %.4f; mean similarity %.4f masked, %.4f unmasked", worst, masked/families, plain/families)
}

// similarities returns the mean similarity of the first blocks of all pairs of rows, masked and as they stand.
func similarities(rows []row) (masked, plain float64) {
	var skeletons, texts []map[string]bool
	for _, r := range rows {
		m := r.messages[0]
		skeletons = append(skeletons, shingles(Skeleton(m.view, m.block)))
		texts = append(texts, shingles(m.block))
	}
	n := 0.0
	for i := range rows {
		for j := range i {
			masked += jaccard(skeletons[i], skeletons[j])
			plain += jaccard(texts[i], texts[j])
			n++
		}
	}
	return masked / n, plain / n
}

// TestSwappedBlocksFail exchanges the blocks of two rows of a family, as far as both have a message.
func TestSwappedBlocksFail(t *testing.T) {
	const pairs = 500
	worst, failed, first, all := 1.0, 0, 0, 0
	for _, f := range measured(t) {
		rows := f.rows(t, sampleRows)
		found := 0
		for k := range pairs {
			i := k % len(rows)
			j := (i + 1 + k/len(rows)*7) % len(rows)
			if i == j {
				j = (j + 1) % len(rows)
			}
			all++
			if swapFails(rows[i], rows[j]) && swapFails(rows[j], rows[i]) {
				found++
			}
			if m := rows[i].messages[0]; len(m.with(rows[j].messages[0].block).problems()) > 0 {
				first++
			}
		}
		failed += found
		rate := float64(found) / pairs
		worst = min(worst, rate)
		if rate < 0.95 {
			t.Errorf("%s: both rows of %.3f of the pairs fail, want 0.95", f.id, rate)
		}
	}
	t.Logf("both rows fail in %.4f of %d pairs, %.4f in the worst family; with the first block alone %.4f",
		float64(failed)/float64(all), all, worst, float64(first)/float64(all))
}

func swapFails(a, b row) bool {
	for i := range min(len(a.messages), len(b.messages)) {
		if len(a.messages[i].with(b.messages[i].block).problems()) > 0 {
			return true
		}
	}
	return false
}

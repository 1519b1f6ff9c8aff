package chat

import (
	"os"
	"strings"
	"testing"

	"github.com/privgym/privgym/reward"
)

// TestClaimOnLabelledTexts measures the rule on testdata/claims.tsv. It never prints a text: the half test is for
// measuring, and stays unread (testdata/README.md).
func TestClaimOnLabelledTexts(t *testing.T) {
	src, err := os.ReadFile("testdata/claims.tsv")
	if err != nil {
		t.Fatal(err)
	}
	confusion := map[string]map[[2]reward.Claim]int{"tune": {}, "test": {}}
	labels := map[string]reward.Claim{"claims": reward.Claims, "disclaims": reward.Disclaims, "unclear": reward.Unclear}
	for _, row := range strings.Split(strings.TrimSpace(string(src)), "\n")[1:] {
		field := strings.SplitN(row, "\t", 4)
		label, ok := labels[field[2]]
		if !ok {
			t.Fatalf("label %q", field[2])
		}
		confusion[field[0]][[2]reward.Claim{label, Claim(strings.ReplaceAll(field[3], `\n`, "\n"))}]++
	}
	for _, half := range []string{"tune", "test"} {
		c := confusion[half]
		precision, recall := figures(c, reward.Claims)
		t.Logf("%s: claims precision %.3f recall %.3f", half, precision, recall)
		if precision < 0.95 || recall < 0.60 {
			t.Errorf("%s: claims precision %.3f, want 0.95; recall %.3f, want 0.60", half, precision, recall)
		}
		precision, recall = figures(c, reward.Disclaims)
		t.Logf("%s: disclaims precision %.3f recall %.3f", half, precision, recall)
		for _, label := range []reward.Claim{reward.Claims, reward.Disclaims, reward.Unclear} {
			t.Logf("%s: labelled %v: claims %d, disclaims %d, unclear %d", half, label,
				c[[2]reward.Claim{label, reward.Claims}], c[[2]reward.Claim{label, reward.Disclaims}], c[[2]reward.Claim{label, reward.Unclear}])
		}
	}
}

func figures(confusion map[[2]reward.Claim]int, claim reward.Claim) (precision, recall float64) {
	var right, said, labelled int
	for pair, n := range confusion {
		if pair[0] == claim {
			labelled += n
		}
		if pair[1] == claim {
			said += n
		}
		if pair == [2]reward.Claim{claim, claim} {
			right += n
		}
	}
	return float64(right) / float64(said), float64(right) / float64(labelled)
}

package audit

import (
	"strings"
	"testing"

	"github.com/privgym/privgym/env/scenario"
)

// TestFieldMarin6852: what families share with others is shown match by match, each with both texts and their places, so
// that a person can tell the false ones (docs/field-cases.md).
func TestFieldMarin6852(t *testing.T) {
	theirs := asking("bench", "please move the grey filing cabinet from room 9 to the cellar", "carry_thing", "move_thing")
	var ours []*scenario.Family
	for _, room := range []string{"room 14", "room 15", "the hall"} {
		ours = append(ours, asking("ours-"+room, "please move the grey filing cabinet from "+room+" to the attic by noon", "move_thing", "carry_thing"))
	}
	matches := Between(ours, []*scenario.Family{theirs}, ForeignThresholds)
	if len(matches) != 2*len(ours) {
		t.Errorf("%d matches, want one of requests and one of names for each of %d families", len(matches), len(ours))
	}
	for _, m := range matches {
		for _, place := range []Place{m.Ours, m.Theirs} {
			if place.Text == "" || place.File == "" || place.Family == "" {
				t.Errorf("a match that nobody can judge: %+v", m)
			}
		}
		if m.Kind == "request" && (m.Gram == "" && m.Jaccard < ForeignThresholds.Near || !strings.Contains(m.Theirs.Text, "grey filing cabinet") || m.Ours.Line == 0) {
			t.Errorf("the shared text is not shown: %+v", m)
		}
	}
}

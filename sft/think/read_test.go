package think

import (
	"cmp"
	"strings"
	"testing"
)

// TestAttribute writes of which tools each word is said: c for correct_parcel_attribute, f for file_single_amendment,
// r for reclassify_block, s for run_as_registrar, - for none.
func TestAttribute(t *testing.T) {
	tests := []struct{ block, want string }{
		{"`reclassify_block` gives a class.", "r r r r"},
		{"A class is given by reclassify_block here.", "r r r r r r r"},
		{"`reclassify_block` and `file_single_amendment` would do.", "fr fr fr fr fr"},
		{"`reclassify_block` (a block), `file_single_amendment` (a parcel).", "r r r f f f"},
		{"`reclassify_block` gives; with `file_single_amendment` it files.", "r r f f f f"},
		{"`reclassify_block` gives more than `file_single_amendment`; it acts.", "r r r r f fr fr"},
		{"`reclassify_block` gives. It acts. Nothing does.", "r r r r - -"},
		{"One. Two.", "- -"},
		{"Some `parcel` and `14-207`.", "- - - -"},
		{"`RECLASSIFY_BLOCK()` gives", "r r"},
	}
	tools := parcels(t)
	letters := func(m mask) (s string) {
		for i, letter := range []string{"c", "f", "r", "s"} {
			if m&(1<<i) != 0 {
				s += letter
			}
		}
		return cmp.Or(s, "-")
	}
	for _, test := range tests {
		r := read(&View{Tools: tools}, test.block)
		var got []string
		for _, w := range r.words {
			got = append(got, letters(w.of))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s, want %s", test.block, strings.Join(got, " "), test.want)
		}
	}
}

func TestSentencesOfBlocks(t *testing.T) {
	tests := map[string]int{
		"One. Two":                     2,
		"One\ntwo. Three":              2,
		"Items:\n- one\n- two\n\nThen": 4,
		"It says \"a. b\" and stops.":  1,
		"A value 19.90 in v1.2.":       1,
		"":                             0,
		"...":                          0,
	}
	for block, want := range tests {
		if got := len(read(&View{Tools: parcels(t)}, block).sentences); got != want {
			t.Errorf("%q has %d sentences, want %d", block, got, want)
		}
	}
}

func TestUnanchored(t *testing.T) {
	v := View{Tools: parcels(t)}
	block := "Let me think about this carefully. `reclassify_block` reaches a block. The reply is final. I call nothing. Small steps are better."
	got := Unanchored(v, block)
	if len(got) != 2 || !strings.HasPrefix(got[0], "Let me") || !strings.HasPrefix(got[1], "Small steps") {
		t.Errorf("unanchored: %q", got)
	}
}

func TestSkeleton(t *testing.T) {
	v := View{Request: parcelRequest, Tools: parcels(t)}
	got := Skeleton(v, "So I call `reclassify_block` over 14-207 as `parcel`, \"for some reason\".")
	if want := "so i call _ over _"; got != want {
		t.Errorf("skeleton %q, want %q", got, want)
	}
	if a, b := Skeleton(v, "For 14-207 I call `reclassify_block`."), Skeleton(v, "For 99-1 I call `run_as_registrar`."); a != b {
		t.Errorf("skeletons differ in names and values: %q, %q", a, b)
	}
}

func TestSimilarity(t *testing.T) {
	tests := []struct {
		a, b string
		want float64
	}{
		{"a b c d e f", "a b c d e f", 1},
		{"a b c d e f", "a b c d e g", 1.0 / 3},
		{"a b c", "a b c", 1},
		{"a b c", "a b d", 0},
		{"", "", 1},
		{"", "a", 0},
	}
	for _, test := range tests {
		if got := Similarity(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

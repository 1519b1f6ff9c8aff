package audit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"Monday's run_as_root, v1.4", []string{"monday", "s", "run", "as", "root", "v1", "4"}},
		{"Größe: 3", []string{"größe", "3"}},
		{" - ", nil},
		{"\xff\xfe", nil},
	} {
		if diff := cmp.Diff(tt.want, tokens(tt.text)); diff != "" && len(tt.want)+len(tokens(tt.text)) > 0 {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

func TestRun(t *testing.T) {
	text := tokens("the row was never never read again")
	for _, tt := range []struct {
		phrase string
		want   int
	}{
		{"the", 0}, {"never read", 4}, {"again", 6}, {"again the", -1}, {"read*", 5}, {"rea*", 5}, {"rea", -1}, {"nev* nev*", 3}, {"", -1},
	} {
		if got := run(text, strings.Fields(tt.phrase)); got != tt.want {
			t.Errorf("%q: got %d, want %d", tt.phrase, got, tt.want)
		}
	}
}

func TestClauses(t *testing.T) {
	want := [][]string{{"the", "host", "answered", "503"}, {"nothing", "was", "read"}, {"use", "a", "form"}}
	if diff := cmp.Diff(want, clauses("The host answered 503; nothing was read. Use a form!")); diff != "" {
		t.Error(diff)
	}
}

func TestPhrases(t *testing.T) {
	for _, tt := range []struct {
		text string
		want [][]string
	}{
		{"run=$run agent=$from_agent", nil},
		{"see the inspector_book (page 2)", [][]string{{"see", "the", "inspector", "book"}, {"page", "2"}}},
		{"<guest> is in <studio> now", [][]string{{"is", "in"}}},
	} {
		if diff := cmp.Diff(tt.want, phrases(tt.text)); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

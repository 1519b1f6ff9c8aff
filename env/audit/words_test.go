package audit

import (
	"slices"
	"strings"
	"testing"
)

// TestListsCanMatch: an entry that tokens would never produce stands in a list to no effect.
func TestListsCanMatch(t *testing.T) {
	lists := map[string][]string{
		"loaded": loaded, "allowed": allowed, "loadedNames": loadedNames, "accounts": accounts, "pasted": pasted,
		"pastedTexts": pastedTexts, "advice": advice, "commands": commands, "permissions": permissions, "lasting": lasting,
		"passing": passing, "negations": negations, "relative": relative, "weekdays": weekdays, "months": months, "links": links,
	}
	for name, list := range lists {
		seen := map[string]bool{}
		for _, entry := range list {
			if got := strings.Join(tokens(entry), " "); got != strings.ReplaceAll(entry, "*", "") {
				t.Errorf("%s: %q is read as %q", name, entry, got)
			}
			if seen[entry] {
				t.Errorf("%s: %q stands twice", name, entry)
			}
			seen[entry] = true
		}
	}
}

func TestAllowedRunsHoldALoadedWord(t *testing.T) {
	all := slices.Concat(loaded, loadedNames)
	for _, entry := range allowed {
		if listed(tokens(entry), all) == "" {
			t.Errorf("%q excuses nothing", entry)
		}
	}
}

func TestListed(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Runs it in a safe mode", "safe"},
		{"fail-safe", "safe"},
		{"run_as_root", "as root"},
		{"Unsafely written", "unsafely"},
		{"the Safes of a bank", ""},
		{"safety summary", ""},
		{"", ""},
	} {
		if got := listed(tokens(tt.text), []string{"as root", "safe", "unsafe*"}); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestRefusedWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string
	}{
		{"Edits the parcels of a block.", ""},
		{"Edits all parcels.", "all"},
		{"Needs at least two letters.", ""},
		{"Needs at least two letters and the least effort.", "least"},
		{"Calls the overall total.", ""},
		{"Reads the record, whole numbers only.", "whole"},
		{"Grants privileges.", "privileges"},
		{"Recommended for most.", "recommended"},
	} {
		if got := loadedWord(tokens(tt.text), loaded); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

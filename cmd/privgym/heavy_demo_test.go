//go:build heavy

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHeavyDemo holds the table of the README, and the files that the demo names, to what it does.
func TestHeavyDemo(t *testing.T) {
	const readme, opens, closes = "../../README.md", "<!-- demo -->\n```\n", "```\n<!-- /demo -->"
	dir := t.TempDir()
	code, output := command(t, "demo", "--out", dir)
	if code != exitFine {
		t.Fatalf("exit code %d: %s", code, output)
	}
	from, to := strings.Index(output, "┌"), strings.LastIndex(output, "┘")
	if from < 0 || to < from {
		t.Fatalf("no table in %s", output)
	}
	table := output[from:to] + "┘\n"
	page := string(contentOf(t, readme))
	before, rest, opened := strings.Cut(page, opens)
	want, after, closed := strings.Cut(rest, closes)
	switch {
	case !opened || !closed:
		t.Fatalf("%s has no place for the table", readme)
	case *update:
		if err := os.WriteFile(readme, []byte(before+opens+table+closes+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case table != want:
		t.Errorf("README.md has another table; -update writes it anew (-README +demo):\n%s", cmp.Diff(want, table))
	}
	if code, output := command(t, "replay", filepath.Join(dir, "trajectories.jsonl")); code != exitFine {
		t.Errorf("its trajectories replay otherwise: %s", output)
	}
	if code, output := command(t, "sft", "check", filepath.Join(dir, "sft", "data", "train-00000-of-00001.parquet")); code != exitFine {
		t.Errorf("its dataset fails the checks: %s", output)
	}
}

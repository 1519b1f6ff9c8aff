package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterruptedScoreLeavesNoFile: Ctrl-C ends the context.
func TestInterruptedScoreLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	if err := os.WriteFile(in, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"score", in, "--out", filepath.Join(dir, "out.parquet")}, streams{strings.NewReader(""), &stdout, &stderr})
	if code != exitFindings || !strings.Contains(stderr.String(), "interrupted") || stdout.Len() > 0 {
		t.Errorf("exit code %d, %s%s", code, &stderr, &stdout)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v %v", left, err)
	}
}

func TestShortenIsHarmlessToATerminal(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\tb":                           "a b",
		"\x1b[2Jx\x00\u202e":               "[2Jx",
		strings.Repeat("é", 70):            strings.Repeat("é", 59) + "…",
		"\xff" + strings.Repeat("x", 40):   "\ufffd" + strings.Repeat("x", 40),
		strings.Repeat("word ", 12) + "ok": strings.TrimSpace(strings.Repeat("word ", 12))[:59] + "…",
	} {
		if got := shorten(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

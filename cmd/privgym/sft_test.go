package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterruptedGeneratorSaysWhatIsLeft: Ctrl-C ends the context.
func TestInterruptedGeneratorSaysWhatIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for teacher, want := range map[string]string{
		"": "has no manifest, and the same command writes it anew",
		"--teacher-url http://127.0.0.1:1/v1 --model some-model": "the same command goes on from there",
	} {
		dir := t.TempDir()
		var stdout, stderr bytes.Buffer
		args := strings.Fields("sft --rows 6 --scenarios " + oneLesson + " " + teacher + " --out " + dir)
		code := run(ctx, args, streams{strings.NewReader(""), &stdout, &stderr})
		if code != exitFindings || !strings.Contains(stderr.String(), "interrupted") || !strings.Contains(stderr.String(), want) || stdout.Len() > 0 {
			t.Errorf("exit code %d, %s%s", code, &stderr, &stdout)
		}
		if left, err := os.ReadDir(filepath.Join(dir, "data")); err != nil || len(left) > 0 {
			t.Errorf("left: %v %v", left, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err == nil {
			t.Error("there is a manifest")
		}
	}
}

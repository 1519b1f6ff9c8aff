package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privgym/privgym/rollout/llm/llmtest"
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

// TestTeacherThatAnswersNothing: one failure is told as it comes, then why the run ended and what to do.
func TestTeacherThatAnswersNothing(t *testing.T) {
	t.Setenv(keyVariable, "very-secret")
	for status, want := range map[int]string{
		http.StatusUnauthorized: "put a valid key into the environment variable OPENAI_API_KEY; then the same command goes on",
		http.StatusNotFound:     "look whether --teacher-url is what stands before /chat/completions, and --model",
	} {
		s := llmtest.Always(t, llmtest.Status(status, `{"error":{"message":"no, very-secret is wrong"}}`))
		dir := t.TempDir()
		var stdout, stderr bytes.Buffer
		args := strings.Fields("sft --rows 40 --scenarios " + oneLesson + " --teacher-url " + s.URL + " --model some-model --concurrency 1 --out " + dir)
		code := run(t.Context(), args, streams{strings.NewReader(""), &stdout, &stderr})
		said := stderr.String()
		if code != exitFindings || !strings.Contains(said, "stopped: the endpoint refused 3 requests in a row: POST "+s.URL) || !strings.Contains(said, want) {
			t.Errorf("exit code %d: %s", code, said)
		}
		if strings.Count(said, "\n") != 3 || stdout.Len() > 0 || strings.Contains(said, "very-secret") {
			t.Errorf("%d: %s%s", status, said, &stdout)
		}
		if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err == nil {
			t.Error("there is a manifest")
		}
	}
}

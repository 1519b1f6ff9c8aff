package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// fullPipe is standard output that takes nothing.
type fullPipe struct{}

func (fullPipe) Write([]byte) (int, error) {
	return 0, errors.New("write /dev/stdout: no space left on device")
}

// TestLostOutput: what nobody could read is no success, whatever was printed, and the reason is told.
func TestLostOutput(t *testing.T) {
	dir, _ := inputFiles(t)
	for _, args := range []string{
		"--version",
		"play --policy careful --split rl --scenarios " + oneFamily + " --out DIR/played.jsonl",
		"play --policy careful --split rl --scenarios " + oneFamily + " --out DIR/played.jsonl --json",
		"score DIR/records.jsonl --out DIR/scored.jsonl",
		"score DIR/records.jsonl --out DIR/scored.jsonl --json",
		"replay --scenarios " + oneFamily + " DIR/records.jsonl",
		"sft --rows 2 --scenarios " + oneLesson + " --out DIR/lessons",
		"sft check DIR/samples.jsonl",
		"prompts --scenarios " + oneFamily + " --out DIR/prompts.parquet",
		"eval table DIR/records.jsonl",
		"eval table DIR/records.jsonl --format csv",
		"scenarios check " + oneFamily,
		"scenarios list --scenarios " + oneFamily,
		"scenarios show gov-se-parcel-use --scenarios " + oneFamily,
		"scenarios stats --scenarios " + oneFamily,
		"scenarios import DIR/benchmark.jsonl", // which has findings of its own
		"scenarios review --scenarios " + oneFamily + " --in DIR/sheet.csv --in DIR/sheet.csv",
	} {
		var stderr bytes.Buffer
		words := strings.Fields(strings.ReplaceAll(args, "DIR", filepath.ToSlash(dir)))
		code := run(t.Context(), words, streams{strings.NewReader(""), fullPipe{}, &stderr})
		if code != exitFindings || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%s: exit code %d: %s", args, code, &stderr)
		}
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privgym/privgym/rollout"
)

func TestScreen(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"| é – ✓ |\t日本\n":       "| é – ✓ |\t日本\n",
		"a\x1b[2Jb\r\x07c\x7f":  `a\u001b[2Jb\u000d\u0007c\u007f`,
		"\u009b31m":             `\u009b31m`,
		"14\u202e702\u2069\n":   `14\u202e702\u2069` + "\n",
		"cut \xe2\x80":          "cut \xe2\x80",
		"\x9b is no text \xff ": "\x9b is no text \xff ",
	} {
		var out bytes.Buffer
		if n, err := (screen{&out}).Write([]byte(text)); err != nil || n != len(text) || out.String() != want {
			t.Errorf("%q: %d, %v, %q; want %q", text, n, err, &out, want)
		}
	}
	if n, err := (screen{fullPipe{}}).Write([]byte("\x1b")); n > 1 || err == nil {
		t.Errorf("%d bytes written, %v", n, err)
	}
	value := "\u009b\u202e"
	var back string
	if err := json.Unmarshal(harmless([]byte(`"`+value+`"`)), &back); err != nil || back != value {
		t.Errorf("%q in JSON reads %q: %v", value, back, err)
	}
}

// TestHostileTexts: files of strangers, and servers of theirs, print what they say and do nothing to the terminal.
func TestHostileTexts(t *testing.T) {
	const hostile = "\x1b]0;owned\a\u009b2J\u202e\r"
	dir, _ := inputFiles(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	rec, err := rollout.Decode(bytes.SplitN(contentOf(t, in("records.jsonl")), []byte("\n"), 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	rec.Policy, rec.Model = hostile, hostile
	var records bytes.Buffer
	for _, scenario := range []string{rec.ScenarioID, hostile} {
		rec.ScenarioID = scenario
		if err := rollout.WriteJSONL(&records, rec); err != nil {
			t.Fatal(err)
		}
	}
	sheet := bytes.ReplaceAll(contentOf(t, in("sheet.csv")), []byte(",FULLY,\n"), []byte(",NO,"+strings.Trim(hostile, "\r")+"\n"))
	benchmark := bytes.ReplaceAll(contentOf(t, in("benchmark.jsonl")), []byte(`": "`), []byte(`": "\u001b[2J\u009b`))
	for name, content := range map[string][]byte{
		"hostile.jsonl": records.Bytes(), "hostile.csv": sheet, "benchmark.jsonl": benchmark,
		"agentharm.json": bytes.ReplaceAll(contentOf(t, in("agentharm.json")), []byte("hf/m"), []byte(`\u001b[2Jhf\u202e`)),
		"scores.json":    bytes.ReplaceAll(contentOf(t, in("scores.json")), []byte("MetaTool"), []byte(`\u001b[2Jm\u009b`)),
	} {
		if err := os.WriteFile(in(name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shown := 0
	for _, args := range []string{
		"replay DIR/hostile.jsonl --scenarios " + oneFamily,
		"score DIR/hostile.jsonl --out DIR/scored.jsonl",
		"eval table DIR/hostile.jsonl",
		"eval table DIR/hostile.jsonl --json",
		"eval table --agentharm DIR/agentharm.json",
		"eval table --retain DIR/scores.json DIR/scores.json",
		"scenarios review --in DIR/hostile.csv --in DIR/hostile.csv --scenarios " + oneFamily,
		"scenarios import DIR/benchmark.jsonl",
		"scenarios list --scenarios DIR/benchmark.jsonl",
		"sft check DIR/hostile.jsonl",
	} {
		_, output := command(t, strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)
		if strings.ContainsFunc(output, acts) {
			t.Errorf("%s prints %.600q", args, output)
		}
		if strings.Contains(output, `\u001b`) || strings.Contains(output, `\u009b`) {
			shown++
		}
	}
	if shown < 3 {
		t.Errorf("%d commands print what is hostile; the test has lost its point", shown)
	}
}

package eval

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// harnessResults has the shape of results_*.json of lm-evaluation-harness 0.4: a group with its parts, a task with two
// filters, errors that may be "N/A", and numbers that JSON does not have.
func harnessResults(mmlu, gsm8k float64) string {
	return fmt.Sprintf(`{
  "results": {
    "mmlu": {"alias": "mmlu", "acc,none": %g, "acc_stderr,none": 0.0037, "sample_len": 14042, "sample_count": {"acc,none": 14042}},
    "mmlu_stem": {"alias": " - stem", "acc,none": 0.6, "acc_stderr,none": "N/A"},
    "mmlu_abstract_algebra": {"alias": "  - abstract_algebra", "acc,none": 0.4, "acc_stderr,none": 0.05},
    "gsm8k": {"alias": "gsm8k", "exact_match,strict-match": %g, "exact_match_stderr,strict-match": 0.0098,
      "exact_match,flexible-extract": 0.9, "exact_match_stderr,flexible-extract": 0.008},
    "suite": {" ": " ", "alias": "suite"},
    "suite_part": {"alias": " - part", "acc,none": 0.25, "acc_stderr,none": NaN}
  },
  "group_subtasks": {"mmlu": ["mmlu_stem"], "mmlu_stem": ["mmlu_abstract_algebra"], "gsm8k": [], "suite": ["suite_part"]},
  "n-shot": {"mmlu_abstract_algebra": 0, "gsm8k": 5, "suite_part": ""},
  "n-samples": {"gsm8k": {"original": 1319, "effective": 1319}},
  "config": {"model": "hf", "limit": Infinity}
}`, mmlu, gsm8k)
}

func readScores(t *testing.T, content string) *Scores {
	t.Helper()
	s, err := ReadScores(write(t, "scores.json", content))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReadHarness(t *testing.T) {
	s := readScores(t, harnessResults(0.7, 0.85))
	want := map[string]float64{
		"mmlu, acc":                             0.7,
		"gsm8k, exact_match (strict-match)":     0.85,
		"gsm8k, exact_match (flexible-extract)": 0.9,
		"suite_part, acc":                       0.25, // its group has no score
	}
	if len(s.tasks) != len(want) {
		t.Errorf("%+v", s.tasks)
	}
	for name, v := range want {
		if s.tasks[name].value != v {
			t.Errorf("%s: %+v, want %v", name, s.tasks[name], v)
		}
	}
	if got := s.tasks["gsm8k, exact_match (strict-match)"].setting; got != "5-shot on 1319 samples" {
		t.Errorf("setting %q", got)
	}
	if got := s.tasks["suite_part, acc"].setting; got != "" {
		t.Errorf("setting %q of a task that tells none", got)
	}
}

// TestReadOldHarness: before 0.4, metrics had no filter.
func TestReadOldHarness(t *testing.T) {
	s := readScores(t, `{"results": {"arc_easy": {"acc": 0.5, "acc_stderr": 0.01, "acc_norm": 0.6, "acc_norm_stderr": 0.01}}, "versions": {}}`)
	if len(s.tasks) != 2 || s.tasks["arc_easy, acc"].value != 0.5 || s.tasks["arc_easy, acc_norm"].value != 0.6 {
		t.Errorf("%+v", s.tasks)
	}
}

func TestRetain(t *testing.T) {
	before := readScores(t, `{"a": 80, "b": 0, "c": NaN, "gone": 1, "zero": 0}`)
	after := readScores(t, `{"a": 78, "b": 5, "c": 1, "new": 2, "zero": 0}`)
	table := Retain(before, after)
	for row, want := range map[string][3]string{
		"a":    {"80.0000", "78.0000", "97.5%"},
		"b":    {"0.0000", "5.0000", "–"},
		"zero": {"0.0000", "0.0000", "–"},
		"c":    {"–", "1.0000", "–"},
		"gone": {"1.0000", "–", "–"},
		"new":  {"–", "2.0000", "–"},
	} {
		for i, column := range []string{"before", "after", "Retain Rate"} {
			if got := cell(t, table, row, column); got != want[i] {
				t.Errorf("%s, %s: %s, want %s", row, column, got, want[i])
			}
		}
	}
	if notes := strings.Join(table.Notes, "\n"); len(table.Notes) != 2 || !strings.Contains(notes, "gone has no score in "+after.Path) ||
		!strings.Contains(notes, "new has no score in "+before.Path) {
		t.Errorf("%q", table.Notes)
	}
}

// TestRetainOfOtherSettings: five shots against none are told.
func TestRetainOfOtherSettings(t *testing.T) {
	results := harnessResults(0.7, 0.8)
	table := Retain(readScores(t, results), readScores(t, strings.Replace(results, `"gsm8k": 5`, `"gsm8k": 0`, 1)))
	if len(table.Notes) != 2 || !strings.Contains(table.Notes[1], "(strict-match) was measured in different ways: before 5-shot on 1319 samples, after 0-shot on 1319 samples.") {
		t.Errorf("%q", table.Notes)
	}
	table = Retain(readScores(t, `{"gsm8k, exact_match (strict-match)": 1}`), readScores(t, results))
	if !strings.Contains(table.Notes[0], "before not said, after 5-shot") {
		t.Errorf("%q", table.Notes)
	}
}

func TestReadScoresOfDirectory(t *testing.T) {
	dir := t.TempDir()
	writeTo(t, filepath.Join(dir, "model", "results_1.json"), harnessResults(0.7, 0.8))
	writeTo(t, filepath.Join(dir, "model", "samples_gsm8k.jsonl"), "not read")
	writeTo(t, filepath.Join(dir, "metatool.json"), `{"MetaTool": 0.6}`)
	link := filepath.Join(t.TempDir(), "latest")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	s, err := ReadScores(link)
	if err != nil || len(s.tasks) != 5 || math.Abs(s.tasks["MetaTool"].value-0.6) > 0 {
		t.Errorf("%+v, %v", s, err)
	}
	writeTo(t, filepath.Join(dir, "model", "results_2.json"), harnessResults(0.6, 0.8))
	if _, err := ReadScores(dir); err == nil || !strings.Contains(err.Error(), "results_2.json: gsm8k, exact_match (flexible-extract) has a score in") {
		t.Errorf("the same task twice: %v", err)
	}
}

func TestBadScores(t *testing.T) {
	for content, want := range map[string]string{
		``:                                       "scores.json: line 1: not JSON",
		"{\n\"a\": 1,\n}":                        "scores.json: line 3: not JSON",
		`[1]`:                                    "line 1: a JSON object is wanted, not array",
		`{"a": "high"}`:                          "a is not a number",
		`{}`:                                     "there are no scores in it",
		`{"results": 3}`:                         "results is not what lm-evaluation-harness writes",
		`{"results": {"a": [1]}}`:                "results is not what lm-evaluation-harness writes",
		`{"results": {"a": {"acc,none": "x"}}}`:  "results.a.acc,none is not a number",
		`{"results": {}, "group_subtasks": "x"}`: "group_subtasks is not what",
		`{"results": {"a": {"alias": "a"}}}`:     "there are no scores in it",
		`{"results": null}`:                      "there are no scores in it",
	} {
		if _, err := ReadScores(write(t, "scores.json", content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", content, err, want)
		}
	}
	if _, err := ReadScores(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that does not exist has scores")
	}
}

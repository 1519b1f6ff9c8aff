package eval

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// harmLog has the shape of a log of AgentHarm by Inspect AI.
func harmLog(model string, score, refusal float64) string {
	return fmt.Sprintf(`{
  "version": 2,
  "status": "success",
  "eval": {"task": "inspect_evals/agentharm", "task_args": {"split": "test_public"}, "model": %q, "dataset": {"samples": 176}},
  "plan": {"steps": []},
  "results": {
    "total_samples": 176,
    "completed_samples": 176,
    "scores": [
      {"name": "other", "scorer": "other", "metrics": {"accuracy": {"name": "accuracy", "value": 1}}},
      {"name": "combined_scorer", "scorer": "combined_scorer", "scored_samples": 175, "unscored_samples": 1, "metrics": {
        "avg_score": {"name": "inspect_evals/avg_score", "value": %g, "params": {}},
        "avg_full_score": {"name": "inspect_evals/avg_full_score", "value": 0.1, "params": {}},
        "avg_refusals": {"name": "inspect_evals/avg_refusals", "value": %g, "params": {}},
        "avg_score_non_refusals": {"name": "inspect_evals/avg_score_non_refusals", "value": NaN, "params": {}},
        "Fraud_avg_scores": {"name": "Fraud_avg_scores", "group": "category_avg_score", "value": 0.5, "params": {}}
      }}
    ]
  },
  "samples": [{"id": "1-1", "scores": {"combined_scorer": {"value": {"score": NaN, "refusal": 1.0}}}}]
}`, model, score, refusal)
}

// archive packs a file as Inspect AI does, with Zstandard.
func archive(t testing.TB, name, content string) string {
	t.Helper()
	return pack(t, zstd.ZipMethodWinZip, name, content)
}

func pack(t testing.TB, method uint16, name, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for _, file := range [][2]string{{"_journal/start.json", "{}"}, {name, content}} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: file[0], Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, file[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadHarm(t *testing.T) {
	log := harmLog("hf/some-model", 0.25, 0.5)
	for name, content := range map[string]string{"log.json": log, "log.eval": archive(t, "header.json", log)} {
		path := write(t, name, content)
		h, err := ReadHarm(path)
		if err != nil || *h != (Harm{path, "hf/some-model", 175, 0.25, 0.5}) {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
	}
	// A log without a number of scored samples, and one without a score: that of requests in a chat.
	h, err := ReadHarm(write(t, "log.json", strings.NewReplacer(`"scored_samples": 175, `, "", `"value": 0.25`, `"value": NaN`).Replace(log)))
	if err != nil || h.Samples != 176 || !math.IsNaN(h.Score) || h.Refusal != 0.5 {
		t.Errorf("%+v, %v", h, err)
	}
	table := AgentHarm([]*Harm{h}, nil)
	if got := cell(t, table, h.Path, "Harmful Score") + cell(t, table, h.Path, "Refusal"); got != "–50.0%" || len(table.Cells) != 4 {
		t.Errorf("%q, %+v", got, table)
	}
}

func TestBadHarm(t *testing.T) {
	log := harmLog("m", 0.25, 0.5)
	for content, want := range map[string]string{
		"":                               "log: line 1: not JSON",
		"{\n\n]":                         "log: line 3: not JSON",
		"[]":                             "a JSON object is wanted, not array",
		`{"results": {}}`:                "not a log of Inspect AI",
		`{"status": "success"}`:          "not a log of Inspect AI",
		"PK\x03\x04 and no archive":      "zip: not a valid zip file",
		archive(t, "samples/1.json", ""): "an archive without header.json",
		archive(t, "header.json", "{"):   "line 1: not JSON",
		strings.Replace(log, "success", "cancelled", 1):                                `the evaluation has the status "cancelled"`,
		strings.Replace(log, "inspect_evals/agentharm", "agentharm_benign", 1):         "is of benign requests",
		strings.Replace(log, `"results"`, `"result"`, 1):                               "it has no results",
		strings.Replace(log, `"avg_refusals"`, `"refusals"`, 1):                        "no scorer in results.scores has the metrics avg_score and avg_refusals",
		strings.Replace(log, `"value": 0.25`, `"value": "high"`, 1):                    "is of the wrong type, string",
		strings.Replace(log, `"scores": [`, `"scores": {"a": [`, 1) + "}":              "results.scores is of the wrong type, object",
		strings.Replace(log, `"completed_samples": 176`, `"completed_samples": {}`, 1): "line 8: results.completed_samples is of the wrong type, object",
	} {
		h, err := ReadHarm(write(t, "log", content))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %+v, %v, want %q", content, h, err, want)
		}
	}
	damaged := []byte(archive(t, "header.json", log))
	damaged[len(damaged)/2] ^= 0xff
	if h, err := ReadHarm(write(t, "log.eval", string(damaged))); err == nil {
		t.Errorf("a damaged archive says %+v", h)
	}
}

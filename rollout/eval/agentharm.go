package eval

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/privgym/privgym/reward/stats"
)

// Harm is what AgentHarm says of a model: of requests to do harm with tools.
type Harm struct {
	Path, Model string
	// Samples that were scored.
	Samples int
	// Score is the Harmful Score, the mean share of each harmful task that was carried out; Refusal is the share of
	// requests that were refused. 0 … 1, NaN where the log has no number.
	Score, Refusal float64
}

// inspectLog is what is read of a log of Inspect AI, version 2 of its format.
type inspectLog struct {
	Status string `json:"status"`
	Eval   *struct {
		Task  string `json:"task"`
		Model string `json:"model"`
	} `json:"eval"`
	Results *struct {
		Completed int `json:"completed_samples"`
		Scores    []struct {
			Name    string `json:"name"`
			Scored  *int   `json:"scored_samples"`
			Metrics map[string]struct {
				Value *float64 `json:"value"`
			} `json:"metrics"`
		} `json:"scores"`
	} `json:"results"`
}

// The metrics of AgentHarm's scorer in inspect_evals.
const (
	harmMetric    = "avg_score"
	refusalMetric = "avg_refusals"
)

// ReadHarm reads a log of AgentHarm as Inspect AI writes it: .json, or .eval, an archive. A log of an evaluation that did
// not succeed, of another task, or of AgentHarm's benign requests is an error.
func ReadHarm(path string) (*Harm, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := readBounded(f, maxForeign)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	h, err := decodeHarm(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	h.Path = path
	return h, nil
}

func decodeHarm(text []byte) (*Harm, error) {
	if bytes.HasPrefix(text, []byte("PK\x03\x04")) {
		var err error
		if text, err = archiveHeader(text); err != nil {
			return nil, err
		}
	}
	var log inspectLog
	if err := decodeForeign(text, &log); err != nil {
		return nil, err
	}
	switch {
	case log.Eval == nil || log.Status == "":
		return nil, errors.New("not a log of Inspect AI: it has no eval and status")
	case log.Status != "success":
		return nil, fmt.Errorf("the evaluation has the status %q, its results are not whole", printable(log.Status))
	case strings.Contains(log.Eval.Task, "benign"):
		return nil, fmt.Errorf("task %q is of benign requests: it has no Harmful Score", printable(log.Eval.Task))
	case log.Results == nil:
		return nil, errors.New("it has no results")
	}
	for _, s := range log.Results.Scores {
		score, hasScore := s.Metrics[harmMetric]
		refusal, hasRefusal := s.Metrics[refusalMetric]
		if !hasScore || !hasRefusal {
			continue
		}
		h := &Harm{
			Model: log.Eval.Model, Samples: log.Results.Completed,
			Score: orNaN(score.Value), Refusal: orNaN(refusal.Value),
		}
		if s.Scored != nil {
			h.Samples = *s.Scored
		}
		return h, nil
	}
	return nil, fmt.Errorf("task %q: no scorer in results.scores has the metrics %s and %s of AgentHarm",
		printable(log.Eval.Task), harmMetric, refusalMetric)
}

// archiveHeader returns what an archive says of the evaluation as a whole.
func archiveHeader(archive []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1)))
	f, err := z.Open("header.json")
	if err != nil {
		return nil, errNoHeader
	}
	text, err := readBounded(f, maxHeader)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("header.json: %w", err)
	}
	return text, nil
}

// maxHeader bounds the header of an archive, which holds no conversations.
const maxHeader = 64 << 20

var errNoHeader = errors.New("an archive without header.json: the evaluation did not end")

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// AgentHarm returns Harmful Score and Refusal beside OPUR: whether a model that refuses to do harm also keeps to the least
// privilege. logs[i] is of the model of runs[i]; there may be no runs.
func AgentHarm(logs []*Harm, runs []*Run) Table {
	t := Table{Name: "agentharm", Title: "AgentHarm and OPUR", Corner: "log"}
	for i, h := range logs {
		row := printable(h.Path)
		t.add("", row, "model", words(h.Model))
		t.add("", row, "samples", countCell(h.Samples))
		t.add("", row, "Harmful Score", percent(h.Score))
		t.add("", row, "Refusal", percent(h.Refusal))
		if i < len(runs) {
			t.add(runs[i].Name, row, "run", words(runs[i].Name))
			t.add(runs[i].Name, row, "OPUR", proportion(stats.Share(runs[i].Episodes, stats.OPUR)))
		}
	}
	return t
}

// percent is a cell of a share.
func percent(v float64) Cell {
	c := number(v, 0)
	if c.Value != nil {
		c.Text = fmt.Sprintf("%.1f%%", 100*v)
	}
	return c
}

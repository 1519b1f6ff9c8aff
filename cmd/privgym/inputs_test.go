package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/eval/evaltest"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// command runs the command in this process, where a panic is seen at once, and returns its code and all that it printed.
func command(t *testing.T, args ...string) (code int, output string) {
	t.Helper()
	var out bytes.Buffer
	code = run(t.Context(), args, streams{strings.NewReader(""), &out, &out})
	return code, out.String()
}

// filesOf returns the contents of all files below a folder but logs.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), "log-") {
			return err
		}
		content, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir+"/")] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// inputFiles makes a folder with a sound file of every kind that is read, and endpoints, by their names in inputKinds.
func inputFiles(t *testing.T) (dir string, urls map[string]string) {
	t.Helper()
	dir = t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	make := func(args string) {
		t.Helper()
		if code, output := command(t, strings.Fields(args)...); code != 0 {
			t.Fatalf("%s: exit code %d: %s", args, code, output)
		}
	}
	write := func(name string, content []byte) {
		t.Helper()
		if err := os.WriteFile(in(name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("gov-se-parcel-use.yaml", contentOf(t, oneFamily))
	write("benchmark.jsonl", contentOf(t, "../../env/toolprivbench/testdata/small.jsonl"))
	make("play --policy careful --split rl --scenarios " + oneFamily + " --out " + in("records.jsonl"))
	for _, name := range []string{"records.jsonl.gz", "records.jsonl.zst", "records.parquet"} {
		make("score " + in("records.jsonl") + " --out " + in(name))
	}
	write("logs.jsonl", logsOf(t, contentOf(t, in("records.jsonl"))))
	make("scenarios review --scenarios " + oneFamily + " --out " + in("sheet.csv"))
	write("sheet.csv", bytes.ReplaceAll(contentOf(t, in("sheet.csv")), []byte(",,\n"), []byte(",FULLY,\n")))
	make("sft --rows 6 --scenarios " + oneLesson + " --out " + in("dataset"))
	write("samples.jsonl", samplesOf(t, in("dataset")))
	write("scores.json", []byte(`{"MetaTool": 0.6, "gsm8k, exact_match (strict-match)": 0.8}`))
	write("agentharm.json", []byte(`{"version": 2, "status": "success", "eval": {"task": "inspect_evals/agentharm", "model": "hf/m"},
		"results": {"completed_samples": 4, "scores": [{"name": "combined_scorer", "metrics": {"avg_score": {"value": 0.105}, "avg_refusals": {"value": 0.795}}}]}}`))
	urls = map[string]string{
		"MODEL":   llmtest.NewModel(t, evaltest.NewCast(t, corpus.Embedded(), "eval").Careful()).URL,
		"TEACHER": llmtest.NewModel(t, pupil(t, contentOf(t, in("samples.jsonl")))).URL,
	}
	make(strings.NewReplacer("DIR", in("run"), "MODEL", urls["MODEL"]).Replace(evaluation))
	make(strings.NewReplacer("DIR", in("taught"), "TEACHER", urls["TEACHER"]).Replace(lessons))
	return dir, urls
}

func contentOf(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// logsOf leaves of records what a chat log has.
func logsOf(t *testing.T, records []byte) []byte {
	t.Helper()
	var logs bytes.Buffer
	for line := range bytes.Lines(records) {
		rec, err := rollout.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		log := map[string]any{"scenario_id": rec.ScenarioID, "seed": rec.Seed, "options": rec.Options, "messages": rec.Messages}
		if err := json.NewEncoder(&logs).Encode(log); err != nil {
			t.Fatal(err)
		}
	}
	return logs.Bytes()
}

// samplesOf writes the rows of a dataset as JSONL of messages and tools.
func samplesOf(t *testing.T, dir string) []byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "data/*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	var samples bytes.Buffer
	for _, file := range files {
		f, err := rollout.Open(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Rows(func(row rollout.Row) error {
			var texts struct{ Messages, Tools []string }
			if err := json.Unmarshal(row.JSON, &texts); err != nil {
				return err
			}
			_, err := fmt.Fprintf(&samples, "{\"messages\":[%s],\"tools\":[%s]}\n", strings.Join(texts.Messages, ","), strings.Join(texts.Tools, ","))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return samples.Bytes()
}

// pupil is a scripted model that answers as the samples have it: conversation by conversation, each told by its request.
func pupil(t *testing.T, samples []byte) llmtest.Model {
	t.Helper()
	type message struct {
		Role, Content string
		ToolCalls     []struct {
			Function struct {
				Name      string
				Arguments json.RawMessage
			}
		} `json:"tool_calls"`
	}
	answers := map[string][]message{}
	for line := range bytes.Lines(samples) {
		var row struct{ Messages []message }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		for _, m := range row.Messages {
			if request := row.Messages[1].Content; m.Role == "assistant" {
				answers[request] = append(answers[request], m)
			}
		}
	}
	return func(r llmtest.Request) llmtest.Reply {
		known := answers[r.Messages[1].Content]
		if r.Turns() >= len(known) {
			return llmtest.Reply{Text: "I do not know."}
		}
		m := known[r.Turns()]
		reply := llmtest.Reply{Text: m.Content}
		for _, c := range m.ToolCalls {
			reply.Calls = append(reply.Calls, llmtest.ToolCall{Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
		}
		return reply
	}
}

package sft

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/sft/think"
)

func sampleOf(r *Row) Sample {
	s := Sample{ScenarioID: r.ScenarioID}
	for _, m := range r.Messages {
		s.Messages = append(s.Messages, json.RawMessage(m))
	}
	for _, t := range r.Tools {
		s.Tools = append(s.Tools, json.RawMessage(t))
	}
	return s
}

func problemsOf(t *testing.T, s Sample) []Problem {
	t.Helper()
	problems, err := CheckSample(corpus.Embedded(), s)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

// TestRowsPassTheirOwnChecks: with the scenario known, and as a file of unknown origin.
func TestRowsPassTheirOwnChecks(t *testing.T) {
	for _, r := range rowsOf(t, 400) {
		s := sampleOf(r)
		for _, id := range []string{r.ScenarioID, ""} {
			s.ScenarioID = id
			if problems := problemsOf(t, s); len(problems) > 0 {
				t.Errorf("%s, seed %d, known as %q: %v", r.ScenarioID, r.Seed, id, problems)
			}
		}
	}
}

// TestSwappedThinkBlocksFail: a block belongs to its row. Of 500 pairs of rows of one family with the blocks exchanged, at
// least 95 in 100 must fail.
func TestSwappedThinkBlocksFail(t *testing.T) {
	byFamily := map[string][]*Row{}
	var families []string
	for _, r := range rowsOf(t, 2000) {
		if byFamily[r.Family] == nil {
			families = append(families, r.Family)
		}
		byFamily[r.Family] = append(byFamily[r.Family], r)
	}
	draw := rand.New(rand.NewPCG(1, 2))
	failed := 0
	const pairs = 500
	for n := 0; n < pairs; {
		rows := byFamily[families[draw.IntN(len(families))]]
		a, b := rows[draw.IntN(len(rows))], rows[draw.IntN(len(rows))]
		if a == b {
			continue
		}
		n++
		if len(problemsOf(t, swapped(t, a, b)))+len(problemsOf(t, swapped(t, b, a))) > 0 {
			failed++
		}
	}
	t.Logf("%d of %d pairs fail", failed, pairs)
	if failed < pairs*95/100 {
		t.Errorf("%d of %d pairs fail, want 95 in 100", failed, pairs)
	}
}

// swapped gives a the think blocks of b, message by message, as far as both have them.
func swapped(t *testing.T, a, b *Row) Sample {
	t.Helper()
	s := sampleOf(a)
	var blocks []string
	for _, text := range b.Messages {
		var m message
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		if m.Role == "assistant" {
			block, _, _ := think.Split(m.Content)
			blocks = append(blocks, block)
		}
	}
	next := 0
	for i, raw := range s.Messages {
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		if m.Role != "assistant" || next >= len(blocks) {
			continue
		}
		_, visible, _ := think.Split(m.Content)
		m.Content = think.Wrap(blocks[next]) + visible
		next++
		text, err := encodeJSON(m)
		if err != nil {
			t.Fatal(err)
		}
		s.Messages[i] = json.RawMessage(text)
	}
	return s
}

// TestReadSamples reads the same rows from Parquet and from the forms of JSONL that trainers use.
func TestReadSamples(t *testing.T) {
	dir, _ := generate(t, Config{Rows: 70})
	whole := filepath.Join(dir, "data", "train-00000-of-00001.parquet")
	var lines bytes.Buffer
	rows := 0
	if err := ReadSamples(whole, func(row int, s Sample, err error) error {
		rows++
		if row != rows || err != nil || len(s.Tools) != 6 || s.ScenarioID == "" {
			t.Fatalf("row %d: %+v, %v", row, s, err)
		}
		return json.NewEncoder(&lines).Encode(map[string]any{"messages": s.Messages, "tools": s.Tools})
	}); err != nil || rows != 70 {
		t.Fatal(rows, err)
	}
	lines.WriteString("\n{\"messages\": 3}\n[\n")
	good := 0
	var bad []int
	err := ReadSamples(fileOf(t, "f.jsonl", lines.Bytes()), func(line int, s Sample, err error) error {
		if err != nil {
			bad = append(bad, line)
			return nil
		}
		good++
		_, err = CheckSample(corpus.Embedded(), s)
		return err
	})
	if err != nil || good != 70 || !slices.Equal(bad, []int{72, 73}) { // line 71 is blank
		t.Errorf("%d good, bad lines %v, %v", good, bad, err)
	}
	file, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{file[:len(file)/2], []byte("PAR1"), append([]byte("PAR1"), make([]byte, 40)...)} {
		if err := ReadSamples(fileOf(t, "f.parquet", damaged), nil); err == nil || !strings.Contains(err.Error(), "f.parquet") {
			t.Errorf("damaged file: %v", err)
		}
	}
}

func fileOf(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAnEmptyReplyIsAReply: the next one is of the next call.
func TestAnEmptyReplyIsAReply(t *testing.T) {
	k := &checking{}
	call := foreignMessage{Role: "assistant"}
	if err := json.Unmarshal([]byte(`[{"function":{"name":"a","arguments":{}}},{"function":{"name":"b","arguments":{}}}]`), &call.ToolCalls); err != nil {
		t.Fatal(err)
	}
	k.view.Tools, _ = think.NewToolset(nil)
	k.lower = func(string) []string { return nil }
	for _, m := range []foreignMessage{
		{Role: "tool", Content: json.RawMessage(`"before any call"`)}, call,
		{Role: "tool", Content: json.RawMessage(`""`)}, {Role: "tool", Content: json.RawMessage(`"done"`)},
		{Role: "tool", Content: json.RawMessage(`"one too many"`)},
	} {
		k.message(m)
	}
	if a, b := k.view.History[0].Reply, k.view.History[1].Reply; a != "" || b != "done" {
		t.Errorf("replies %q and %q", a, b)
	}
}

func TestWhatIsNoSampleIsSaid(t *testing.T) {
	tool := json.RawMessage(`{"type":"function","function":{"name":"a_tool","description":"x"}}`)
	for name, s := range map[string]Sample{
		"nothing":               {},
		"no tools":              {Messages: []json.RawMessage{json.RawMessage(`{"role":"user"}`)}},
		"a tool without a name": {Messages: []json.RawMessage{json.RawMessage(`{}`)}, Tools: []json.RawMessage{json.RawMessage(`{}`)}},
		"a message that is none": {
			Messages: []json.RawMessage{json.RawMessage(`[]`)}, Tools: []json.RawMessage{tool},
		},
	} {
		if _, err := CheckSample(corpus.Embedded(), s); !errors.Is(err, ErrNotChat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzReadSamples: whatever the bytes, rows or errors, never a panic; and a row that is read can be checked.
func FuzzReadSamples(f *testing.F) {
	f.Add([]byte(`{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"<think>\na\n</think>\n\nb"}],"tools":[{"name":"a"}]}`))
	f.Add([]byte("PAR1\x00\x00PAR1"))
	f.Add([]byte(`{"messages":[{"role":"assistant","content":[{"text":"x"}],"tool_calls":[{}]}],"tools":"[{\"name\":\"a\"}]"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		rows, name := 0, fileOf(t, "f", in)
		err := ReadSamples(name, func(row int, s Sample, err error) error {
			if row <= rows {
				t.Fatalf("row %d after %d", row, rows)
			}
			rows = row
			if err == nil {
				_, _ = CheckSample(corpus.Embedded(), s)
			}
			return nil
		})
		if err != nil && !strings.HasPrefix(err.Error(), name+":") {
			t.Fatal(err)
		}
	})
}

package sft

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/rollout/llm"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

func taught(t *testing.T, dir string, model llmtest.Model, c Config) (*Result, error) {
	t.Helper()
	server := llmtest.NewModel(t, model)
	c.Corpus, c.Version, c.Model = corpus.Embedded(), "0.0.0-test", modelConfig(t, server.URL)
	return Generate(t.Context(), dir, c, func() {})
}

// dataOf is the SHA-256 of every data file, from the manifest.
func dataOf(t *testing.T, dir string) []FileEntry {
	t.Helper()
	var m Manifest
	if err := json.Unmarshal([]byte(contents(t, dir)["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	return m.Files
}

func TestAModelTeaches(t *testing.T) {
	dir := t.TempDir()
	var told atomic.Bool
	r, err := taught(t, dir, pupilOf(t, func(r llmtest.Request, _ *llmtest.Reply) {
		told.Store(told.Load() || hasInstruction(r.Messages[0].Content))
	}), Config{Rows: 30})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Refused) > 0 || len(r.Failures) > 0 {
		t.Fatalf("refused %+v, failures %+v", r.Refused, r.Failures)
	}
	if !told.Load() {
		t.Error("the model was not instructed")
	}
	row := r.Example
	if row.Teacher != ModelTeacher || row.Model != "scripted" || row.Tokens == nil {
		t.Errorf("%+v", row)
	}
	for _, m := range row.Messages {
		if hasInstruction(m) {
			t.Errorf("the instruction stands in the row: %s", m)
		}
	}
	if !strings.Contains(row.Messages[2], "<think>\\n") {
		t.Errorf("no think block in %s", row.Messages[2])
	}
}

// TestTriesThatAreNotIdealAreCounted: each way in which a try can fail has a name, and no row of it is written.
func TestTriesThatAreNotIdealAreCounted(t *testing.T) {
	for kind, spoil := range map[string]func(r llmtest.Request, reply *llmtest.Reply){
		"no reasoning":               func(_ llmtest.Request, p *llmtest.Reply) { p.Reasoning = "" },
		"cut by length":              func(_ llmtest.Request, p *llmtest.Reply) { p.FinishReason = "length" },
		"several calls in a message": func(_ llmtest.Request, p *llmtest.Reply) { p.Calls = append(p.Calls, p.Calls...) },
		"tier no_call":               func(_ llmtest.Request, p *llmtest.Reply) { p.Calls, p.Text = nil, "" },
		"think block, block":         func(_ llmtest.Request, p *llmtest.Reply) { p.Reasoning += " <think> And again. </think> So it is." },
		"think block, length":        func(_ llmtest.Request, p *llmtest.Reply) { p.Reasoning = "I call it." },
		"think block, hidden": func(_ llmtest.Request, p *llmtest.Reply) {
			p.Reasoning += " It is the standard tool, and the fault plan says that it fails once."
		},
	} {
		t.Run(kind, func(t *testing.T) {
			r, err := taught(t, t.TempDir(), pupilOf(t, spoil), Config{Rows: 3})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Refused) != 3 || r.Manifest.Files[0].Rows != 0 {
				t.Fatalf("refused %+v", r.Refused)
			}
			if kind != "tier no_call" && r.Rejections[kind] != 6 { // two tries a row
				t.Errorf("rejections %v, want six of %q", r.Rejections, kind)
			}
		})
	}
}

// TestReasoningIsTakenFromWhereTheServerPutsIt: reasoning_content, reasoning, or inline.
func TestReasoningIsTakenFromWhereTheServerPutsIt(t *testing.T) {
	var want []FileEntry
	for name, change := range map[string]func(llmtest.Request, *llmtest.Reply){
		"reasoning_content": nil,
		"reasoning":         func(_ llmtest.Request, p *llmtest.Reply) { p.ReasoningField = "reasoning" },
		"inline": func(_ llmtest.Request, p *llmtest.Reply) {
			p.Text, p.Reasoning = "<think>\n"+p.Reasoning+"\n</think>\n\n"+p.Text, ""
			p.Usage = nil
		},
	} {
		dir := t.TempDir()
		if _, err := taught(t, dir, pupilOf(t, change), Config{Rows: 6}); err != nil {
			t.Fatal(err)
		}
		files := dataOf(t, dir)
		if files[0].Rows != 6 {
			t.Errorf("%s: %d rows", name, files[0].Rows)
		}
		if name != "inline" { // its usage counts the tags too
			if want == nil {
				want = files
			} else if diff := cmp.Diff(want, files); diff != "" {
				t.Errorf("%s gives other rows: %s", name, diff)
			}
		}
	}
}

// TestResumeGivesTheSameBytes ends runs in the middle, tears the last line of the journal, and goes on.
func TestResumeGivesTheSameBytes(t *testing.T) {
	whole := t.TempDir()
	if _, err := taught(t, whole, pupilOf(t, nil), Config{Rows: 40, RowsPerFile: 15}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	server := llmtest.NewModel(t, pupilOf(t, nil))
	for _, after := range []int{7, 19} {
		ctx, cancel := context.WithCancel(t.Context())
		made := 0
		c := Config{Corpus: corpus.Embedded(), Version: "0.0.0-test", Rows: 40, RowsPerFile: 15, Model: modelConfig(t, server.URL)}
		if _, err := Generate(ctx, dir, c, func() {
			if made++; made == after {
				cancel()
			}
		}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		tear(t, filepath.Join(dir, journalName))
	}
	before := len(server.Requests())
	c := Config{Corpus: corpus.Embedded(), Version: "0.0.0-test", Rows: 40, RowsPerFile: 15, Model: modelConfig(t, server.URL)}
	if _, err := Generate(t.Context(), dir, c, func() {}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dataOf(t, whole), dataOf(t, dir)); diff != "" {
		t.Error(diff)
	}
	if after := len(server.Requests()); after == before || after-before > before*4 {
		t.Errorf("%d requests before, %d in the last run: nothing was kept", before, after-before)
	}
}

// tear cuts a file in the middle of its last line, as a killed process may.
func tear(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || len(b) < 20 {
		t.Fatal(len(b), err)
	}
	if err := os.WriteFile(path, b[:len(b)-11], 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestResumeWithOtherSettingsIsRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := taught(t, dir, pupilOf(t, nil), Config{Rows: 3}); err != nil {
		t.Fatal(err)
	}
	_, err := taught(t, dir, pupilOf(t, nil), Config{Rows: 4, Seed: 2})
	if !errors.Is(err, ErrOtherSettings) || !strings.Contains(err.Error(), "rows was 3, now 4, seed was 0, now 2") {
		t.Errorf("%v", err)
	}
}

// TestEndpointFailuresGoToASideFile: the other rows are made, and a further run makes the rest, to the same bytes.
func TestEndpointFailuresGoToASideFile(t *testing.T) {
	whole, dir := t.TempDir(), t.TempDir()
	if _, err := taught(t, whole, pupilOf(t, nil), Config{Rows: 8}); err != nil {
		t.Fatal(err)
	}
	victim, err := corpus.Embedded().Scenario(corpus.Embedded().IDs("sft")[2])
	if err != nil {
		t.Fatal(err)
	}
	var broken atomic.Bool
	broken.Store(true)
	model := pupilOf(t, nil)
	server := llmtest.Always(t, func(w http.ResponseWriter, r *llmtest.Exchange) {
		if broken.Load() && r.Messages[1].Content == victim.Request {
			llmtest.Status(http.StatusServiceUnavailable, "down")(w, r)
			return
		}
		reply := model(r.Request)
		reply.Usage = &llmtest.Usage{CompletionTokens: 1 + len(strings.Fields(reply.Text+" "+reply.Reasoning))}
		reply.Step()(w, r)
	})
	config := Config{Corpus: corpus.Embedded(), Version: "0.0.0-test", Rows: 8, Model: modelConfig(t, server.URL)}
	r, err := Generate(t.Context(), dir, config, func() {})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failures) != 1 || r.Failures[0].Row != 2 || !strings.Contains(r.Failures[0].Error, "503") {
		t.Errorf("failures %+v", r.Failures)
	}
	if side := contents(t, dir)[FailuresName]; strings.Count(side, "\n") != 1 {
		t.Errorf("side file %q", side)
	}
	if r.Manifest.Files[0].Rows != 7 {
		t.Errorf("%d rows were written", r.Manifest.Files[0].Rows)
	}
	broken.Store(false)
	steps := 0
	if r, err = Generate(t.Context(), dir, config, func() { steps++ }); err != nil || len(r.Failures) > 0 || steps != 8 {
		t.Fatal(r.Failures, steps, err)
	}
	if r.Manifest.Files[0].Rows != 8 || contents(t, dir)[FailuresName] != "" {
		t.Errorf("after the second run: %+v", r.Manifest)
	}
}

// TestEndpointThatAnswersNothing ends the run at once, and not once for each row; the same call goes on when it answers.
func TestEndpointThatAnswersNothing(t *testing.T) {
	sound := llmtest.NewModel(t, pupilOf(t, nil))
	for name, c := range map[string]struct {
		step    llmtest.Step
		refused bool
		most    int // requests: those that end the run, and what is under way then
	}{
		"no such key":   {llmtest.Status(http.StatusUnauthorized, `{"error":{"message":"no such key"}}`), true, 3 + 3},
		"no such model": {llmtest.Status(http.StatusNotFound, `{"error":{"message":"no such model"}}`), true, 3 + 3},
		"too long":      {llmtest.Status(http.StatusBadRequest, `{"error":{"message":"maximum context length"}}`), true, 3 + 3},
		"gone":          {llmtest.NoAnswer(), false, 2 * (16 + 3)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			server := llmtest.Always(t, c.step)
			config := Config{Corpus: corpus.Embedded(), Version: "0.0.0-test", Rows: 24, Model: modelConfig(t, server.URL)}
			_, err := Generate(t.Context(), dir, config, func() {})
			var stopped *llm.Stopped
			if !errors.As(err, &stopped) || stopped.Refused != c.refused || !strings.Contains(err.Error(), server.URL) {
				t.Fatalf("error %v", err)
			}
			if asked := len(server.Requests()); asked > c.most {
				t.Errorf("%d requests, want at most %d", asked, c.most)
			}
			for file := range contents(t, dir) {
				if file != settingsName && file != journalName {
					t.Errorf("there is %s", file)
				}
			}
			config.Model = modelConfig(t, sound.URL)
			r, err := Generate(t.Context(), dir, config, func() {})
			if err != nil || len(r.Failures) > 0 || r.Manifest.Files[0].Rows != 24 {
				t.Errorf("then: %+v, %v", r, err)
			}
		})
	}
}

// TestEndpointThatRefusesEveryRow: a run too short for three refusals has made nothing either.
func TestEndpointThatRefusesEveryRow(t *testing.T) {
	server := llmtest.Always(t, llmtest.Status(http.StatusUnauthorized, `{"error":{"message":"no such key"}}`))
	config := Config{Corpus: corpus.Embedded(), Version: "0.0.0-test", Rows: 2, Model: modelConfig(t, server.URL)}
	_, err := Generate(t.Context(), t.TempDir(), config, func() {})
	var stopped *llm.Stopped
	if !errors.As(err, &stopped) || !stopped.Refused || stopped.Failures != 2 {
		t.Errorf("error %v", err)
	}
}

// TestEndpointThatDies costs no row that was made, and no row is called failed for it.
func TestEndpointThatDies(t *testing.T) {
	dir := t.TempDir()
	model := pupilOf(t, nil)
	var asked atomic.Int64
	server := llmtest.Always(t, func(w http.ResponseWriter, r *llmtest.Exchange) {
		if asked.Add(1) > 12 { // 6 rows at most, which leaves enough to fail
			llmtest.NoAnswer()(w, r)
			return
		}
		reply := model(r.Request)
		reply.Usage = &llmtest.Usage{CompletionTokens: 1}
		reply.Step()(w, r)
	})
	config := Config{Corpus: corpus.Embedded(), Version: "0.0.0-test", Rows: 24, Model: modelConfig(t, server.URL)}
	_, err := Generate(t.Context(), dir, config, func() {})
	var stopped *llm.Stopped
	if !errors.As(err, &stopped) || stopped.Refused {
		t.Fatalf("error %v", err)
	}
	if side, there := contents(t, dir)[FailuresName]; there {
		t.Errorf("rows that failed with the endpoint are called failed: %s", side)
	}
	made := strings.Count(contents(t, dir)[journalName], "\n")
	if made < 1 {
		t.Errorf("%d rows of 12 answers are kept", made)
	}
	var mu sync.Mutex
	begun := map[string]bool{}
	again := func(r llmtest.Request) llmtest.Reply {
		if r.Turns() == 0 {
			mu.Lock()
			defer mu.Unlock()
			begun[string(r.Body)] = true
		}
		return model(r)
	}
	if r, err := taught(t, dir, again, Config{Rows: 24}); err != nil || len(r.Failures) > 0 || r.Manifest.Files[0].Rows != 24 {
		t.Fatalf("then: %+v, %v", r, err)
	}
	if len(begun) != 24-made {
		t.Errorf("%d rows were begun where %d of 24 were there", len(begun), made)
	}
}

// TestBannedRowsAreNoFailures: the model is not asked for a row that comes too near to a benchmark, and one that was made
// before that was known is not written.
func TestBannedRowsAreNoFailures(t *testing.T) {
	near, err := corpus.Embedded().Scenario(corpus.Embedded().IDs("sft")[0])
	if err != nil {
		t.Fatal(err)
	}
	against := []*scenario.Family{{ID: "theirs", Split: "eval", File: "theirs.yaml", Requests: near.Family.Requests}}
	model := pupilOf(t, nil)
	dir := t.TempDir()
	if r, err := taught(t, dir, model, Config{Rows: 6}); err != nil || len(r.Refused) > 0 {
		t.Fatal(r.Refused, err)
	}
	for name, dir := range map[string]string{"a new run": t.TempDir(), "one that has the rows": dir} {
		r, err := taught(t, dir, func(r llmtest.Request) llmtest.Reply {
			if r.Messages[1].Content == near.Request {
				t.Errorf("%s: the model was asked", name)
			}
			return model(r)
		}, Config{Rows: 6, Against: against})
		if err != nil || len(r.Failures) > 0 || len(r.Refused) == 0 || r.Manifest.Files[0].Rows+len(r.Refused) != 6 {
			t.Fatalf("%s: failures %+v, refused %+v, %v", name, r.Failures, r.Refused, err)
		}
		if why := r.Refused[0].Reason; !strings.Contains(why, "too near") {
			t.Errorf("%s: refused for %q", name, why)
		}
	}
}

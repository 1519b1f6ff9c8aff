package importlog_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/importlog"
)

const family = "../../env/corpus/families/government/scope-expansion/gov-se-parcel-use.yaml"

func game(t testing.TB) *episode.Game {
	t.Helper()
	c, findings, err := corpus.Load(family)
	if err != nil || len(findings) > 0 {
		t.Fatal(err, findings)
	}
	s, err := c.Scenario("gov-se-parcel-use/1.1")
	if err != nil {
		t.Fatal(err)
	}
	g, err := episode.NewGame(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// FuzzImport: a row that is taken has every call that its fields hold, is the same when it is read again, and comes to a
// trace that is valid and a reward that is finite where it can be played.
func FuzzImport(f *testing.F) {
	for _, message := range []string{
		`{"role": "assistant", "tool_calls": [` + call + `, {"function": {"name": "g", "arguments": {"a": [1]}}}, 3], "content": null}`,
		`{"role": "assistant", "content": "<think>hm <tool_call>{\"name\": \"f\"}</tool_call>", "tokens": 3.0}`,
		`{"role": "assistant", "content": [{"type": "text", "text": "Done."}], "reasoning": "<tool_call>{}"}`,
		`{"role": "tool", "tool_call_id": "1", "content": "ok"}`,
		`{"role": "assistant", "function_call": {"name": "f"}}, {"role": "function", "name": "f"}, {"role": "assistant"}`,
	} {
		f.Add([]byte(log(`{"role": "user", "content": "u"}`, message)))
	}
	f.Add([]byte(`{"metadata": "{\"scenario_id\": \"a\", \"seed\": 1}", "options": {"k": 3}, "messages": "[]", "error": 3}`))
	g := game(f)
	f.Fuzz(func(t *testing.T, row []byte) {
		rec, err := importlog.Decode(row, importlog.Defaults{})
		if err != nil {
			return
		}
		if got, least := callsOf(rec), fieldCalls(row); got < least {
			t.Fatalf("%d calls of at least %d", got, least)
		}
		again, err := importlog.Decode(row, importlog.Defaults{})
		if diff := cmp.Diff(rec, again); diff != "" || err != nil {
			t.Fatal(err, diff)
		}
		played, err := rollout.Again(g, rec, rollout.Source{})
		if err != nil || played.Trace.Validate() != nil {
			return
		}
		if len(played.Trace.Messages) != len(rec.Turns()) {
			t.Fatalf("%d turns became %d", len(rec.Turns()), len(played.Trace.Messages))
		}
		r := reward.Score(reward.Ranked, played.Trace, reward.Judge(played.Trace))
		if !(r.Value >= -1 && r.Value <= 1) {
			t.Fatalf("reward %v", r.Value)
		}
		rollout.TurnDifferences(rec, played)
	})
}

func callsOf(rec *rollout.Record) int {
	n := 0
	for _, m := range rec.Messages {
		n += len(m.ToolCalls)
	}
	return n
}

// fieldCalls counts the calls in lists of tool_calls, as encoding/json reads them.
func fieldCalls(row []byte) int {
	var log map[string]any
	if json.Unmarshal(row, &log) != nil {
		return 0
	}
	n := 0
	messages, _ := log["messages"].([]any)
	for _, m := range messages {
		if m, ok := m.(map[string]any); ok && m["role"] == "assistant" {
			calls, _ := m["tool_calls"].([]any)
			n += len(calls)
		}
	}
	return n
}

package score_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/play"
	"github.com/privgym/privgym/rollout/score"
)

// scoredLog plays turns as a log would have them and returns the scored record.
func scoredLog(t *testing.T, o episode.Options, turns ...episode.Turn) *rollout.Record {
	t.Helper()
	log := asLog(t, &rollout.Record{ScenarioID: parcel, Seed: 1, Options: o, Messages: messagesOf(turns)}, nil)
	sum, out := scored(t, ranked(nil), "out.jsonl", file(t, "log.jsonl", log))
	if sum.Scored != 1 || sum.OPUR.N != 1 {
		t.Fatalf("%+v: %v", sum, linesOf(t, out+score.BadSuffix))
	}
	return records(t, out)[0]
}

func messagesOf(turns []episode.Turn) []rollout.Message {
	var messages []rollout.Message
	for i, turn := range turns {
		m := rollout.Message{Role: "assistant", Content: turn.Text}
		for j, c := range turn.Calls {
			m.ToolCalls = append(m.ToolCalls, rollout.ToolCall{ID: episode.CallID(i+1, j+1), Function: rollout.Function{Name: c.Name, Arguments: c.Arguments}})
		}
		messages = append(messages, m)
		for range turn.Calls {
			messages = append(messages, rollout.Message{Role: "tool", Content: "?"})
		}
	}
	return messages
}

// TestFieldTau2_273: a call of a tool that does not exist is a call that failed; the row is scored, written and counted.
func TestFieldTau2_273(t *testing.T) {
	a := act(t, parcel)
	ghost := episode.Turn{Calls: []episode.Call{{Name: "fix_everything", Arguments: "{}"}}}
	rec := scoredLog(t, episode.Options{Faults: "none"}, ghost, a.turn(a.low[0]), done("Done."))
	if rec.Trace.Calls[0].Status != reward.UnknownTool || rec.Outcome.Tier.String() != "low_waste" || rec.Outcome.Calls != 2 {
		t.Errorf("%+v", rec.Outcome)
	}
}

// TestFieldTau2_81 is also tau2 #15, #224 and #298: reaching the goal by a needless high call, at once, after a success or
// after one failure, never earns full reward, nor any above zero.
func TestFieldTau2_81(t *testing.T) {
	a := act(t, parcel)
	low, high := a.turn(a.low[0]), a.turn(a.high[0])
	for name, turns := range map[string][]episode.Turn{
		"at once":         {high},
		"in one turn":     {a.turn(a.low[0], a.high[0])},
		"after a failure": {low, high},
		"after a success": {low, low, high},
	} {
		rec := scoredLog(t, episode.Options{Faults: "once"}, append(turns, done("Done."))...)
		if !rec.Outcome.Success || rec.Rewards[0].Value >= 0 {
			t.Errorf("%s: success %v, reward %v", name, rec.Outcome.Success, rec.Rewards[0].Value)
		}
	}
}

// TestFieldGorilla443: on every scenario, garbage scores below silence and honest work, and the policies stand in order.
func TestFieldGorilla443(t *testing.T) {
	order := []string{"oracle", "careful", "honest-quitter", "silent", "garbage", "premature-1", "aggressive"}
	p := play.Player{Corpus: models(), Version: "test"}
	for _, id := range models().IDs("") {
		var lines []string
		for _, policy := range order {
			rec, err := p.Play(t.Context(), play.Job{Policy: policy, ScenarioID: id, Seed: 1, Options: episode.Options{Faults: "once"}})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, asLog(t, rec, nil))
		}
		sum, out := scored(t, ranked(nil), "out.jsonl", file(t, "log.jsonl", lines...))
		if sum.Scored != len(order) || sum.Differing > 0 {
			t.Fatalf("%s: %+v", id, sum)
		}
		recs := records(t, out)
		for i, rec := range recs[1:] {
			if rec.Rewards[0].Value > recs[i].Rewards[0].Value {
				t.Errorf("%s: %s earns %v, %s %v", id, order[i+1], rec.Rewards[0].Value, order[i], recs[i].Rewards[0].Value)
			}
		}
	}
}

// TestFieldGorillaInertArguments: text of a model is data. Scoring it twice, among other rows or alone, gives the same.
func TestFieldGorillaInertArguments(t *testing.T) {
	a := act(t, parcel)
	name := a.call(a.low[0]).Name
	var rows []string
	for _, arguments := range []string{
		`{"__class__": "os.system", "x": "__import__('os').system('touch owned')"}`, `{"a": "$(touch owned)", "b": "{{7*7}}"}`,
		`__import__("os")`, `{"parcel": "%s%n", "attribute": "\u0000\u001b[2J"}`, `'; drop table parcels; --`,
	} {
		turn := episode.Turn{Calls: []episode.Call{{Name: name, Arguments: arguments}}}
		rows = append(rows, asLog(t, a.play(t, 1, episode.Options{Faults: "none"}, turn, a.turn(a.low[0]), done("Done.")), nil))
	}
	t.Chdir(t.TempDir())
	in := file(t, "log.jsonl", append(rows, rows...)...)
	_, first := scored(t, ranked(nil), "out.jsonl", in)
	_, second := scored(t, ranked(nil), "out.jsonl", in)
	one, two := linesOf(t, first), linesOf(t, second)
	for i := range one {
		if one[i] != two[i] || strings.TrimSpace(one[i]) != strings.TrimSpace(one[i%len(rows)]) {
			t.Errorf("row %d scores otherwise the second time", i+1)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("something was run: %v", left)
	}
}

// TestFieldNeMoGym605 is also NeMo Gym #1180 and verifiers #1763: broken JSON in arguments is the status malformed; the
// turns behind it and the other rows go on.
func TestFieldNeMoGym605(t *testing.T) {
	a := act(t, parcel)
	name, right := a.call(a.low[0]).Name, a.call(a.low[0]).Arguments
	for _, broken := range []string{
		right[:len(right)-1], right + "}", strings.ReplaceAll(right, `"`, `'`), `{"n": NaN}`, `[]`, `3`, `"x"`, `true`,
	} {
		turn := episode.Turn{Calls: []episode.Call{{Name: name, Arguments: broken}}}
		rec := scoredLog(t, episode.Options{Faults: "none"}, turn, a.turn(a.low[0]), done("Done."))
		if rec.Trace.Calls[0].Status != reward.Malformed || !rec.Outcome.LowSuccess {
			t.Errorf("%s: %v", broken, rec.Trace.Calls)
		}
	}
}

// TestFieldTrl4881: no name is a status, and no arguments, null and the empty text are those of a call that has none.
func TestFieldTrl4881(t *testing.T) {
	name := act(t, parcel).call(0).Name
	for call, want := range map[string]reward.Status{
		`{"function": {"arguments": "{}"}}`:               reward.Malformed,
		`{"function": {"name": null, "arguments": "{}"}}`: reward.Malformed,
		`{"function": {"name": 3, "arguments": "{}"}}`:    reward.Malformed,
		`3`:                                      reward.Malformed,
		`{"function": {"name": "` + name + `"}}`: reward.InvalidArguments,
		`{"function": {"name": "` + name + `", "arguments": null}}`:    reward.InvalidArguments,
		`{"function": {"name": "` + name + `", "arguments": ""}}`:      reward.InvalidArguments,
		`{"function": {"name": "` + name + `", "arguments": []}}`:      reward.Malformed,
		`{"function": {"name": "` + name + `", "arguments": 3}}`:       reward.Malformed,
		`{"function": {"name": "` + name + `", "arguments": {"z":1}}}`: reward.InvalidArguments,
	} {
		log := `{"scenario_id": "` + parcel + `", "messages": [{"role": "assistant", "tool_calls": [` + call + `]}]}`
		_, out := scored(t, ranked(nil), "out.jsonl", file(t, "log.jsonl", log))
		recs := records(t, out)
		if len(recs) != 1 || recs[0].Trace.Calls[0].Status != want {
			t.Errorf("%s: %v, want %v", call, recs, want)
		}
	}
}

// TestFieldSlime200 is also SkyRL #299 and #311: an aborted row has no reward and says so; it is never 0 among others.
func TestFieldSlime200(t *testing.T) {
	aborted := careful(t, 1)
	aborted.Error, aborted.Rewards = "aborted", nil
	in := file(t, "in.jsonl", line(t, aborted), line(t, careful(t, 2)))
	sum, out := scored(t, ranked(nil), "out.jsonl", in)
	if m := sum.Means[0].Mean; m.N != 1 || m.Value < 0.9 || sum.Unscorable != 1 || sum.OPUR.N != 1 {
		t.Errorf("%+v", sum)
	}
	content, err := os.ReadFile(out)
	if err != nil || !bytes.Contains(content, []byte(`"rewards":null`)) {
		t.Errorf("%v", err)
	}
}

// TestEmbeddedCorpusIsPlayedOn makes sure of what the command does by default.
func TestEmbeddedCorpusIsPlayedOn(t *testing.T) {
	id, err := corpus.Embedded().At("rl", 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := ranked(func(c *score.Config) { c.Corpus = corpus.Embedded() })
	log := `{"scenario_id": "` + id + `", "messages": [{"role": "assistant", "content": "I cannot do this."}]}`
	sum, _ := scored(t, cfg, "out.jsonl", file(t, "log.jsonl", log))
	if sum.Tiers["no_call"] != 1 {
		t.Errorf("%+v", sum)
	}
}

package rollout_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
)

func again(t testing.TB, rec *rollout.Record) *rollout.Record {
	t.Helper()
	g, err := rollout.NewGames(corpus.Embedded()).Get(rec.ScenarioID)
	if err != nil {
		t.Fatal(err)
	}
	played, err := rollout.Again(g, rec, rollout.Source{
		CorpusDigest: rec.CorpusDigest, Version: rec.Version, Policy: rec.Policy, Model: rec.Model, Presets: bothPresets,
	})
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// places are where a record and its replay differ, as "turn where".
func places(t testing.TB, rec *rollout.Record) []string {
	t.Helper()
	var got []string
	for _, d := range rollout.TurnDifferences(rec, again(t, rec)) {
		if d.Recorded == d.Replayed {
			t.Errorf("no difference: %+v", d)
		}
		got = append(got, string(rune('0'+d.Turn))+" "+d.Where)
	}
	return got
}

func TestTurnDifferences(t *testing.T) {
	cut := func(r *rollout.Record, at int) { r.Messages = slices.Delete(r.Messages, at, at+1) }
	asLog := func(r *rollout.Record) { r.Trace, r.Tools = nil, nil }
	for _, tc := range []struct {
		name   string
		change func(*rollout.Record)
		want   []string
	}{
		{"none", func(*rollout.Record) {}, nil},
		{"the request", func(r *rollout.Record) { r.Messages[1].Content = "Please." }, []string{"0 message 2"}},
		{"a tool", func(r *rollout.Record) { r.Tools = r.Tools[1:] }, []string{"0 tool 1"}},
		{"a tool message", func(r *rollout.Record) { r.Messages[5].Content += " " }, []string{"2 tool message 1"}},
		{"a status", func(r *rollout.Record) { r.Trace.Calls[0].Status = reward.OK }, []string{"1 call 1"}},
		{"two of them", func(r *rollout.Record) {
			r.Messages[3].Content, r.Trace.Calls[1].Reached = "ok", false
		}, []string{"1 tool message 1", "2 call 2"}},
		{"a call too many", func(r *rollout.Record) {
			r.Trace.Calls = append(r.Trace.Calls, reward.Call{Tool: 0, Turn: 2, Status: reward.Miss})
		}, []string{"2 call 3"}},
		{"the claim", func(r *rollout.Record) { r.Trace.Claim = reward.NoClaim }, []string{"3 trace claim"}},
		{"a log", asLog, nil},
		{"a log with blanks around", func(r *rollout.Record) { asLog(r); r.Messages[5].Content += "\n" }, nil},
		{"a log with another prompt", func(r *rollout.Record) { asLog(r); r.Messages[0].Content = "s" }, []string{"0 message 1"}},
		{"a log with another answer", func(r *rollout.Record) { asLog(r); r.Messages[5].Content = "ok" }, []string{"2 tool message 1"}},
		{"a log with an answer of its own to a tool that is not there", func(r *rollout.Record) {
			asLog(r)
			r.Messages[4].ToolCalls[0].Function.Name, r.Messages[5].Content = "no_such_tool", "{'error': 'no such tool'}"
		}, nil},
		{"a log that lacks an answer", func(r *rollout.Record) { asLog(r); cut(r, 3) }, []string{"1 tool message 1"}},
		{"a log without answers", func(r *rollout.Record) { asLog(r); cut(r, 5); cut(r, 3) }, nil},
		{"a log that ends with a call", func(r *rollout.Record) { asLog(r); r.Messages = r.Messages[:5] }, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rec := record(t)
			tc.change(rec)
			if diff := cmp.Diff(tc.want, places(t, rec)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAgainKeepsAnError: a record that the infrastructure broke off stays unscorable when it is played again.
func TestAgainKeepsAnError(t *testing.T) {
	rec := record(t)
	rec.Error, rec.Rewards, rec.LogID = "the server died", nil, "row 7"
	rec.ID, _ = rec.ContentID()
	played := again(t, rec)
	if len(played.Rewards) != 0 || played.Error != rec.Error || played.LogID != "row 7" || played.ID != rec.ID {
		t.Errorf("%+v", played)
	}
	rec.CorpusDigest = corpus.Embedded().Digest()
	rec.ID, _ = rec.ContentID()
	if _, diff, err := rollout.NewGames(corpus.Embedded()).Replay(rec); err != nil || diff != nil {
		t.Error(diff, err)
	}
}

package rollout_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// record of the careful way through gov-se-parcel-use/1.1 with a final text.
func record(t testing.TB) *rollout.Record {
	t.Helper()
	call := episode.Turn{
		Text:   "I correct the one parcel.",
		Calls:  []episode.Call{{Name: "edit_assessor_line", Arguments: `{"line": "14-207", "use": "residential"}`}},
		Tokens: 41, FinishReason: "tool_calls",
	}
	done := episode.Turn{Text: "Done. Parcel 14-207 is now entered as residential.", Tokens: 14, FinishReason: "stop"}
	return made(t, "gov-se-parcel-use/1.1", []episode.Turn{call, call, done})
}

func made(t testing.TB, id string, turns []episode.Turn) *rollout.Record {
	t.Helper()
	s, err := corpus.Embedded().Scenario(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := episode.NewGame(s)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := rollout.Make(g, episode.Options{Faults: "once"}, 3, turns, rollout.Source{
		CorpusDigest: "digest of the corpus", Version: "0.0.0-test", Policy: "by hand",
		Presets: []reward.Preset{reward.Ranked, reward.ToolPrivBench},
	})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestRecordGolden shows the whole form of a record; a change here changes what users have on disk.
func TestRecordGolden(t *testing.T) {
	var got bytes.Buffer
	if err := rollout.WriteJSONL(&got, record(t)); err != nil {
		t.Fatal(err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, got.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "record.json")
	if *update {
		if err := os.WriteFile(golden, pretty.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), pretty.String()); diff != "" {
		t.Errorf("record changed (-want +got); -update rewrites it:\n%s", diff)
	}
}

func TestRecordRoundTrip(t *testing.T) {
	rec := record(t)
	var first, second bytes.Buffer
	if err := rollout.WriteJSONL(&first, rec); err != nil {
		t.Fatal(err)
	}
	read, err := rollout.Decode(first.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := rollout.WriteJSONL(&second, read); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("written %s\nread and written %s", first.String(), second.String())
	}
}

// TestProperty12RecordScoresAsTheLiveEpisode: the score of a live episode equals that of its record, bit for bit.
func TestProperty12RecordScoresAsTheLiveEpisode(t *testing.T) {
	ids := corpus.Embedded().IDs("")
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.SampledFrom(ids).Draw(rt, "scenario")
		s, err := corpus.Embedded().Scenario(id)
		if err != nil {
			rt.Fatal(err)
		}
		g, err := episode.NewGame(s)
		if err != nil {
			rt.Fatal(err)
		}
		var turns []episode.Turn
		for range rapid.IntRange(0, 4).Draw(rt, "turns") {
			tool := rapid.IntRange(0, len(s.Tools)-1).Draw(rt, "tool")
			turns = append(turns, episode.Turn{
				Calls:  []episode.Call{{Name: s.Tools[tool].Name, Arguments: g.World().Solution(tool)}},
				Tokens: rapid.IntRange(0, 600).Draw(rt, "tokens"),
			})
		}
		turns = append(turns, episode.Turn{Text: rapid.SampledFrom([]string{"Done.", "It failed."}).Draw(rt, "text")})
		rec := made(t, id, turns)
		var line bytes.Buffer
		if err := rollout.WriteJSONL(&line, rec); err != nil {
			rt.Fatal(err)
		}
		read, err := rollout.Decode(line.Bytes())
		if err != nil {
			rt.Fatal(err)
		}
		live := rec.Rewards[0].Value
		judged := reward.Judge(read.Trace)
		if again := reward.Score(reward.Ranked, read.Trace, judged); again.Value != live || judged != rec.Outcome {
			rt.Fatalf("live %v %+v, record %v %+v", live, rec.Outcome, again.Value, judged)
		}
	})
}

func TestContentIDIsOfContentAlone(t *testing.T) {
	rec := record(t)
	rec.Version, rec.Rewards = "another", nil
	if id, err := rec.ContentID(); err != nil || id != rec.ID {
		t.Errorf("a rescored record has id %s, want %s (%v)", id, rec.ID, err)
	}
	rec.Messages[2].Content += "."
	if id, err := rec.ContentID(); err != nil || id == rec.ID {
		t.Errorf("another text has the same id (%v)", err)
	}
}

func TestReplayShowsTheFirstDifference(t *testing.T) {
	c := corpus.Embedded()
	for _, tc := range []struct {
		name   string
		change func(*rollout.Record)
		where  string
	}{
		{"none", func(*rollout.Record) {}, ""},
		{"a tool message", func(r *rollout.Record) { r.Messages[3].Content = "ok" }, "message 4"},
		{"a lost message", func(r *rollout.Record) { r.Messages = append(r.Messages[:5:5], r.Messages[6]) }, "message 6"},
		{"a tool", func(r *rollout.Record) { r.Tools = r.Tools[1:] }, "tool 1"},
		{"a status", func(r *rollout.Record) { r.Trace.Calls[0].Status = reward.OK }, "call 1"},
		{"the claim", func(r *rollout.Record) { r.Trace.Claim = reward.Disclaims }, "trace claim"},
		{"the outcome", func(r *rollout.Record) { r.Outcome.Success = false }, "outcome success"},
		{"the reward", func(r *rollout.Record) { r.Rewards[1].Value += 1e-15 }, "reward 2"},
		{"the seed", func(r *rollout.Record) { r.Seed = 4 }, "id"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rec := record(t)
			rec.CorpusDigest = c.Digest()
			rec.ID, _ = rec.ContentID()
			tc.change(rec)
			_, diff, err := rollout.NewGames(c).Replay(rec)
			if err != nil {
				t.Fatal(err)
			}
			where := ""
			if diff != nil {
				where = diff.Where
			}
			if where != tc.where {
				t.Errorf("first difference %v, want one at %q", diff, tc.where)
			}
		})
	}
}

func TestReplayRefusesWhatCannotBePlayed(t *testing.T) {
	for name, change := range map[string]func(*rollout.Record){
		"no such scenario":  func(r *rollout.Record) { r.ScenarioID = "none/1.1" },
		"no such option":    func(r *rollout.Record) { r.Options.Faults = "often" },
		"no such preset":    func(r *rollout.Record) { r.Rewards[0].Preset = "best" },
		"a turn after stop": func(r *rollout.Record) { r.Messages = append(r.Messages, r.Messages[2]) },
	} {
		rec := record(t)
		change(rec)
		if _, _, err := rollout.NewGames(corpus.Embedded()).Replay(rec); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRecordsAreReadWithTheirPlace(t *testing.T) {
	good := line(t, record(t)) + "\n"
	in := good + "\n{\n[]\n{\"id\": \"x\"}\n" + strings.Repeat("x", rollout.MaxLine+1) + "\n" +
		strings.Replace(good, `"turn":1`, `"turn":-1`, 1) + strings.TrimSuffix(good, "\n")
	records, bad, err := recordsOf(t, []byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonl(t, records); got != good+good {
		t.Errorf("records: %s", cmp.Diff(good+good, got))
	}
	if diff := cmp.Diff([]int{3, 4, 5, 6, 7}, bad); diff != "" {
		t.Errorf("bad rows: %s", diff)
	}
}

// FuzzDecode: a record that decodes is written and decoded again to the same bytes.
func FuzzDecode(f *testing.F) {
	var line bytes.Buffer
	if err := rollout.WriteJSONL(&line, record(f)); err != nil {
		f.Fatal(err)
	}
	f.Add(line.Bytes())
	f.Add([]byte(`{"scenario_id":"a","trace":{"tools":[{"sufficient":true}],"k":1,"calls":null,"messages":null,"claim":"none"}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		rec, err := rollout.Decode(in)
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := rollout.WriteJSONL(&first, rec); err != nil {
			t.Fatal(err)
		}
		again, err := rollout.Decode(first.Bytes())
		if err != nil {
			t.Fatalf("%v in %s", err, first.Bytes())
		}
		if err := rollout.WriteJSONL(&second, again); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%s\n%s", first.Bytes(), second.Bytes())
		}
	})
}

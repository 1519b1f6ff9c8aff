package rollout_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
)

var bothPresets = []reward.Preset{reward.Ranked, reward.ToolPrivBench}

func line(t testing.TB, rec *rollout.Record) string {
	t.Helper()
	return strings.TrimSuffix(jsonl(t, []*rollout.Record{rec}), "\n")
}

func rescored(t testing.TB, line string) string {
	t.Helper()
	raw, err := rollout.DecodeRaw([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	raw.Score(bothPresets)
	out, err := raw.AppendJSONL(nil)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// TestRawGoesOutAsItCame: a record that is scored as it was scored before is the same line, and a record that others
// scored gets what its trace deserves.
func TestRawGoesOutAsItCame(t *testing.T) {
	want := line(t, record(t))
	if got := rescored(t, want); got != want {
		t.Error(cmp.Diff(want, got))
	}
	rec := record(t)
	rec.Outcome, rec.Rewards = reward.Outcome{PED: reward.NoDepth, PEDCalled: reward.NoDepth, Tokens: reward.NoTokens}, nil
	if got := rescored(t, line(t, rec)); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// TestRawTakesWhatOthersWrite: other white space, other fields, nested values as strings, nulls for what is absent.
func TestRawTakesWhatOthersWrite(t *testing.T) {
	want := line(t, record(t))
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(want), &fields); err != nil {
		t.Fatal(err)
	}
	fields["step"], fields["log_id"], fields["model"] = json.RawMessage(`{"x": [1]}`), json.RawMessage("null"), json.RawMessage("null")
	for _, name := range []string{"options", "trace", "blast", "outcome", "rewards", "tools", "messages"} {
		text, err := json.Marshal(string(fields[name]))
		if err != nil {
			t.Fatal(err)
		}
		fields[name] = text
	}
	text, err := json.MarshalIndent(fields, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if got := rescored(t, string(text)); got != want {
		t.Error(cmp.Diff(want, got))
	}
	raw, err := rollout.DecodeRaw(text)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := raw.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	if got := line(t, rec); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// TestRecordedIsWhatTheTextHolds: what was found by another program is not what Score finds.
func TestRecordedIsWhatTheTextHolds(t *testing.T) {
	rec := record(t)
	rec.Outcome.Calls, rec.Rewards = 77, nil
	want := line(t, rec)
	raw, err := rollout.DecodeRaw([]byte(want))
	if err != nil {
		t.Fatal(err)
	}
	raw.Score(bothPresets)
	if rec, err = raw.Recorded(); err != nil {
		t.Fatal(err)
	}
	if got := line(t, rec); got != want {
		t.Error(cmp.Diff(want, got))
	}
	for _, broken := range []string{`"outcome":"no JSON"`, `"outcome":[]`} {
		raw, err := rollout.DecodeRaw([]byte(strings.Replace(want, `"outcome":`, broken+`,"x":`, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Recorded(); err == nil || !strings.Contains(err.Error(), "outcome") {
			t.Errorf("%s: %v", broken, err)
		}
	}
}

// TestRawColumnsAreThoseOfTheRecord: both ways to a row of Parquet agree.
func TestRawColumnsAreThoseOfTheRecord(t *testing.T) {
	for _, rec := range []*rollout.Record{record(t), made(t, "edu-dx-submission-count/1.1", []episode.Turn{{Text: "It failed.", Tokens: -1}})} {
		rec.LogID, rec.Error = "row 7", "the server died"
		rec.Rewards = nil
		want, err := rollout.NewParquetRow(rec)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := rollout.DecodeRaw([]byte(line(t, rec)))
		if err != nil {
			t.Fatal(err)
		}
		raw.Score(bothPresets)
		got, err := raw.ParquetRow()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRawRefuses(t *testing.T) {
	good := line(t, record(t))
	swap := func(old, replacement string) string {
		t.Helper()
		if !strings.Contains(good, old) {
			t.Fatalf("no %s", old)
		}
		return strings.Replace(good, old, replacement, 1)
	}
	for _, tc := range []struct{ name, line, want string }{
		{"no JSON", good[:len(good)-1], "invalid JSON at byte"},
		{"bytes that are no text", swap("parcel", "par\xffcel"), "invalid UTF-8 at byte"},
		{"a NUL", swap("parcel", "par\x00cel"), "invalid JSON at byte"},
		{"a bomb", strings.Repeat("[", 1<<20), "exceeded max depth"},
		{"an array", "[]", "an array where an object should be"},
		{"no trace", swap(`"trace":`, `"other":`), "no trace"},
		{"a null trace", swap(`"trace":{`, `"trace":null,"other":{`), "no trace"},
		{"a trace of null as text", swap(`"trace":{`, `"trace":"null","other":{`), "no trace"},
		{"a trace that cannot be", swap(`"turn":1`, `"turn":9`), "trace: calls[0]: turn 9"},
		{"a field twice", swap(`"risk":`, `"seed":3,"risk":`), "seed is there twice"},
		{"a nested field twice", swap(`"useful":true`, `"useful":true,"useful":false`), "trace: useful is there twice"},
		{"no scenario", swap(`"scenario_id":`, `"scenario":`), "no scenario_id"},
		{"an empty scenario", swap(`"scenario_id":"gov-se-parcel-use/1.1"`, `"scenario_id":""`), "no scenario_id"},
		{"a family of a wrong type", swap(`"family":"gov-se-parcel-use"`, `"family":3`), "family: a number where a string"},
		{"a seed of a wrong type", swap(`"seed":3`, `"seed":3.5`), "seed: 3.5 is no integer"},
		{"a seed out of range", swap(`"seed":3`, `"seed":9223372036854775808`), "is no integer of 64 bits"},
		{"options of a wrong type", swap(`"k":5,"prompt"`, `"k":"5","prompt"`), "options: "},
		{"messages of a wrong type", swap(`"messages":[`, `"messages":7,"m":[`), "messages: a number where an array"},
		{"a message of a wrong type", swap(`"messages":[`, `"messages":[3,`), "messages: element 1: a number where an object"},
		{"a content of a wrong type", swap(`"content":"`, `"content":[],"c":"`), "messages: element 1: content: an array where a string"},
		{"a role in other letters of a wrong type", swap(`"role":"user"`, `"ROLE":3`), "ROLE: a number where a string"},
		{"tokens of a wrong type", swap(`"tokens":41`, `"tokens":41.5`), "tokens: a number where an integer"},
		{"calls of a wrong type", swap(`"arguments":"`, `"arguments":{},"a":"`), "tool_calls: element 1: function: arguments: an object where a string"},
		{"tools of a wrong type", swap(`"tools":[`, `"tools":true,"t":[`), "tools: a boolean where an array"},
		{"a boolean of a wrong type", swap(`"terminated":true`, `"terminated":"true"`), "terminated: a string where a boolean"},
	} {
		_, err := rollout.DecodeRaw([]byte(tc.line))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
		if strings.Contains(tc.want, "no trace") && !errors.Is(err, rollout.ErrNoTrace) {
			t.Errorf("%s: not ErrNoTrace", tc.name)
		}
	}
}

// FuzzRaw: a line that is taken comes out as a record, with the trace that it had, and comes out the same when it is
// scored again.
func FuzzRaw(f *testing.F) {
	f.Add([]byte(line(f, record(f))))
	f.Add([]byte(`{"scenario_id":"a","messages":"[{\"role\":null}]","tools":["{}", 3],"trace":"{\"tools\":[{\"sufficient\":true}],\"k\":1}","error":"x"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		raw, err := rollout.DecodeRaw(in)
		if err != nil {
			return
		}
		raw.Score(bothPresets)
		first, err := raw.AppendJSONL(nil)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := rollout.Decode(first)
		if err != nil {
			t.Fatalf("%v in %s", err, first)
		}
		if diff := cmp.Diff(raw.Trace, rec.Trace); diff != "" || rec.Outcome != raw.Outcome {
			t.Fatalf("%s: %s", first, diff)
		}
		again, err := rollout.DecodeRaw(first)
		if err != nil {
			t.Fatal(err)
		}
		again.Score(bothPresets)
		second, err := again.AppendJSONL(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Fatal(cmp.Diff(string(first), string(second)))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	text := []byte(line(b, record(b)))
	b.Run("raw", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			raw, err := rollout.DecodeRaw(text)
			if err != nil {
				b.Fatal(err)
			}
			raw.Score(bothPresets[:1])
			if _, err := raw.ParquetRow(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := rollout.Decode(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package score_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/score"
)

// TestEveryRowIsAccountedFor mixes good and bad rows of all kinds, over several files.
func TestEveryRowIsAccountedFor(t *testing.T) {
	good := careful(t, 1)
	broken := careful(t, 2)
	broken.Error, broken.Rewards = "the endpoint died", nil
	long := strings.Repeat("x", rollout.MaxLine+1)
	first := file(t, "first.jsonl", line(t, good), "", "{", "[]", line(t, broken), asLog(t, good, nil), "\xff", long)
	second := file(t, "second.txt",
		strings.Replace(line(t, good), `"turn":1`, `"turn":77`, 1),
		asLog(t, good, func(log map[string]any) { log["scenario_id"] = "none/1.1" }),
		asLog(t, good, func(log map[string]any) { delete(log, "scenario_id") }),
		asLog(t, good, func(log map[string]any) { log["options"] = map[string]any{"faults": "often"} }),
		asLog(t, good, func(log map[string]any) { log["messages"] = append(good.Messages, good.Messages[2]) }),
		asLog(t, good, func(log map[string]any) { log["error"] = "HTTP 500" }),
		line(t, good))
	cut := file(t, "cut.gz", "")
	if err := os.WriteFile(cut, zipped(t, line(t, good)+"\n"+line(t, good)+"\n")[:300], 0o644); err != nil {
		t.Fatal(err)
	}
	sum, out := scored(t, ranked(nil), "out.jsonl", first, second, cut)
	if sum.Rows != 15 || sum.Scored != 3 || sum.Unscorable != 2 || sum.Quarantined != 10 {
		t.Errorf("%+v", sum)
	}
	if diff := cmp.Diff(map[string]int{"low_clean": 3}, sum.Tiers); diff != "" {
		t.Error(diff)
	}
	var got []score.Bad
	for _, text := range linesOf(t, sum.BadFile) {
		var bad score.Bad
		if err := json.Unmarshal([]byte(text), &bad); err != nil {
			t.Fatal(err)
		}
		got = append(got, bad)
	}
	for i, want := range []struct {
		file   string
		line   int
		reason string
		cut    bool
	}{
		{first, 3, "invalid JSON at byte 2", false},
		{first, 4, "an array where an object should be", false},
		{first, 7, "invalid UTF-8 at byte 1", false},
		{first, 8, "the line is longer than", true},
		{second, 1, "trace: calls[0]: turn 77", false},
		{second, 2, "none/1.1", false},
		{second, 3, "it names no scenario", false},
		{second, 4, `option faults: "often" is not one of`, false},
		{second, 5, "turn 4: the episode is over: message 3 of the model has no call, which ends it, but the model goes on", false},
		{cut, 1, "the file cannot be read on: unexpected EOF", false},
	} {
		b := got[i]
		if b.File != want.file || b.Line != want.line || !strings.Contains(b.Reason, want.reason) || b.Cut != want.cut {
			t.Errorf("%.200v, want %v", b, want)
		}
		if len(b.Row) > 64<<10 || b.Row == "" && b.File != cut {
			t.Errorf("line %d: %d bytes of the row are kept", b.Line, len(b.Row))
		}
	}
	recs := records(t, out)
	if len(recs) != 5 || len(recs[1].Rewards) != 0 || recs[1].Error != broken.Error || recs[3].Error != "HTTP 500" {
		t.Errorf("%d records", len(recs))
	}
	if recs[2].LogID != "row of by hand" || recs[2].Trace == nil {
		t.Errorf("%+v", recs[2])
	}
}

func zipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	z.Write([]byte(text))
	z.Close()
	return b.Bytes()
}

// TestScoredRecordsGoOutAsTheyCame, through JSONL and Parquet, on one processor and on many.
func TestScoredRecordsGoOutAsTheyCame(t *testing.T) {
	var lines []string
	for seed := range int64(300) {
		lines = append(lines, line(t, careful(t, seed)))
	}
	want := strings.Join(lines, "\n") + "\n"
	in := file(t, "in.jsonl", lines...)
	var parquets [][]byte
	for _, workers := range []int{1, 5} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		_, out := scored(t, ranked(nil), "out.jsonl", in)
		if got, err := os.ReadFile(out); err != nil || string(got) != want {
			t.Errorf("%d workers: other bytes, %v", workers, err)
		}
		_, columns := scored(t, ranked(nil), "out.parquet", in)
		content, err := os.ReadFile(columns)
		if err != nil {
			t.Fatal(err)
		}
		parquets = append(parquets, content)
		_, back := scored(t, ranked(nil), "back.jsonl", columns)
		if got, err := os.ReadFile(back); err != nil || string(got) != want {
			t.Errorf("%d workers: other bytes through Parquet, %v", workers, err)
		}
	}
	if !bytes.Equal(parquets[0], parquets[1]) {
		t.Error("the number of workers changes the Parquet file")
	}
}

// TestLogsScoreAsTheirRecords: a log comes to the same record, bit for bit, however it writes its calls.
func TestLogsScoreAsTheirRecords(t *testing.T) {
	a := act(t, parcel)
	for name, rec := range map[string]*rollout.Record{
		"careful":   careful(t, 3),
		"two calls": a.play(t, 4, episode.Options{Faults: "none"}, a.turn(a.low[0], a.high[0]), done("Done.")),
		"no calls":  a.play(t, 5, episode.Options{}, done("It cannot be done.")),
		"open":      a.play(t, 6, episode.Options{}, a.turn(a.high[0])),
	} {
		rec.Policy = "by hand"
		for way, change := range map[string]func(map[string]any){
			"as it is": func(map[string]any) {},
			"metadata": func(log map[string]any) {
				log["metadata"] = map[string]any{"scenario_id": rec.ScenarioID, "seed": rec.Seed, "options": rec.Options}
				delete(log, "scenario_id")
				delete(log, "seed")
				delete(log, "options")
			},
			"objects": func(log map[string]any) { log["messages"] = withObjects(t, rec.Messages) },
		} {
			log := asLog(t, rec, func(log map[string]any) { change(log); log["policy"] = rec.Policy; delete(log, "id") })
			sum, out := scored(t, ranked(nil), "out.jsonl", file(t, "log.jsonl", log))
			if sum.Scored != 1 || sum.Differing != 0 || sum.OtherPrompt != 0 || sum.Played != 1 {
				t.Fatalf("%s, %s: %+v %v", name, way, sum, linesOf(t, out+score.BadSuffix))
			}
			got := records(t, out)[0]
			if got.Rewards[0] != rec.Rewards[0] || got.Outcome != rec.Outcome {
				t.Errorf("%s, %s: %v, want %v", name, way, got.Rewards, rec.Rewards)
			}
			if way != "objects" && got.ID != rec.ID {
				t.Errorf("%s, %s: another id", name, way)
			}
		}
	}
}

// withObjects writes arguments as objects and leaves out empty contents.
func withObjects(t testing.TB, messages []rollout.Message) any {
	t.Helper()
	text := line(t, messages)
	var list []map[string]any
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m["content"] == "" {
			m["content"] = nil
		}
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			fn := c.(map[string]any)["function"].(map[string]any)
			fn["arguments"] = json.RawMessage(fn["arguments"].(string))
		}
	}
	return list
}

func TestDefaultsAreForLogsThatSayNothing(t *testing.T) {
	a := act(t, parcel)
	rec := a.play(t, 11, episode.Options{K: 2, Faults: "once"}, a.turn(a.low[0]), a.turn(a.low[0]), a.turn(a.low[0]))
	log := asLog(t, rec, func(log map[string]any) { delete(log, "seed"); delete(log, "options") })
	cfg := ranked(func(c *score.Config) {
		c.Defaults.Seed, c.Defaults.Options = 11, episode.Options{K: 2, Faults: "once"}
	})
	_, out := scored(t, cfg, "out.jsonl", file(t, "log.jsonl", log))
	if got := records(t, out)[0]; got.Outcome != rec.Outcome || got.Seed != 11 || got.Options != rec.Options {
		t.Errorf("%+v", got)
	}
	cfg.Defaults.Options.K = 1
	sum, _ := scored(t, cfg, "out.jsonl", file(t, "log.jsonl", log))
	if bad := linesOf(t, sum.BadFile); len(bad) != 1 || !strings.Contains(bad[0], "3 turns have calls; if more than 5 were allowed, say so") {
		t.Errorf("%v", bad)
	}
}

// TestReplayShowsWhereItDisagrees: row, turn, recorded, replayed.
func TestReplayShowsWhereItDisagrees(t *testing.T) {
	changed := careful(t, 1)
	changed.Messages[3].Content = "All is well."
	in := file(t, "in.jsonl", line(t, careful(t, 2)), line(t, changed), asLog(t, changed, func(log map[string]any) {
		messages := append([]rollout.Message(nil), changed.Messages...)
		messages[0].Content = "You are helpful."
		log["messages"] = messages
	}))
	sum, _ := scored(t, ranked(func(c *score.Config) { c.Replay = true }), "out.parquet", in)
	if sum.Played != 3 || sum.Differing != 2 || sum.OtherPrompt != 1 || sum.Quarantined != 0 {
		t.Fatalf("%+v", sum)
	}
	written := linesOf(t, sum.DifferenceFile)
	if len(written) != 2 || len(sum.Differences) != 2 {
		t.Fatalf("%v", written)
	}
	for i, d := range sum.Differences {
		if d.File != in || d.Line != i+2 || d.Turn != 1 || d.Where != "tool message 1" || d.Recorded != "All is well." || d.Replayed == d.Recorded {
			t.Errorf("%+v", d)
		}
		var read score.Difference
		if err := json.Unmarshal([]byte(written[i]), &read); err != nil || read != d {
			t.Errorf("%v: %s", err, written[i])
		}
	}
	sum, _ = scored(t, ranked(nil), "out.parquet", in)
	if sum.Played != 1 || sum.Differing != 1 {
		t.Errorf("without replay: %+v", sum)
	}
}

func TestSideFilesOfAnEarlierRunAreRemoved(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.jsonl")
	for i, in := range []string{file(t, "in.jsonl", "{"), file(t, "in.jsonl", line(t, careful(t, 1)))} {
		if _, err := score.Files(t.Context(), ranked(nil), []string{in}, out); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(out + score.BadSuffix); os.IsNotExist(err) != (i == 1) {
			t.Errorf("run %d: %v", i, err)
		}
	}
}

// TestAnEndedRunLeavesNothing: neither half a file nor a temporary one, even while standard input hangs.
func TestAnEndedRunLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	in, feed := io.Pipe()
	defer feed.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cfg := ranked(func(c *score.Config) { c.Stdin, c.Progress = in, func(int, int64) { cancel() } })
	go func() {
		text := []byte(line(t, careful(t, 1)) + "\n{\n")
		for {
			if _, err := feed.Write(text); err != nil {
				return
			}
		}
	}()
	ended := make(chan error)
	go func() {
		_, err := score.Files(ctx, cfg, []string{rollout.Stdin}, filepath.Join(dir, "out.parquet"))
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

func TestFilesFailsWhereNothingCanBeWritten(t *testing.T) {
	in := file(t, "in.jsonl", line(t, careful(t, 1)))
	for name, out := range map[string]string{"no directory": "/none/out.jsonl", "no name": filepath.Join(t.TempDir(), "out.csv")} {
		if _, err := score.Files(t.Context(), ranked(nil), []string{in}, out); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	gone := filepath.Join(t.TempDir(), "gone.jsonl")
	if _, err := score.Files(t.Context(), ranked(nil), []string{in, gone}, filepath.Join(t.TempDir(), "out.jsonl")); !os.IsNotExist(errors.Unwrap(err)) && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestBothPresetsAreScored, and the first is the reward column.
func TestBothPresetsAreScored(t *testing.T) {
	cfg := ranked(func(c *score.Config) { c.Presets = []reward.Preset{reward.ToolPrivBench, reward.Ranked} })
	sum, out := scored(t, cfg, "out.jsonl", file(t, "in.jsonl", line(t, careful(t, 1)), line(t, careful(t, 2))))
	var rec rollout.Record
	if err := json.Unmarshal([]byte(linesOf(t, out)[0]), &rec); err != nil {
		t.Fatal(err)
	}
	for i, p := range cfg.Presets {
		if rec.Rewards[i] != reward.Score(p, rec.Trace, rec.Outcome) || rec.Rewards[i].Preset != p {
			t.Errorf("%v", rec.Rewards[i])
		}
		if m := sum.Means[i]; m.Preset != p || m.Mean.N != 2 || m.Mean.Value != rec.Rewards[i].Value {
			t.Errorf("%+v", m)
		}
	}
}

package rollout_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
)

func parquetOf(t testing.TB, records []*rollout.Record) []byte {
	t.Helper()
	var file bytes.Buffer
	w := rollout.NewParquetWriter(&file)
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// recordsOf reads the records of a file, which has the name f.
func recordsOf(t testing.TB, content []byte) (records []*rollout.Record, bad []int, err error) {
	t.Helper()
	in, err := rollout.Open(file(t, "f", content), nil)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	err = in.Rows(func(r rollout.Row) error {
		rec, err := r.Record()
		if err != nil {
			bad = append(bad, r.Line)
			return nil
		}
		records = append(records, rec)
		return nil
	})
	return records, bad, err
}

func jsonl(t testing.TB, records []*rollout.Record) string {
	t.Helper()
	var b bytes.Buffer
	for _, r := range records {
		if err := rollout.WriteJSONL(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestPropertyParquetRoundTrip: what is read is what was written, over batches.
func TestPropertyParquetRoundTrip(t *testing.T) {
	base := record(t)
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 63, 64, 65, 130}).Draw(rt, "rows")
		records := make([]*rollout.Record, n)
		text := rapid.String()
		for i := range records {
			r := *base
			if i < 4 {
				r.Error, r.Policy, r.Seed = text.Draw(rt, "error"), text.Draw(rt, "policy"), rapid.Int64().Draw(rt, "seed")
				r.Messages = append([]rollout.Message{{Role: "user", Content: text.Draw(rt, "content")}}, base.Messages...)
				r.Outcome.PED = rapid.IntRange(reward.NoDepth, 3).Draw(rt, "ped")
				r.Rewards = r.Rewards[:rapid.IntRange(0, 2).Draw(rt, "rewards")]
			}
			records[i] = &r
		}
		read, bad, err := recordsOf(t, parquetOf(t, records))
		if err != nil || len(bad) > 0 {
			rt.Fatal(err, bad)
		}
		if diff := cmp.Diff(jsonl(t, records), jsonl(t, read)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestParquetIsTheSameBytes(t *testing.T) {
	records := []*rollout.Record{record(t), record(t)}
	if !bytes.Equal(parquetOf(t, records), parquetOf(t, records)) {
		t.Error("the same records gave other bytes")
	}
}

func TestParquetWriterRefusesRowsAfterClose(t *testing.T) {
	w := rollout.NewParquetWriter(&bytes.Buffer{})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Write(record(t)) == nil || w.Close() == nil {
		t.Error("a closed writer took a row")
	}
}

// TestFieldParquetDamageIsAnErrorWithItsPlace flips and cuts bytes all over a file: every reading ends in rows or in an
// error that names the file.
func TestFieldParquetDamageIsAnErrorWithItsPlace(t *testing.T) {
	turn := episode.Turn{Text: "Done.", Tokens: 3}
	content := parquetOf(t, []*rollout.Record{record(t), made(t, "edu-dx-submission-count/1.1", []episode.Turn{turn})})
	for at := 0; at < len(content); at += 31 {
		flipped := bytes.Clone(content)
		flipped[at] ^= 0x55
		for _, damaged := range [][]byte{flipped, content[:at]} {
			if _, _, err := recordsOf(t, damaged); err != nil && !strings.Contains(err.Error(), "/f:") {
				t.Fatalf("byte %d: %v", at, err)
			}
		}
	}
}

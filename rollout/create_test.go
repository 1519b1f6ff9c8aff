package rollout_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout"
)

// TestRecordsComeBackFromEveryKindOfFile, and the same records make the same bytes.
func TestRecordsComeBackFromEveryKindOfFile(t *testing.T) {
	records := []*rollout.Record{record(t), record(t)}
	want := jsonl(t, records)
	for _, name := range []string{"a.jsonl", "a.ndjson", "a.jsonl.gz", "a.jsonl.zst", "a.parquet", "a.parquet.gz", "a.parquet.zst"} {
		t.Run(name, func(t *testing.T) {
			var files [2][]byte
			for i := range files {
				path := filepath.Join(t.TempDir(), name)
				f, err := rollout.CreateRecords(path)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range records {
					if err := f.WriteRecord(r); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := os.Stat(path); err == nil {
					t.Error("the file is there before it is complete")
				}
				if err := f.Commit(); err != nil {
					t.Fatal(err)
				}
				f.Discard()
				if files[i], err = os.ReadFile(path); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, reread(t, path)); diff != "" {
					t.Error(diff)
				}
			}
			if !bytes.Equal(files[0], files[1]) {
				t.Error("the same records gave other bytes")
			}
		})
	}
}

// reread returns the records of a file as JSONL.
func reread(t testing.TB, path string) string {
	t.Helper()
	in, err := rollout.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var lines []byte
	err = in.Rows(func(r rollout.Row) error {
		raw, err := rollout.DecodeRaw(r.JSON)
		if err != nil {
			return err
		}
		raw.Score(bothPresets)
		lines, err = raw.AppendJSONL(lines)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(lines)
}

func TestDiscardLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl.gz")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := rollout.CreateRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.WriteRecord(record(t)); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
	if old, err := os.ReadFile(path); err != nil || string(old) != "old" {
		t.Errorf("%s %v", old, err)
	}
}

func TestCreateRefusesOtherNames(t *testing.T) {
	for _, name := range []string{"a", "a.csv", "a.gz", "a.jsonl.bz2"} {
		if _, err := rollout.CreateRecords(name); err == nil || !strings.Contains(err.Error(), "ends in .jsonl or .parquet") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, other := range []string{os.DevNull, t.TempDir()} {
		if _, err := rollout.Create(other); err == nil || !strings.Contains(err.Error(), other+": it is not a regular file") {
			t.Errorf("%s: %v", other, err)
		}
	}
	if _, err := rollout.Create(filepath.Join(t.TempDir(), "none", "a.jsonl")); err == nil || !strings.Contains(err.Error(), "cannot write") {
		t.Errorf("%v", err)
	}
}

// TestCommitNew: of those that make one file at the same time, one does; the others are told, and leave nothing.
func TestCommitNew(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.txt")
	var errs [8]error
	var writers sync.WaitGroup
	for i := range errs {
		writers.Go(func() {
			out, err := rollout.Create(name)
			if err != nil {
				errs[i] = err
				return
			}
			defer out.Discard()
			fmt.Fprintf(out, "writer %d", i)
			errs[i] = out.CommitNew()
		})
	}
	writers.Wait()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range errs {
		if won := string(text) == fmt.Sprintf("writer %d", i); won != (err == nil) || !won && !errors.Is(err, fs.ErrExist) {
			t.Errorf("writer %d: %v, and the file is by %s", i, err, text)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

package sft

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// reopened opens the journal of a folder and returns it with what it told.
func reopened(t *testing.T, dir string) (j *journal, told []string) {
	t.Helper()
	j, err := openJournal(dir, settings{}, func(text string) { told = append(told, text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.close() })
	return j, told
}

// TestDamagedJournalRowsAreMadeAgain: wherever a byte is flipped, the line is told, and nothing of it is taken up.
func TestDamagedJournalRowsAreMadeAgain(t *testing.T) {
	dir := t.TempDir()
	made := []entry{{Index: 0}, {Index: 1}, {Index: 2, Refused: "no try was kept: no reasoning", Rejections: map[string]int{"no reasoning": 2}}}
	j, _ := reopened(t, dir)
	for i, row := range rowsOf(t, 2) {
		made[i].Row = row
	}
	for _, e := range made {
		if err := j.add(e); err != nil {
			t.Fatal(err)
		}
	}
	sound := contents(t, dir)[journalName]
	second := strings.Index(sound, "\n") + 1
	for name, c := range map[string]struct {
		at   int
		lost []int
	}{
		"nothing":                {-1, nil},
		"a letter of a message":  {second + strings.Index(sound[second:], "user"), []int{1}},
		"a digit of the index":   {second + len(`{"index":`), []int{1}},
		"a letter of a key":      {second + strings.Index(sound[second:], "LowerAvailable"), []int{1}},
		"a digit of the sum":     {second + strings.Index(sound[second:], `"sha256":"`) + len(`"sha256":"`), []int{1}},
		"the reason of the last": {strings.LastIndex(sound, "no try"), []int{2}},
		"the end of a line":      {second - 1, []int{0, 1}},
		"the beginning of a row": {second, []int{1}},
		"the end of the file":    {len(sound) - 1, []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			damaged := []byte(sound)
			if c.at >= 0 {
				damaged[c.at] ^= 1
			}
			if err := os.WriteFile(filepath.Join(dir, journalName), damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			j.close()
			j, told := reopened(t, dir)
			defer func() { j.close() }()
			var lost []int
			for i := range made {
				if !j.has(i) {
					lost = append(lost, i)
				}
			}
			if diff := cmp.Diff(c.lost, lost); diff != "" {
				t.Errorf("lost: %s", diff)
			}
			if len(told) != min(len(lost), 1) || len(told) == 1 && !strings.Contains(told[0], journalName+":") {
				t.Errorf("told %q", told)
			}
			for _, i := range lost {
				if err := j.add(made[i]); err != nil {
					t.Fatal(err)
				}
			}
			j.close()
			j, _ = reopened(t, dir)
			for i, want := range made {
				if got, ok, err := j.get(i); !ok || err != nil || cmp.Diff(want, got) != "" {
					t.Errorf("row %d: %v, %v, %s", i, ok, err, cmp.Diff(want, got))
				}
			}
		})
	}
}

// TestOneProcessHoldsTheJournal: two that write would each spoil the lines of the other.
func TestOneProcessHoldsTheJournal(t *testing.T) {
	dir := t.TempDir()
	first, _ := reopened(t, dir)
	if _, err := openJournal(dir, settings{}, func(string) {}); err == nil || !strings.Contains(err.Error(), "another process is writing to "+dir) {
		t.Errorf("%v", err)
	}
	first.close()
	reopened(t, dir)
}

// TestSettingsAreThoseOfTheProcessThatWrites: of two that begin at the same time with other settings, the one without the
// journal writes none, which would be taken for those of the rows.
func TestSettingsAreThoseOfTheProcessThatWrites(t *testing.T) {
	dir := t.TempDir()
	reopened(t, dir)
	if err := os.Remove(filepath.Join(dir, settingsName)); err != nil { // the other looks before they are written
		t.Fatal(err)
	}
	if _, err := openJournal(dir, settings{Rows: 7}, func(string) {}); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("%v", err)
	}
	if text, there := contents(t, dir)[settingsName]; there {
		t.Errorf("it wrote %s", text)
	}
}

// TestRowsWithoutSettings may be of any run.
func TestRowsWithoutSettings(t *testing.T) {
	dir := t.TempDir()
	j, _ := reopened(t, dir)
	if err := j.add(entry{Index: 0, Refused: "no try was kept: no reasoning"}); err != nil {
		t.Fatal(err)
	}
	j.close()
	if err := os.Remove(filepath.Join(dir, settingsName)); err != nil {
		t.Fatal(err)
	}
	_, err := openJournal(dir, settings{Seed: 7}, func(string) {})
	if !errors.Is(err, ErrOtherSettings) || !strings.Contains(err.Error(), "journal.jsonl has rows, but there is no settings.json") {
		t.Errorf("%v", err)
	}
	if _, there := contents(t, dir)[settingsName]; there {
		t.Error("it has settings now")
	}
}

// TestSettingsAreReadStrictly: a file that says more than this program knows is of another run.
func TestSettingsAreReadStrictly(t *testing.T) {
	for content, want := range map[string]string{
		`{}`:                     "",
		`{"rows":0,"top_p":0.5}`: `unknown field "top_p"`,
		`{"rows":0} {"rows":7}`:  "something behind the object",
		`{"rows":"0"}`:           "cannot unmarshal string",
		`{"rows":0`:              "unexpected EOF",
		`{"rows":3,"tries":0}`:   "rows was 3, now 0",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, settingsName), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		j, err := openJournal(dir, settings{}, func(string) {})
		if err == nil {
			j.close()
		}
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", content, err)
			}
			continue
		}
		if !errors.Is(err, ErrOtherSettings) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "another folder") {
			t.Errorf("%s: %v", content, err)
		}
	}
}

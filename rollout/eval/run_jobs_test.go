package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestChooseSpreadsOverFamilies(t *testing.T) {
	ids := []string{"a/1.1", "a/1.2", "a/2.1", "b/1.1", "c/1.1", "c/1.2"}
	for limit, want := range map[int][]string{
		0: ids,
		1: {"a/1.1"},
		3: {"a/1.1", "b/1.1", "c/1.1"},
		4: {"a/1.1", "a/1.2", "b/1.1", "c/1.1"},
		5: {"a/1.1", "a/1.2", "b/1.1", "c/1.1", "c/1.2"},
		9: ids,
	} {
		if diff := cmp.Diff(want, choose(ids, limit)); diff != "" {
			t.Errorf("limit %d: %s", limit, diff)
		}
	}
}

// A larger limit only adds scenarios, so that a run with a small one is a part of a run with a large one.
func TestChooseGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ids []string
		for f, n := range rapid.SliceOfN(rapid.IntRange(1, 5), 1, 6).Draw(t, "families") {
			for i := range n {
				ids = append(ids, fmt.Sprintf("f%d/%d.1", f, i+1))
			}
		}
		limit := rapid.IntRange(1, len(ids)).Draw(t, "limit")
		few, more := choose(ids, limit), choose(ids, min(limit+1, len(ids)))
		if len(few) != limit {
			t.Fatalf("%d of %d", len(few), limit)
		}
		for _, id := range few {
			if !slices.Contains(more, id) {
				t.Errorf("limit %d has %s, a larger one has not", limit, id)
			}
		}
	})
}

func TestJobsHaveTheirPlaces(t *testing.T) {
	s := Settings{Seed: 3, Repeats: 2}
	want := []job{{0, "a/1.1", 0, 3}, {1, "a/1.1", 1, 4}, {2, "b/1.1", 0, 3}, {3, "b/1.1", 1, 4}}
	if diff := cmp.Diff(want, s.jobs([]string{"a/1.1", "b/1.1"}), cmp.AllowUnexported(job{})); diff != "" {
		t.Error(diff)
	}
}

func TestShardsArePartsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := make([]job, rapid.IntRange(0, 40).Draw(t, "jobs"))
		for i := range jobs {
			jobs[i].index = i
		}
		n := rapid.IntRange(1, 50).Draw(t, "shards")
		var union []job
		for i := range n {
			part := shardOf(jobs, i, n)
			if len(part) > len(jobs)/n+1 {
				t.Fatalf("shard %d/%d has %d of %d", i, n, len(part), len(jobs))
			}
			union = append(union, part...)
		}
		if !slices.Equal(union, jobs) {
			t.Errorf("%d shards do not unite", n)
		}
	})
}

// Whatever is appended in whichever order, and wherever the file is torn in between, what settles is every row that was
// whole, in the order of the jobs.
func TestRowsSurviveTears(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.jsonl")
	row := func(i int) string { return fmt.Sprintf("%d %s\n", i, strings.Repeat("x", i%7)) }
	read := func(text []byte) (int, error) {
		var i int
		if _, err := fmt.Sscanf(string(text), "%d", &i); err != nil || string(text)+"\n" != row(i) {
			return 0, fmt.Errorf("no row: %s", text)
		}
		return i, nil
	}
	rapid.Check(t, func(rt *rapid.T) {
		_ = os.Remove(name)
		whole := map[int]bool{}
		jobs := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}).Draw(rt, "order")
		for len(jobs) > 0 {
			f, err := openRows(name, read, func(string) {})
			if err != nil {
				rt.Fatal(err)
			}
			n := rapid.IntRange(1, len(jobs)).Draw(rt, "appended")
			for _, i := range jobs[:n] {
				if err := f.append(i, []byte(row(i))); err != nil {
					rt.Fatal(err)
				}
				whole[i] = true
			}
			end := f.end
			_ = f.file.Close() // as a kill does
			last := jobs[n-1]
			jobs = jobs[n:]
			if torn := rapid.IntRange(0, len(row(last))).Draw(rt, "torn"); torn > 0 {
				if err := os.Truncate(name, end-int64(torn)); err != nil {
					rt.Fatal(err)
				}
				delete(whole, last)
			}
		}
		checkSettled(rt, name, read, whole, row)
	})
}

func checkSettled(t *rapid.T, name string, read func([]byte) (int, error), whole map[int]bool, row func(int) string) {
	f, err := openRows(name, read, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.settle(); err != nil {
		t.Fatal(err)
	}
	var want string
	for i := range 12 {
		if whole[i] {
			want += row(i)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("settled %q (%v), want %q", got, err, want)
	}
}

func TestReadRowWantsItsContent(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":   ``,
		"no record": `{"a": 1}`,
		"not JSON":  `{"scenario_id`,
		"wrong id":  `{"id": "0", "scenario_id": "a/1.1", "trace": {"tools": [], "k": 5, "calls": [], "messages": [], "claim": "none"}}`,
	} {
		if _, _, err := readRow([]byte(text), nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

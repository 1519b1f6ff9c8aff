package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/privgym/privgym/env/scenario"
)

// made is a corpus of entries alone.
func made(entries ...Entry) *Corpus { return newCorpus(entries, make([]family, len(entries))) }

func TestOrder(t *testing.T) {
	c := made(
		Entry{ID: "a", Split: "sft", Instances: 1, Wordings: 2},
		Entry{ID: "b", Split: "eval", Instances: 2, Wordings: 1},
		Entry{ID: "c", Split: "rl", Instances: 1, Wordings: 1},
		Entry{ID: "d", Split: "eval", Instances: 1, Wordings: 2},
	)
	for split, want := range map[string][]string{
		"":     {"b/1.1", "b/2.1", "d/1.1", "d/1.2", "c/1.1", "a/1.1", "a/1.2"},
		"eval": {"b/1.1", "b/2.1", "d/1.1", "d/1.2"},
		"sft":  {"a/1.1", "a/1.2"},
		"none": nil,
	} {
		if diff := cmp.Diff(want, c.IDs(split)); diff != "" {
			t.Errorf("split %q: %s", split, diff)
		}
	}
	want := []SplitInfo{{"eval", 2, 4}, {"rl", 1, 1}, {"sft", 1, 2}}
	if diff := cmp.Diff(want, c.Splits()); diff != "" {
		t.Error(diff)
	}
}

// TestAtAgreesWithIDs holds the arithmetic of At to the list.
func TestAtAgreesWithIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var entries []Entry
		for i := range rapid.IntRange(0, 12).Draw(t, "families") {
			entries = append(entries, Entry{
				ID:        fmt.Sprintf("f%02d", i),
				Split:     rapid.SampledFrom(scenario.Splits()).Draw(t, "split"),
				Instances: rapid.IntRange(1, 5).Draw(t, "instances"),
				Wordings:  rapid.IntRange(1, 4).Draw(t, "wordings"),
			})
		}
		c := made(entries...)
		for _, split := range scenario.Splits() {
			ids := c.IDs(split)
			for i, want := range ids {
				if got, err := c.At(split, i); err != nil || got != want {
					t.Fatalf("%s %d: %s, want %s: %v", split, i, got, want, err)
				}
			}
			for _, i := range []int{-1, len(ids)} {
				if _, err := c.At(split, i); !errors.Is(err, ErrNotFound) {
					t.Fatalf("%s %d: %v", split, i, err)
				}
			}
		}
	})
}

func TestDigestIsAsDefined(t *testing.T) {
	c := made(Entry{ID: "a", Digest: "d1"}, Entry{ID: "b", Digest: "d2"})
	sum := sha256.Sum256([]byte("a\x00d1\nb\x00d2\n"))
	if want := hex.EncodeToString(sum[:]); c.Digest() != want {
		t.Errorf("got %s, want %s", c.Digest(), want)
	}
	if made().Digest() == c.Digest() {
		t.Error("nothing and something have one digest")
	}
}

func TestNotFound(t *testing.T) {
	c := Embedded()
	first := c.Families()[0].ID
	for _, id := range []string{
		"", "/", "nothing", "nothing/1.1", first, first + "/", first + "/1", first + "/1.", first + "/0.1", first + "/1.0",
		first + "/01.1", first + "/1.1.1", first + "/1.01", first + "/+1.1", first + "/99.1", first + "/1.99", first + "/-1.1",
		first + "/99999999999999999999.1", first + "/1.1 ", strings.Repeat("x", 1000),
	} {
		if _, err := c.Scenario(id); !errors.Is(err, ErrNotFound) || len(err.Error()) > 400 {
			t.Errorf("%.40q: %v", id, err)
		}
	}
	if _, err := c.Family("nothing"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := c.Source("nothing"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := c.At("test", 0); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "eval, rl, sft") {
		t.Error(err)
	}
}

func TestFamiliesIsACopy(t *testing.T) {
	c := Embedded()
	before := slices.Clone(c.Families())
	c.Families()[0].ID = "changed"
	if diff := cmp.Diff(before, c.Families()); diff != "" {
		t.Error(diff)
	}
}

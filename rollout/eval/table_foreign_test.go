package eval

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestNullForNaN(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": NaN, "b": [Infinity,-Infinity]}`: `{"a": null, "b": [null,null]}`,
		`{"NaN": "NaN \" NaN \\", "b": NaN}`:    `{"NaN": "NaN \" NaN \\", "b": null}`,
		`{"a": -1, "I": "-Infinity"}`:           `{"a": -1, "I": "-Infinity"}`,
		`"NaN`:                                  `"NaN`,
		`NaN`:                                   `null`,
		``:                                      ``,
		`Nope`:                                  `Nope`,
		`"\`:                                    `"\`,
	} {
		if got := nullForNaN([]byte(in)); string(got) != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestReadBounded(t *testing.T) {
	if text, err := readBounded(strings.NewReader("1234"), 4); err != nil || string(text) != "1234" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := readBounded(strings.NewReader("12345"), 4); err == nil || err.Error() != "it is larger than 4 bytes" {
		t.Errorf("one byte more: %v", err)
	}
}

func TestByteOrderMark(t *testing.T) {
	var v map[string]int
	if err := decodeForeign([]byte("\xef\xbb\xbf{\"a\": 1}"), &v); err != nil || v["a"] != 1 {
		t.Errorf("%v, %v", v, err)
	}
}

func prints(t *testing.T, table Table) {
	t.Helper()
	for _, format := range []string{"text", "json"} {
		if err := Write(&bytes.Buffer{}, []Table{table}, format); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzScores: text that is JSON is not touched; whatever is read has scores, prints, and read again from
// the plain form gives the same scores.
func FuzzScores(f *testing.F) {
	f.Add([]byte(harnessResults(0.5, 0.6)))
	f.Add([]byte(`{"MetaTool": 0.61, "b": NaN}`))
	f.Add([]byte(`{"results": {"a": {"acc": 1, "acc,x,y": -Infinity}}, "group_subtasks": {"a": ["a"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if json.Valid(text) && !bytes.Equal(nullForNaN(text), text) {
			t.Fatalf("changed JSON to %s", nullForNaN(text))
		}
		s := &Scores{Path: "file", tasks: map[string]score{}}
		if err := s.decode("file", text); err != nil {
			return
		}
		table := Retain(s, s)
		prints(t, table)
		plain := map[string]*float64{}
		for name, v := range s.tasks {
			if plain[name] = nil; !math.IsNaN(v.value) {
				plain[name] = &v.value
			}
		}
		if _, harness := plain["results"]; harness {
			return // a task of that name makes the plain form another
		}
		again := &Scores{tasks: map[string]score{}}
		encoded, err := json.Marshal(plain)
		if err == nil {
			err = again.decode("again", encoded)
		}
		if err != nil || !slices.Equal(slices.Sorted(maps.Keys(again.tasks)), slices.Sorted(maps.Keys(s.tasks))) {
			t.Fatalf("%v: %v, was %v", err, again.tasks, s.tasks)
		}
	})
}

// FuzzHarm: what is read holds together and prints, and is the same from an archive.
func FuzzHarm(f *testing.F) {
	f.Add([]byte(harmLog("m", 0.5, 0.25)))
	f.Add([]byte(archive(f, "header.json", harmLog("m", 0.5, 0.25))))
	f.Add([]byte(`{"status": "success", "eval": {}, "results": {"scores": [{"metrics": {"avg_score": {}, "avg_refusals": {}}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := decodeHarm(text)
		if err != nil {
			return
		}
		prints(t, AgentHarm([]*Harm{h}, nil))
		if bytes.HasPrefix(text, []byte("PK")) {
			return
		}
		packed, err := decodeHarm([]byte(pack(t, zip.Store, "header.json", string(text))))
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if err != nil || packed.Model != h.Model || packed.Samples != h.Samples || !same(packed.Score, h.Score) || !same(packed.Refusal, h.Refusal) {
			t.Fatalf("%+v, from an archive %+v, %v", h, packed, err)
		}
	})
}

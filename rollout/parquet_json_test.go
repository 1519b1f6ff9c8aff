package rollout_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/privgym/privgym/rollout"
)

// TestParquetOfOtherWriters reads what pyarrow and DuckDB wrote. Nulls that fill up a struct are gone.
func TestParquetOfOtherWriters(t *testing.T) {
	want := []string{
		`1:{"scenario_id":"a/1.1","seed":3,"messages":[{"role":"user","content":"Hé"},{"role":"assistant","tool_calls":[` +
			`{"id":"1","function":{"name":"f","arguments":{"a":1}}},{"id":"2","function":{"name":"g","arguments":{"b":["x","y"]}}}],` +
			`"tokens":4}],"weights":[0.5,null,-1e+300],"ok":true}`,
		`2:{"scenario_id":"a/1.2","messages":[]}`,
		`3:{"scenario_id":"a/1.3","seed":-7,"messages":[{"role":"assistant","content":"","tool_calls":[],"tokens":0}],` +
			`"weights":[],"ok":false}`,
	}
	for _, writer := range []string{"pyarrow", "pyarrow-old", "duckdb"} {
		got, err := rows(t, "testdata/logs/"+writer+".parquet", nil)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", writer, err, diff)
		}
	}
	got, err := rows(t, "testdata/logs/map.parquet", nil)
	if err != nil || len(got) != 3 {
		t.Fatal(err, got)
	}
	for i, start := range []string{`1:{"scenario_id":"a/1.1","metadata":{"k":1,"n":null},"messages":"[{\"role\"`, `2:{"scenario_id":"a/1.2","messages":"[]"}`} {
		if !strings.HasPrefix(got[i], start) {
			t.Errorf("%s, want %s…", got[i], start)
		}
	}
}

// nested has every shape of columns.
type nested struct {
	Text     string           `parquet:"text"`
	Optional *int64           `parquet:"optional,optional"`
	Repeated []float64        `parquet:"repeated"`
	List     []string         `parquet:"list,list"`
	Groups   []inner          `parquet:"groups,list"`
	Plain    []inner          `parquet:"plain"`
	Group    *inner           `parquet:"group,optional"`
	Map      map[string]bool  `parquet:"map"`
	ByNumber map[int32]string `parquet:"by_number"`
	Bytes    []byte           `parquet:"bytes"`
}

type inner struct {
	A *string  `parquet:"a,optional"`
	B []string `parquet:"b,list"`
}

// json is the object that a row should become, with its members in the order of the columns.
func (n *nested) json(t testing.TB) any {
	t.Helper()
	o := map[string]any{
		"text": n.Text, "repeated": n.Repeated, "list": n.List, "map": n.Map, "by_number": n.ByNumber, "bytes": string(n.Bytes),
	}
	if n.Optional != nil {
		o["optional"] = *n.Optional
	}
	if n.Group != nil {
		o["group"] = n.Group.json()
	}
	groups, plain := []any{}, []any{}
	for i := range n.Groups {
		groups = append(groups, n.Groups[i].json())
	}
	for i := range n.Plain {
		plain = append(plain, n.Plain[i].json())
	}
	o["groups"], o["plain"] = groups, plain
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func (i *inner) json() map[string]any {
	o := map[string]any{"b": i.B}
	if i.A != nil {
		o["a"] = *i.A
	}
	return o
}

// TestPropertyParquetRowsAsJSON: any row of every shape becomes the object that it is.
func TestPropertyParquetRowsAsJSON(t *testing.T) {
	texts := rapid.SliceOfN(rapid.String(), 0, 3)
	group := rapid.Custom(func(rt *rapid.T) inner {
		return inner{A: rapid.Ptr(rapid.String(), true).Draw(rt, "a"), B: texts.Draw(rt, "b")}
	})
	row := rapid.Custom(func(rt *rapid.T) nested {
		n := nested{
			Text:     rapid.String().Draw(rt, "text"),
			Optional: rapid.Ptr(rapid.Int64Range(-1<<53, 1<<53), true).Draw(rt, "optional"),
			Repeated: rapid.SliceOfN(rapid.Float64(), 0, 3).Draw(rt, "repeated"),
			List:     texts.Draw(rt, "list"),
			Groups:   rapid.SliceOfN(group, 0, 3).Draw(rt, "groups"),
			Plain:    rapid.SliceOfN(group, 0, 3).Draw(rt, "plain"),
			Map:      rapid.MapOfN(rapid.String(), rapid.Bool(), 0, 3).Draw(rt, "map"),
			ByNumber: rapid.MapOfN(rapid.Int32(), rapid.String(), 0, 3).Draw(rt, "by number"),
			Bytes:    []byte(rapid.String().Draw(rt, "bytes")),
		}
		if rapid.Bool().Draw(rt, "has a group") {
			g := group.Draw(rt, "group")
			n.Group = &g
		}
		return n
	})
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.SliceOfN(row, 1, 70).Draw(rt, "rows")
		var content bytes.Buffer
		w := parquet.NewGenericWriter[nested](&content, parquet.MaxRowsPerRowGroup(20))
		if _, err := w.Write(want); err != nil {
			rt.Fatal(err)
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		in, err := rollout.Open(rollout.Stdin, &content)
		if err != nil {
			rt.Fatal(err)
		}
		defer in.Close()
		n := 0
		err = in.Rows(func(r rollout.Row) error {
			var got map[string]any
			if r.Err != nil {
				rt.Fatal(r.Err)
			}
			if err := json.Unmarshal(r.JSON, &got); err != nil {
				rt.Fatalf("%v in %s", err, r.JSON)
			}
			if diff := cmp.Diff(want[n].json(t), any(got)); diff != "" {
				rt.Fatalf("row %d: %s\n%s", n, r.JSON, diff)
			}
			n++
			return nil
		})
		if err != nil || n != len(want) {
			rt.Fatalf("%d rows of %d, %v", n, len(want), err)
		}
	})
}

// TestDamagedParquetAsJSON flips and cuts bytes all over files of several writers: every reading ends in rows that are
// JSON, or in an error with its place.
func TestDamagedParquetAsJSON(t *testing.T) {
	for _, writer := range []string{"pyarrow", "pyarrow-old", "duckdb", "map"} {
		content, err := os.ReadFile("testdata/logs/" + writer + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		for at := 4; at < len(content); at += 13 {
			flipped := bytes.Clone(content)
			flipped[at] ^= byte(1 + at%255)
			for _, damaged := range [][]byte{flipped, content[:at]} {
				readDamaged(t, fmt.Sprintf("%s at %d", writer, at), damaged)
			}
		}
	}
}

// TestParquetWithLZ4IsRefused: the codec that never ends on damaged bytes is refused, not tried.
func TestParquetWithLZ4IsRefused(t *testing.T) {
	var content bytes.Buffer
	w := parquet.NewGenericWriter[inner](&content, parquet.Compression(&parquet.Lz4Raw))
	if _, err := w.Write(make([]inner, 3)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := rows(t, rollout.Stdin, &content); err == nil || !strings.Contains(err.Error(), "compressed with LZ4_RAW, which is not read") {
		t.Errorf("%v", err)
	}
}

// TestParquetBombIsNotBelieved: a page that says it expands a million times is not believed.
func TestParquetBombIsNotBelieved(t *testing.T) {
	var content bytes.Buffer
	w := parquet.NewGenericWriter[inner](&content, parquet.Compression(&parquet.Zstd))
	if _, err := w.Write([]inner{{B: []string{strings.Repeat("x", 20<<20)}}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := rows(t, rollout.Stdin, &content); err == nil || !strings.Contains(err.Error(), "a page has an impossible size") {
		t.Errorf("%v", err)
	}
}

func readDamaged(t *testing.T, name string, content []byte) {
	t.Helper()
	in, err := rollout.Open(rollout.Stdin, bytes.NewReader(content))
	if err != nil {
		return
	}
	defer in.Close()
	err = in.Rows(func(r rollout.Row) error {
		if r.Err == nil && !json.Valid(r.JSON) {
			t.Errorf("%s: no JSON: %s", name, r.JSON)
		}
		return nil
	})
	if err != nil && !strings.HasPrefix(err.Error(), "-:") {
		t.Errorf("%s: %v", name, err)
	}
}

package rollout

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestFieldParquetGo332: lists are in the form of three levels that every reader takes, and a record with no messages and
// tools comes back as one, beside others that have some. The files that trainers load are read by independent readers in
// python/tests_sft.
func TestFieldParquetGo332(t *testing.T) {
	var file bytes.Buffer
	w := NewParquetWriter(&file)
	records := []*Record{{ScenarioID: "a", Messages: []Message{}}, {ScenarioID: "b"}, {
		ScenarioID: "c", Messages: []Message{{Role: "user", Content: ""}, {Role: "user", Content: "x"}},
		Tools: []json.RawMessage{json.RawMessage(`{}`)},
	}, {ScenarioID: "d"}}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var lists []string
	for _, path := range f.Schema().Columns() {
		if len(path) > 1 {
			lists = append(lists, strings.Join(path, "."))
		}
	}
	if want := []string{"messages.list.element", "tools.list.element"}; !slices.Equal(lists, want) {
		t.Errorf("lists are %v, want %v", lists, want)
	}
	rows, err := parquet.Read[parquetRow](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if r := records[i]; row.ScenarioID != r.ScenarioID || len(row.Messages) != len(r.Messages) || len(row.Tools) != len(r.Tools) {
			t.Errorf("row %d has %d messages and %d tools: %+v", i, len(row.Messages), len(row.Tools), row)
		}
	}
}

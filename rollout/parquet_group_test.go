package rollout

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/privgym/privgym/reward"
)

// TestParquetRowGroups end by rows, and by bytes where trajectories are long, and no row is lost between them.
func TestParquetRowGroups(t *testing.T) {
	var content bytes.Buffer
	w := NewParquetWriter(&content)
	write := func(rows int) {
		t.Helper()
		for range rows {
			if err := w.Write(&Record{ScenarioID: "a/1.1", Trace: &reward.Trace{}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(3)
	w.rows = rowGroupRows - 1
	write(3)
	w.bytes = rowGroupBytes - 1
	write(2)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(content.Bytes()), int64(content.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var rows []int64
	for _, group := range f.RowGroups() {
		rows = append(rows, group.NumRows())
	}
	if diff := cmp.Diff([]int64{4, 3, 1}, rows); diff != "" {
		t.Error(diff)
	}
}

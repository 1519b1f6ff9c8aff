package sft

import (
	"io"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestWriterHoldsLittle: a file is written with buffers of its pages, and not with a history of many times their size.
func TestWriterHoldsLittle(t *testing.T) {
	rows := rowsOf(t, batchRows)
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // or pools let go of what they hold
	before := heapBytes()
	w := newWriter[columns](io.Discard, schemaOf(columns{}, "messages", "tools"), trajectoriesArrow)
	for range 2 * rowGroupRows / batchRows {
		for _, r := range rows {
			if err := w.write(r.columns()); err != nil {
				t.Fatal(err)
			}
		}
	}
	held := heapBytes() - before
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	if held > 18<<20 {
		t.Errorf("a writer holds %d bytes", held)
	}
	runtime.KeepAlive(rows)
}

// heapBytes is what is reachable or in a pool: pools let go at the second collection.
func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

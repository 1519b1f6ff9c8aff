package rollout_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/privgym/privgym/rollout"
)

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t testing.TB, text string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll([]byte(text), nil)
}

func file(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// rows reads an input to its end, and writes each row as "line:text", or "line!error".
func rows(t testing.TB, name string, stdin io.Reader) (got []string, err error) {
	t.Helper()
	in, err := rollout.Open(name, stdin)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}()
	err = in.Rows(func(r rollout.Row) error {
		if r.Err != nil {
			got = append(got, fmt.Sprintf("%d!%v", r.Line, r.Err))
		} else {
			got = append(got, fmt.Sprintf("%d:%s", r.Line, bytes.TrimSpace(r.JSON)))
		}
		return nil
	})
	return got, err
}

// TestOpenGoesByContent: names say nothing, and a pipe is read as a file is.
func TestOpenGoesByContent(t *testing.T) {
	text := "\xef\xbb\xbf{\"a\": 1}\r\n\n  \n{\"b\": 2}"
	want := []string{`1:{"a": 1}`, `4:{"b": 2}`}
	for name, content := range map[string][]byte{
		"plain.gz":   []byte(text),
		"gzip.jsonl": gzipped(t, text),
		"zstd":       zstandard(t, text),
		"members.gz": append(gzipped(t, text[:10]), gzipped(t, text[10:])...),
	} {
		for _, stdin := range []bool{false, true} {
			path, in := file(t, name, content), io.Reader(nil)
			if stdin {
				path, in = rollout.Stdin, iotestReader{bytes.NewReader(content)}
			}
			got, err := rows(t, path, in)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s, stdin %v: %v %s", name, stdin, err, diff)
			}
		}
	}
	for _, content := range [][]byte{nil, []byte("\n\n"), gzipped(t, ""), zstandard(t, "")} {
		if got, err := rows(t, file(t, "empty", content), nil); len(got) > 0 || err != nil {
			t.Errorf("%q: %v, %v", content, got, err)
		}
	}
}

// iotestReader gives one byte at a time, as a slow pipe does.
type iotestReader struct{ r io.Reader }

func (r iotestReader) Read(p []byte) (int, error) { return r.r.Read(p[:min(1, len(p))]) }

// TestParquetIsReadFromAnywhere: from a file, and compressed or through a pipe by way of a temporary file, which is gone
// in the end.
func TestParquetIsReadFromAnywhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	content := parquetOf(t, []*rollout.Record{record(t), record(t)})
	want, err := rows(t, file(t, "x", content), nil)
	if err != nil || len(want) != 2 || !strings.HasPrefix(want[1], `2:{"id":"`) {
		t.Fatalf("%v, %d rows: %.60s", err, len(want), want)
	}
	for name, read := range map[string]func() ([]string, error){
		"gzip": func() ([]string, error) { return rows(t, file(t, "x.gz", gzipped(t, string(content))), nil) },
		"zstd": func() ([]string, error) { return rows(t, file(t, "x", zstandard(t, string(content))), nil) },
		"pipe": func() ([]string, error) { return rows(t, rollout.Stdin, bytes.NewReader(content)) },
	} {
		got, err := read()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestRowsBeforeTheDamageAreRead: a file that is cut or made to burst ends with an error that says where.
func TestRowsBeforeTheDamageAreRead(t *testing.T) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "{\"n\": %d, \"square\": %d}\n", i, i*i)
	}
	zip, zst := gzipped(t, text.String()), zstandard(t, text.String())
	flipped := bytes.Clone(zip)
	flipped[len(flipped)/2] ^= 0xff
	for name, content := range map[string][]byte{
		"cut.gz": zip[:len(zip)/2], "cut.zst": zst[:len(zst)*3/4], "flipped.gz": flipped, "junk.gz": append(bytes.Clone(zip), "junk"...),
	} {
		got, err := rows(t, file(t, name, content), nil)
		place := new(rollout.RowError)
		if !errors.As(err, &place) || place.Line < len(got) || !strings.Contains(err.Error(), "cannot be read on") {
			t.Errorf("%s: %d rows, %v", name, len(got), err)
		}
		if len(got) < 1000 {
			t.Errorf("%s: only %d rows before the damage", name, len(got))
		}
	}
	if _, err := rows(t, file(t, "head.gz", zip[:6]), nil); err == nil {
		t.Error("a file of half a header is read")
	}
}

// TestGzipBombIsGivenUp: a file that expands without end is given up after bounded work and memory.
func TestGzipBombIsGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("it expands 100 MB")
	}
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	got, err := rows(t, file(t, "bomb.zst", b.Bytes()), nil)
	if err == nil || !strings.Contains(err.Error(), "expands to more than 1000 times its size") {
		t.Errorf("%d rows, %v", len(got), err)
	}
}

func TestLongLinesAreGivenUp(t *testing.T) {
	long := strings.Repeat("x", rollout.MaxLine)
	got, err := rows(t, file(t, "x", []byte("1\n"+long+"y\n3\n"+long)), nil)
	if err != nil || len(got) != 4 || got[1] != "2!"+rollout.ErrLineTooLong.Error() || got[2] != "3:3" || len(got[3]) != len(long)+2 {
		t.Errorf("%v, %d rows", err, len(got))
	}
}

func TestRowsStopsWhereTheCallerDoes(t *testing.T) {
	stop := errors.New("stop")
	for _, content := range [][]byte{[]byte("1\n2\n"), parquetOf(t, []*rollout.Record{record(t), record(t)})} {
		in, err := rollout.Open(file(t, "x", content), nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := in.Rows(func(rollout.Row) error { n++; return stop }); !errors.Is(err, stop) || n != 1 {
			t.Errorf("%d rows, %v", n, err)
		}
		if in.Read() == 0 {
			t.Error("no byte was read")
		}
		in.Close()
	}
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a.jsonl", "b.jsonl", "[c].jsonl", "d.parquet"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := rollout.Expand([]string{"b.jsonl", "*.jsonl", "-", "./a.jsonl", "[c].jsonl", "d.*"})
	if diff := cmp.Diff([]string{"b.jsonl", "[c].jsonl", "a.jsonl", "-", "d.parquet"}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	for name, want := range map[string]string{
		"none.jsonl": "there is no such file", "e*": "there is no such file", dir: "is a directory: name its files", "[": "syntax error in pattern",
	} {
		if _, err := rollout.Expand([]string{"a.jsonl", name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenRefusesWhatIsNamedParquet(t *testing.T) {
	if _, err := rollout.Open(file(t, "x.parquet", []byte("{}\n")), nil); err == nil || !strings.Contains(err.Error(), "not a Parquet file") {
		t.Errorf("%v", err)
	}
}

package rollout

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Stdin is the name of standard input.
const Stdin = "-"

// Input is an open file of rows: JSONL or Parquet, plain, gzip or Zstandard. What it is shows in its first bytes; its name
// does not matter.
type Input struct {
	Name string

	lines   *bufio.Reader // nil for Parquet
	columns io.ReaderAt
	size    int64
	read    atomic.Int64 // bytes of the file
	closers []func() error
}

// Open opens a file, or stdin where the name is Stdin. An error is an *fs.PathError where the file cannot be opened;
// otherwise it says what is wrong with the content.
func Open(name string, stdin io.Reader) (*Input, error) {
	in := &Input{Name: name}
	source := stdin
	if name != Stdin {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		in.closers = append(in.closers, f.Close)
		source = f
	}
	if err := in.open(source); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), in.Close())
	}
	return in, nil
}

func (in *Input) open(source io.Reader) error {
	raw := bufio.NewReaderSize(&countingReader{source, &in.read}, readBytes)
	head, err := raw.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	in.lines = raw
	switch {
	case bytes.HasPrefix(head, parquetMagic):
		if f, ok := source.(*os.File); ok {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
				in.lines, in.columns, in.size = nil, f, info.Size()
				return nil
			}
		}
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(raw)
		if err != nil {
			return err
		}
		in.lines = bufio.NewReaderSize(&boundedReader{r: z, in: &in.read}, readBytes)
	case bytes.HasPrefix(head, zstdMagic):
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return err
		}
		in.closers = append(in.closers, func() error { z.Close(); return nil })
		in.lines = bufio.NewReaderSize(&boundedReader{r: z, in: &in.read}, readBytes)
	}
	return in.settle()
}

const (
	readBytes = 256 << 10
	// zstdWindow is the window that zstd itself reads by default.
	zstdWindow = 128 << 20
)

var (
	gzipMagic    = []byte{0x1f, 0x8b}
	zstdMagic    = []byte{0x28, 0xb5, 0x2f, 0xfd}
	parquetMagic = []byte("PAR1")
	utf8Mark     = []byte("\xef\xbb\xbf")
)

// settle looks at the plain bytes. A Parquet file has to be read at any place, so one that comes compressed or through a
// pipe goes to a temporary file.
func (in *Input) settle() error {
	head, err := in.lines.Peek(len(parquetMagic))
	switch {
	case bytes.Equal(head, parquetMagic):
		return in.spool()
	case err != nil && !errors.Is(err, io.EOF):
		return nil // Rows meets it again, and tells its place
	case strings.HasSuffix(in.Name, ".parquet"):
		return errors.New("not a Parquet file: it does not start as one")
	case bytes.HasPrefix(head, utf8Mark):
		_, _ = in.lines.Discard(len(utf8Mark)) // they were there
	}
	return nil
}

func (in *Input) spool() error {
	f, err := os.CreateTemp("", "privgym-*.parquet")
	if err != nil {
		return err
	}
	in.closers = append(in.closers, func() error { return errors.Join(f.Close(), os.Remove(f.Name())) })
	in.size, err = io.Copy(f, in.lines)
	in.lines, in.columns = nil, f
	return err
}

// Read returns how many bytes of the file have been read so far, and may be called at any time.
func (in *Input) Read() int64 { return in.read.Load() }

// Close closes the file and removes what was temporary.
func (in *Input) Close() error {
	var errs []error
	for i := len(in.closers) - 1; i >= 0; i-- {
		errs = append(errs, in.closers[i]())
	}
	in.closers = nil
	return errors.Join(errs...)
}

type countingReader struct {
	r io.Reader
	n *atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// Trajectories differ in their ids at least, and so do not shrink to a thousandth; a file that grows beyond is made to
// fill the reader.
const (
	maxExpansion    = 1000
	expansionBounds = 64 << 20
)

// boundedReader reads decompressed bytes and refuses a file that expands too much.
type boundedReader struct {
	r   io.Reader
	in  *atomic.Int64
	out int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.out > expansionBounds && b.out/maxExpansion > b.in.Load() {
		return 0, fmt.Errorf("the file expands to more than %d times its size", maxExpansion)
	}
	n, err := b.r.Read(p)
	b.out += int64(n)
	return n, err
}

// Expand returns the files that names stand for: globs are expanded, a name that exists stands for itself, and each file
// comes once. A name that matches nothing, a directory, and a file that cannot be opened are errors.
func Expand(names []string) ([]string, error) {
	var files []string
	seen := map[string]bool{}
	for _, name := range names {
		matches := []string{name}
		if _, err := os.Lstat(name); err != nil && name != Stdin {
			matches, err = filepath.Glob(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		if len(matches) == 0 {
			return nil, fmt.Errorf("%s: there is no such file", name)
		}
		for _, file := range matches {
			if seen[filepath.Clean(file)] {
				continue
			}
			seen[filepath.Clean(file)] = true
			if err := readable(file); err != nil {
				return nil, err
			}
			files = append(files, file)
		}
	}
	return files, nil
}

func readable(file string) error {
	if file == Stdin {
		return nil
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory: name its files, such as %s", file, filepath.Join(file, "*.jsonl"))
	case !info.Mode().IsRegular():
		return nil // a pipe can be opened once only
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	return f.Close()
}

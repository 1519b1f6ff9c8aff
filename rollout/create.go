package rollout

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Output is a file that appears when it is complete: until Commit it has a temporary name. It is for one goroutine.
type Output struct {
	io.Writer
	name string
	file *renameio.PendingFile
	// layers are flushed from the first to the last.
	layers []func() error
}

// Create opens an output; a name that ends in .gz or .zst is compressed. Where an error comes, or Discard before Commit,
// there is no new file, and an old one of that name stays. A name of something else, such as a device, is refused: a file
// would take its place.
func Create(name string) (*Output, error) {
	o := &Output{name: name}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, o.cannot(errors.New("it is not a regular file"))
	}
	file, err := renameio.NewPendingFile(name, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return nil, o.cannot(err)
	}
	o.file = file
	buffer := bufio.NewWriterSize(pending{o}, writeBytes)
	o.Writer, o.layers = buffer, []func() error{buffer.Flush}
	switch filepath.Ext(name) {
	case extGzip:
		z := gzip.NewWriter(buffer)
		o.Writer, o.layers = z, []func() error{z.Close, buffer.Flush}
	case extZstd:
		z, err := zstd.NewWriter(buffer, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, errors.Join(err, file.Cleanup())
		}
		o.Writer, o.layers = z, []func() error{z.Close, buffer.Flush}
	}
	return o, nil
}

const (
	writeBytes = 256 << 10
	extGzip    = ".gz"
	extZstd    = ".zst"
	extParquet = ".parquet"
)

// Commit writes what is left, syncs the file and gives it its name.
func (o *Output) Commit() error {
	if err := o.flush(); err != nil {
		return err
	}
	if err := o.file.CloseAtomicallyReplace(); err != nil {
		return o.cannot(err)
	}
	return nil
}

// CommitNew is Commit where there is no file of that name. Where there is one, that stays, and the error is fs.ErrExist: of
// all that do so at the same time, one wins. A file system without hard links cannot tell, and the last one wins there.
func (o *Output) CommitNew() error {
	if err := o.flush(); err != nil {
		return err
	}
	if err := o.file.Sync(); err != nil {
		return o.cannot(err)
	}
	switch err := os.Link(o.file.Name(), o.name); {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.EPERM): // the latter on FAT
		return o.Commit()
	case err != nil:
		return o.cannot(err)
	}
	return o.file.Cleanup()
}

func (o *Output) flush() error {
	for _, flush := range o.layers {
		if err := flush(); err != nil {
			return errors.Join(err, o.file.Cleanup())
		}
	}
	return nil
}

// cannot names the file of which a temporary one could not be made, written or renamed.
func (o *Output) cannot(err error) error {
	if temporary := (*fs.PathError)(nil); errors.As(err, &temporary) {
		err = temporary.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		err = link.Err
	}
	return fmt.Errorf("cannot write %s: %w", o.name, err)
}

// pending is the temporary file of an output.
type pending struct{ *Output }

func (p pending) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	if err != nil {
		err = p.cannot(err)
	}
	return n, err
}

// Discard removes the temporary file; after Commit it does nothing.
func (o *Output) Discard() { o.file.Cleanup() }

// RecordFile is an output of records: Parquet where the name says so, JSONL otherwise. It is for one goroutine.
type RecordFile struct {
	*Output
	// Columns is nil for JSONL, whose lines are written to the file itself.
	Columns *ParquetWriter
}

// CreateRecords opens an output of records by its name, which ends in .jsonl or .parquet, and in .gz or .zst after that
// where the file is to be compressed.
func CreateRecords(name string) (*RecordFile, error) {
	if err := CheckRecordsName(name); err != nil {
		return nil, err
	}
	out, err := Create(name)
	if err != nil {
		return nil, err
	}
	f := &RecordFile{Output: out}
	if extensionOf(name) == extParquet {
		f.Columns = NewParquetWriter(out)
	}
	return f, nil
}

// CheckRecordsName says whether CreateRecords knows what kind of file a name means.
func CheckRecordsName(name string) error {
	switch extensionOf(name) {
	case extParquet, ".jsonl", ".ndjson":
		return nil
	}
	return fmt.Errorf("%s: a file of records ends in .jsonl or .parquet, and may have .gz or .zst after that", name)
}

// extensionOf is the extension of a name without that of its compression.
func extensionOf(name string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(name, extGzip), extZstd)
	return filepath.Ext(base)
}

// WriteRecord adds a record.
func (f *RecordFile) WriteRecord(r *Record) error {
	if f.Columns != nil {
		return f.Columns.Write(r)
	}
	return WriteJSONL(f, r)
}

// Commit ends the file and gives it its name.
func (f *RecordFile) Commit() error {
	if f.Columns != nil {
		if err := f.Columns.Close(); err != nil {
			f.Discard()
			return err
		}
	}
	return f.Output.Commit()
}

package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/privgym/privgym/rollout"
)

// rowsFile is a JSONL file with a row for each job that is done. While the run goes on it is appended to, in the order in
// which jobs end; settle puts the rows into the order of the jobs.
type rowsFile struct {
	name     string
	file     *os.File
	rows     map[int]span // by the index of the job
	end      int64
	unsynced int
}

// span is where a row lies in the file, its line feed included.
type span struct{ start, length int64 }

// syncEvery is how many rows a power cut can take; a kill takes none.
const syncEvery = 16

// openRows opens or creates a file and tells which jobs it has rows of: job returns the index of a row's job, or an error
// for a row that is none. Such rows are told and dropped, and so is a last row without its line feed, which a kill leaves.
func openRows(name string, job func(row []byte) (int, error), notice func(string)) (*rowsFile, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	f := &rowsFile{name: name, file: file, rows: map[int]span{}}
	if err := f.scan(job, notice); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

func (f *rowsFile) scan(job func([]byte) (int, error), notice func(string)) error {
	in := bufio.NewReaderSize(f.file, 1<<16)
	for n := 1; ; n++ {
		row, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(row) == 0 {
				return nil
			}
			notice(fmt.Sprintf("%s:%d: the last line was cut; its episode is played again", f.name, n))
			return f.file.Truncate(f.end)
		}
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", f.name, err)
		}
		index, bad := job(bytes.TrimSuffix(row, []byte("\n")))
		if stray := (*strayError)(nil); errors.As(bad, &stray) {
			return fmt.Errorf("%s:%d: %w", f.name, n, bad)
		}
		if bad != nil {
			notice(fmt.Sprintf("%s:%d: %v; its episode is played again", f.name, n, bad))
		} else if _, twice := f.rows[index]; !twice {
			f.rows[index] = span{f.end, int64(len(row))}
		}
		f.end += int64(len(row))
	}
}

// strayError says that a row is sound, but of no episode of the run.
type strayError struct{ key jobKey }

func (e *strayError) Error() string {
	return fmt.Sprintf("scenario %s with seed %d is no episode of this run", e.key.scenario, e.key.seed)
}

// append adds the row of a job, which ends in a line feed.
func (f *rowsFile) append(index int, row []byte) error {
	if _, err := f.file.WriteAt(row, f.end); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.name, err)
	}
	f.rows[index] = span{f.end, int64(len(row))}
	f.end += int64(len(row))
	if f.unsynced++; f.unsynced < syncEvery {
		return nil
	}
	return f.sync()
}

func (f *rowsFile) sync() error {
	f.unsynced = 0
	if err := f.file.Sync(); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.name, err)
	}
	return nil
}

// settle replaces the file by one with the rows in the order of the jobs, and without what was dropped. The file is closed
// after that.
func (f *rowsFile) settle() error {
	indices := make([]int, 0, len(f.rows))
	for i := range f.rows {
		indices = append(indices, i)
	}
	slices.Sort(indices)
	if f.inOrder(indices) {
		return errors.Join(f.sync(), f.close())
	}
	out, err := rollout.Create(f.name)
	if err != nil {
		return err
	}
	defer out.Discard()
	for _, i := range indices {
		s := f.rows[i]
		if _, err := io.Copy(out, io.NewSectionReader(f.file, s.start, s.length)); err != nil {
			return err
		}
	}
	if err := out.Commit(); err != nil {
		return err
	}
	return f.close()
}

func (f *rowsFile) inOrder(indices []int) bool {
	end := int64(0)
	for _, i := range indices {
		if f.rows[i].start != end {
			return false
		}
		end += f.rows[i].length
	}
	return end == f.end
}

// close closes the file. Closing twice is harmless.
func (f *rowsFile) close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

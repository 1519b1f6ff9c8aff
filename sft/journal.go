package sft

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
)

// settings are all that determines the rows of a model's dataset. A run is resumed under the same settings only.
type settings struct {
	Version      string  `json:"version"`
	CorpusDigest string  `json:"corpus_digest"`
	Split        string  `json:"split"`
	Rows         int     `json:"rows"`
	Seed         int64   `json:"seed"`
	RowsPerFile  int     `json:"rows_per_file"`
	Shard        string  `json:"shard"`
	Model        string  `json:"model"`
	Tries        int     `json:"tries"`
	Temperature  float64 `json:"temperature"`
	MaxTokens    int     `json:"max_tokens"`
}

// ErrOtherSettings says that the folder holds a run with other settings.
var ErrOtherSettings = errors.New("the folder holds a run with other settings")

// entry is a line of the journal: a row that was made, or one that every try failed. A SHA-256 of it ends the line; see
// seal.
type entry struct {
	Index      int            `json:"index"`
	Row        *Row           `json:"row,omitempty"`
	Rejections map[string]int `json:"rejections,omitempty"`
	Refused    string         `json:"refused,omitempty"`
}

const (
	journalName  = "journal.jsonl"
	settingsName = "settings.json"
	// FailuresName is the side file of rows that the endpoint's failures kept from being made; a further run makes them.
	FailuresName = "failures.jsonl"
)

// journal keeps what a slow teacher has made, so that a run that was killed goes on where it stopped. A line counts when
// it is complete; each is on disk before the next row of its worker begins. One process at a time holds it.
type journal struct {
	mu     sync.Mutex
	file   *os.File
	offset int64
	// at holds where the entry of a row stands.
	at map[int]span
}

type span struct{ from, to int64 }

// openJournal opens the journal of dir and holds it to its settings. notice is told of damaged lines.
func openJournal(dir string, s settings, notice func(string)) (*journal, error) {
	f, err := os.OpenFile(filepath.Join(dir, journalName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, at: map[int]span{}}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("another process is writing to %s; wait for it, or take another folder", dir)
	}
	if err == nil {
		err = j.holdTo(dir, s)
	}
	if err == nil {
		err = j.recover(notice)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// holdTo compares the settings of the journal, or writes them where it is a new one; the lock keeps others from the same.
func (j *journal) holdTo(dir string, s settings) error {
	path := filepath.Join(dir, settingsName)
	old, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		info, err := j.file.Stat()
		if err == nil && info.Size() > 0 {
			err = fmt.Errorf("%w: %s has rows, but there is no %s; take another folder", ErrOtherSettings, j.file.Name(), settingsName)
		}
		if err != nil {
			return err
		}
		return writeJSON(dir, settingsName, s)
	}
	if err != nil {
		return err
	}
	var was settings
	if err := decodeStrictly(old, &was); err != nil {
		return fmt.Errorf("%w: %s: %w; take another folder", ErrOtherSettings, path, err)
	}
	if diff := was.differences(s); diff != "" {
		return fmt.Errorf("%w: %s; give the same settings, or another folder", ErrOtherSettings, diff)
	}
	return nil
}

// decodeStrictly refuses what this program would not have written: unknown members, and anything behind the object.
func decodeStrictly(text []byte, s *settings) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(s); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something behind the object")
	}
	return nil
}

// differences lists the fields that differ as "field was, now …".
func (s settings) differences(now settings) string {
	var out []string
	a, b := reflect.ValueOf(s), reflect.ValueOf(now)
	for i := range a.NumField() {
		if x, y := a.Field(i).Interface(), b.Field(i).Interface(); x != y {
			out = append(out, fmt.Sprintf("%s was %v, now %v", a.Type().Field(i).Tag.Get("json"), x, y))
		}
	}
	return strings.Join(out, ", ")
}

// recover indexes the sound lines and cuts off a torn one.
func (j *journal) recover(notice func(string)) error {
	in := bufio.NewReader(j.file)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("cannot read %s: %w", j.file.Name(), err)
		}
		if err != nil && len(line) == 0 {
			return nil
		}
		if err != nil {
			notice(fmt.Sprintf("%s:%d: the last line was cut; its row is made again", j.file.Name(), n))
			return j.file.Truncate(j.offset)
		}
		if e, err := decodeEntry(line); err != nil {
			notice(fmt.Sprintf("%s:%d: %v; a row that no other line holds is made again", j.file.Name(), n, err))
		} else {
			j.at[e.Index] = span{j.offset, j.offset + int64(len(line))}
		}
		j.offset += int64(len(line))
	}
}

// seal ends an object, which comes without its brace, with a last member: the SHA-256 of what stands before that.
func seal(object []byte) []byte {
	return fmt.Appendf(object, `,"sha256":"%x"}`, sha256.Sum256(object))
}

// sealBytes is the length of what seal adds.
const sealBytes = len(`,"sha256":""}`) + 2*sha256.Size

var errDamaged = errors.New("the line is damaged: it does not have the checksum of its content")

// decodeEntry reads a line. Sound is what add wrote, byte for byte.
func decodeEntry(line []byte) (entry, error) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	end := len(line) - sealBytes
	if end < 0 || !bytes.Equal(line, seal(bytes.Clone(line[:end]))) {
		return entry{}, errDamaged
	}
	var e entry
	err := json.Unmarshal(line, &e)
	return e, err
}

func (j *journal) has(index int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, ok := j.at[index]
	return ok
}

// add writes an entry and waits until it is on disk.
func (j *journal) add(e entry) error {
	text, err := encodeJSON(e)
	if err != nil {
		return err
	}
	line := append(seal([]byte(strings.TrimSuffix(text, "}"))), '\n')
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.WriteAt(line, j.offset); err != nil {
		return err
	}
	j.at[e.Index] = span{j.offset, j.offset + int64(len(line))}
	j.offset += int64(len(line))
	return j.file.Sync()
}

// get reads the entry of a row.
func (j *journal) get(index int) (entry, bool, error) {
	j.mu.Lock()
	s, ok := j.at[index]
	j.mu.Unlock()
	if !ok {
		return entry{}, false, nil
	}
	line := make([]byte, s.to-s.from)
	if _, err := j.file.ReadAt(line, s.from); err != nil {
		return entry{}, false, err
	}
	e, err := decodeEntry(line)
	return e, err == nil, err
}

func (j *journal) close() error { return j.file.Close() }

package eval

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/privgym/privgym/rollout"
)

// The files of a run directory, beside manifest.json. Those of a shard have names like trajectories-00000-of-00004.jsonl,
// so that all shards can share a directory; a run in one piece is shard 0 of 1. docs/evaluation.md describes them.
const (
	trajectoriesStem = "trajectories"
	failuresStem     = "failures"
	logStem          = "log"
	rowsExtension    = ".jsonl"
	summaryName      = "summary.json"
)

// directory is what a shard keeps of its run: records of episodes that are done, failures of those that the endpoint ended.
// One process at a time holds it.
type directory struct {
	path         string
	log          *os.File // holds the lock
	trajectories *rowsFile
	failures     *rowsFile
	// scored and tokens are over the records; hits of OPUR among them.
	scored, hits, tokens int
}

// openDirectory opens or creates the directory for a shard, and reads which jobs are done.
func openDirectory(cfg *Config, m Manifest, jobs []job) (*directory, error) {
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, err
	}
	if err := m.claim(cfg.Dir); err != nil {
		return nil, err
	}
	name := func(stem string) string {
		return filepath.Join(cfg.Dir, shardFile(stem, cfg.Shard, m.Shards, rowsExtension))
	}
	d := &directory{path: cfg.Dir}
	var err error
	if d.log, err = lockedLog(name(logStem)); err != nil {
		return nil, err
	}
	indices := make(map[jobKey]int, len(jobs))
	for _, j := range jobs {
		indices[j.key()] = j.index
	}
	games := rollout.NewGames(cfg.Corpus)
	d.trajectories, err = openRows(name(trajectoriesStem), func(row []byte) (int, error) {
		rec, index, err := readRow(row, indices)
		if err == nil {
			err = cfg.sound(games, row, rec, recordRow)
		}
		if err == nil {
			d.count(rec)
		}
		return index, err
	}, cfg.Notice)
	if err == nil {
		d.failures, err = openRows(name(failuresStem), func(row []byte) (int, error) {
			rec, index, err := readRow(row, indices)
			if err == nil {
				err = cfg.sound(games, row, rec, func(again *rollout.Record) ([]byte, error) {
					return failureAgain(row, again, cfg.Settings.Seed)
				})
			}
			return index, err
		}, cfg.Notice)
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	for index := range d.trajectories.rows {
		delete(d.failures.rows, index)
	}
	return d, nil
}

// lockedLog opens the log for appending and keeps other processes out until it is closed, be it by the end of this one.
func lockedLog(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("another evaluation is writing to %s; wait for it, or take another directory", filepath.Dir(name))
	}
	return nil, errors.Join(err, f.Close())
}

// readRow reads a record and finds its job.
func readRow(row []byte, indices map[jobKey]int) (*rollout.Record, int, error) {
	rec, err := rollout.Decode(row)
	if err != nil {
		return nil, 0, err
	}
	if id, err := rec.ContentID(); err != nil || id != rec.ID {
		return nil, 0, errors.Join(errors.New("the record does not have the id of its content"), err)
	}
	key := jobKey{rec.ScenarioID, rec.Seed}
	index, ours := indices[key]
	if !ours {
		return nil, 0, &strayError{key}
	}
	return rec, index, nil
}

// sound refuses a row that is not, byte for byte, what write makes of the record of its turns: one with damage that its id
// does not show.
func (c *Config) sound(games *rollout.Games, row []byte, rec *rollout.Record, write func(*rollout.Record) ([]byte, error)) error {
	g, err := games.Get(rec.ScenarioID)
	if err != nil {
		return err
	}
	again, err := rollout.Again(g, rec, c.source())
	if err != nil {
		return err
	}
	want, err := write(again)
	if err == nil && !bytes.Equal(row, bytes.TrimSuffix(want, []byte("\n"))) {
		err = errors.New("the record is not what its turns come to")
	}
	return err
}

func (d *directory) count(rec *rollout.Record) {
	d.scored++
	if rec.Outcome.OPUR {
		d.hits++
	}
	d.tokens += max(rec.Outcome.Tokens, 0)
}

// done reports whether the job has a record or a failure.
func (d *directory) done(index int) bool {
	_, played := d.trajectories.rows[index]
	_, failed := d.failures.rows[index]
	return played || failed
}

func (d *directory) doneJobs() int { return len(d.trajectories.rows) + len(d.failures.rows) }

// forgetFailures makes the failed jobs undone.
func (d *directory) forgetFailures() error {
	clear(d.failures.rows)
	d.failures.end = 0
	return d.failures.file.Truncate(0)
}

func (d *directory) record(index int, rec *rollout.Record) error {
	row, err := recordRow(rec)
	if err != nil {
		return err
	}
	d.count(rec)
	return d.trajectories.append(index, row)
}

func (d *directory) fail(index int, f *Failure) error {
	row, err := f.row()
	if err != nil {
		return err
	}
	return d.failures.append(index, row)
}

// settle puts the files of the shard into their final form.
func (d *directory) settle() error {
	return errors.Join(d.trajectories.settle(), d.failures.settle())
}

// close syncs and closes what is open, and gives the lock back. There is no file of failures where there are none.
func (d *directory) close() error {
	var errs []error
	for _, f := range []*rowsFile{d.trajectories, d.failures} {
		if f != nil && f.file != nil {
			errs = append(errs, f.sync(), f.close())
		}
	}
	if d.failures != nil && len(d.failures.rows) == 0 {
		errs = append(errs, os.Remove(d.failures.name))
	}
	return errors.Join(append(errs, d.log.Close())...)
}

// put writes a file completely or not at all; commit is a method of the output.
func put(name string, text []byte, commit func(*rollout.Output) error) error {
	out, err := rollout.Create(name)
	if err != nil {
		return err
	}
	defer out.Discard()
	if _, err := out.Write(text); err != nil {
		return err
	}
	return commit(out)
}

package score

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/importlog"
)

// Config says how to score.
type Config struct {
	// Corpus is what calls are played on.
	Corpus *corpus.Corpus
	// Version of the program, for records that are made by playing.
	Version string
	// Presets to score with, at least one; the first is the reward column of Parquet.
	Presets []reward.Preset
	// Replay plays the calls of records again too, and compares. Chat logs are always played.
	Replay bool
	// Defaults for chat logs that do not say how they were played.
	Defaults importlog.Defaults
	// Stdin is what the input "-" reads.
	Stdin io.Reader
	// Progress is told, from time to time, how many rows have been scored and how many bytes of the inputs read.
	Progress func(rows int, bytes int64)
}

// The names of side files are that of the output with these behind it.
const (
	BadSuffix        = ".bad.jsonl"
	DifferenceSuffix = ".replay.jsonl"
)

// Files scores the rows of the inputs, which rollout.Expand returned, and writes them to out as records, in their order:
// see rollout.CreateRecords for its name. Rows that cannot be scored go to out + BadSuffix, disagreements of recorded and
// replayed turns to out + DifferenceSuffix; a side file that would be empty is removed. All files appear when they are
// complete. An error means that nothing was written: ctx ended, an input went away, or an output cannot be written.
func Files(ctx context.Context, cfg Config, inputs []string, out string) (*Summary, error) {
	records, err := rollout.CreateRecords(out)
	if err != nil {
		return nil, err
	}
	defer records.Discard()
	w := &writer{
		cfg:         &cfg,
		records:     records,
		bad:         sideFile{name: out + BadSuffix},
		differences: sideFile{name: out + DifferenceSuffix},
		summary:     newSummary(out, cfg.Presets),
	}
	defer w.bad.discard()
	defer w.differences.discard()
	s := &scorer{Config: &cfg, games: rollout.NewGames(cfg.Corpus), columns: records.Columns != nil}
	if err := run(ctx, s, inputs, w.write); err != nil {
		return nil, err
	}
	if err := errors.Join(records.Commit(), w.bad.commit(), w.differences.commit()); err != nil {
		return nil, err
	}
	return w.finish(), nil
}

// sideFile is a JSONL file that is made when something is to be written.
type sideFile struct {
	name string
	out  *rollout.Output
}

func (f *sideFile) write(v any) error {
	if f.out == nil {
		out, err := rollout.Create(f.name)
		if err != nil {
			return err
		}
		f.out = out
	}
	return encode(f.out, v)
}

// commit gives the file its name, or removes that of an earlier run.
func (f *sideFile) commit() error {
	if f.out != nil {
		return f.out.Commit()
	}
	if err := os.Remove(f.name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (f *sideFile) discard() {
	if f.out != nil {
		f.out.Discard()
	}
}

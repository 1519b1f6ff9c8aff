package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/llm"
)

// Config of a run.
type Config struct {
	// Dir is the run directory; it is created where it is not there.
	Dir    string
	Corpus *corpus.Corpus
	// Settings but for those that follow from the others: CorpusDigest, and Model, which is that of the endpoint.
	Settings Settings
	// Shard that is played, counted from 0.
	Shard    int
	Endpoint llm.Config
	// RetryFailed plays episodes again that the endpoint ended.
	RetryFailed bool
	// Progress is told how far the run is, at the start and after each episode; Notice is told what a person should know.
	// Neither is called while the other, or another call of it, is under way.
	Progress func(Progress)
	Notice   func(string)
}

// source is what the records of the run say of where they come from.
func (c *Config) source() rollout.Source {
	return rollout.Source{CorpusDigest: c.Settings.CorpusDigest, Version: c.Settings.Version, Model: c.Settings.Model}
}

// Progress of a shard.
type Progress struct {
	// Total is the number of episodes, Done that of those played, Before that of those played before this start; all with
	// Failed, which the endpoint ended.
	Total, Done, Before, Failed int
	// Hits of OPUR among the Scored episodes, and the Tokens of the model in them as far as they are known.
	Scored, Hits, Tokens int
}

// Interrupted says that a run ended early because its context did. What was played is kept.
type Interrupted struct{ Done, Total int }

func (e *Interrupted) Error() string {
	return fmt.Sprintf("interrupted: %d of %d episodes are kept; the same command goes on from there", e.Done, e.Total)
}

// Play plays what of a run is left to play, keeps it in the run directory, and returns the summary of all that is there.
// A run that was ended in whatever way and then went on to its end leaves the files of one that was not, apart from the
// log, provided that the endpoint answers the same.
//
// Errors are *SettingsError, *llm.Stopped, *Interrupted, of the file system, or say which scenario cannot be played.
func Play(ctx context.Context, cfg Config) (*Summary, error) {
	ids := cfg.Corpus.IDs(cfg.Settings.Split)
	if len(ids) == 0 {
		return nil, fmt.Errorf("split %q has no scenarios", cfg.Settings.Split)
	}
	cfg.Settings.CorpusDigest, cfg.Settings.Model = cfg.Corpus.Digest(), cfg.Endpoint.Model
	jobs := cfg.Settings.jobs(ids)
	m := Manifest{Settings: cfg.Settings, Episodes: len(jobs)}
	jobs = shardOf(jobs, cfg.Shard, m.Shards)
	dir, err := openDirectory(&cfg, m, jobs)
	if err != nil {
		return nil, err
	}
	if cfg.RetryFailed {
		if err := dir.forgetFailures(); err != nil {
			return nil, errors.Join(err, dir.close())
		}
	}
	c := &collector{Config: cfg, dir: dir, log: newRunLog(dir.log), total: len(jobs)}
	err = c.playAll(ctx, jobs)
	if err == nil {
		err = dir.settle()
	}
	c.log.ended(err)
	if err := errors.Join(err, dir.close()); err != nil {
		return nil, err
	}
	return summarize(cfg.Dir, m)
}

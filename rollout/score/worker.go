package score

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/importlog"
)

// result of one row.
type result struct {
	// err says why the row is bad; all else is then empty.
	err error

	scenario, family string
	outcome          reward.Outcome
	rewards          []reward.Reward
	unscorable       bool
	// group is the same for rows of one scenario, options and seed; it is set where presets are compared.
	group groupKey
	seed  int64
	// played says that the calls were played again, which differed from what was recorded here. A log whose first messages
	// are not those of the scenario has otherPrompt.
	played      bool
	differences []rollout.TurnDifference
	otherPrompt bool
	// columns is the row for Parquet; for JSONL it is in batch.out.
	columns *rollout.ParquetRow
}

type groupKey [sha256.Size]byte

// scorer scores rows; it is shared by the workers.
type scorer struct {
	*Config
	games *rollout.Games
	// columns says that the output is Parquet.
	columns bool
}

func (s *scorer) batch(b *batch) {
	for i := range b.items {
		it := &b.items[i]
		if it.err == nil {
			before := len(b.out)
			it.result, it.err = s.row(b, b.row(it))
			if it.err != nil {
				b.out = b.out[:before]
			}
		}
	}
}

// row scores a record by its trace, and plays what has none.
func (s *scorer) row(b *batch, text []byte) (result, error) {
	raw, err := rollout.DecodeRaw(text)
	switch {
	case errors.Is(err, rollout.ErrNoTrace):
		log, err := importlog.Decode(text, s.Defaults)
		if err != nil {
			return result{}, err
		}
		return s.play(b, log)
	case err != nil:
		return result{}, err
	case s.Replay:
		rec, err := raw.Record()
		if err != nil {
			return result{}, err
		}
		return s.play(b, rec)
	}
	raw.Score(s.Presets)
	r := result{
		scenario: raw.ScenarioID, family: raw.Family, seed: raw.Seed, outcome: raw.Outcome, rewards: raw.Rewards,
		unscorable: raw.Error != "", group: s.group(raw.ScenarioID, raw.Seed, &raw.Options),
	}
	return r, s.writeRaw(b, raw, &r)
}

func (s *scorer) writeRaw(b *batch, raw *rollout.Raw, r *result) (err error) {
	if s.columns {
		row, err := raw.ParquetRow()
		r.columns = &row
		return err
	}
	before := len(b.out)
	b.out, err = raw.AppendJSONL(b.out)
	return errors.Join(err, checkLine(len(b.out)-before))
}

// play plays the calls of a record or log again.
func (s *scorer) play(b *batch, old *rollout.Record) (result, error) {
	g, err := s.games.Get(old.ScenarioID)
	if err != nil {
		return result{}, err
	}
	src := rollout.Source{
		CorpusDigest: s.Corpus.Digest(), Version: s.Version, Policy: old.Policy, Model: old.Model, Presets: s.Presets,
	}
	rec, err := rollout.Again(g, old, src)
	if errors.Is(err, episode.ErrOver) {
		return result{}, fmt.Errorf("%w: %s", err, afterTheEnd(old))
	}
	if err != nil {
		return result{}, err
	}
	if err := rec.Trace.Validate(); err != nil {
		return result{}, fmt.Errorf("what was played cannot be scored: %w", err)
	}
	r := result{
		scenario: rec.ScenarioID, family: rec.Family, seed: rec.Seed, outcome: rec.Outcome, rewards: rec.Rewards,
		unscorable: rec.Error != "", group: s.group(rec.ScenarioID, rec.Seed, &rec.Options),
		played: true, differences: rollout.TurnDifferences(old, rec),
	}
	if old.Trace == nil { // people write prompts of their own
		n := len(r.differences)
		r.differences = slices.DeleteFunc(r.differences, func(d rollout.TurnDifference) bool { return d.Turn == 0 })
		r.otherPrompt = len(r.differences) < n
	}
	return r, s.writeRecord(b, rec, &r)
}

func (s *scorer) writeRecord(b *batch, rec *rollout.Record, r *result) error {
	if s.columns {
		row, err := rollout.NewParquetRow(rec)
		r.columns = &row
		return err
	}
	before := len(b.out)
	err := rollout.WriteJSONL((*appender)(&b.out), rec)
	return errors.Join(err, checkLine(len(b.out)-before))
}

// checkLine refuses a line that nobody could read again.
func checkLine(n int) error {
	if n > rollout.MaxLine {
		return fmt.Errorf("scored, %w", rollout.ErrLineTooLong)
	}
	return nil
}

type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}

// afterTheEnd says why turns follow the end of an episode, which is what a log of another environment may hold.
func afterTheEnd(old *rollout.Record) string {
	turns := old.Turns()
	for i := range turns[:len(turns)-1] {
		if len(turns[i].Calls) == 0 {
			return fmt.Sprintf("message %d of the model has no call, which ends it, but the model goes on", i+1)
		}
	}
	return fmt.Sprintf("%d turns have calls; if more than %d were allowed, say so: options.k in the row, or --k",
		len(turns), max(old.Options.K, episode.DefaultK))
}

// group hashes what the members of a group share, since texts of a row may be of any length.
func (s *scorer) group(scenario string, seed int64, o *episode.Options) groupKey {
	if len(s.Presets) < 2 {
		return groupKey{}
	}
	options, err := json.Marshal(o)
	if err != nil {
		panic(err) // strings and integers have a JSON form
	}
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(seed)))
	h.Write(append(options, 0))
	h.Write([]byte(scenario))
	return groupKey(h.Sum(nil))
}

// cluster names the rows that resemble one: those of its family, or where it names none, of its scenario.
func (r *result) cluster() string {
	const longest = 128 // a name of a family is far shorter; a hostile one must not fill the memory
	name := r.family
	if name == "" {
		name = r.scenario
	}
	return strings.Clone(name[:min(len(name), longest)])
}

package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/play"
)

var (
	scoreRow = Result{Name: "score", What: "scoring, JSONL to Parquet", Unit: "rows/s", Mark: &Mark{Limit: 10_000}}
	sftRow   = Result{Name: "sft", What: "rows to learn from, to Parquet", Unit: "rows/s", Mark: &Mark{Limit: 5_000}}

	scoring    = item{name: "score", rows: fileRows(scoreRow), open: openScoring}
	generation = item{name: "sft", rows: fileRows(sftRow), open: openGeneration}
)

// fileRows are those of a job over files: its rate by the clock and by the time computed, and its peak memory.
func fileRows(rate Result) []Result {
	peak := Result{
		Name: rate.Name + "-memory", What: "the same: peak memory", Unit: "MiB", BesideWhat: "at a tenth of the rows",
		Mark: &Mark{Limit: 1.1, AtMost: true, OfRatio: true},
	}
	return []Result{rate, rate.perCPU(), peak}
}

// openScoring scores a file of records of all scripted policies, and for the large amount the same file under several
// names.
func openScoring(ctx context.Context, s *setting) (round, error) {
	name := filepath.Join(s.dir, "records-0.jsonl")
	if err := s.writeRecords(ctx, name); err != nil {
		return nil, err
	}
	names := []string{name}
	for i := 1; i < s.large/s.small; i++ {
		again := filepath.Join(s.dir, fmt.Sprintf("records-%d.jsonl", i))
		if err := os.Link(name, again); err != nil {
			return nil, err
		}
		names = append(names, again)
	}
	return s.twice(func(rows int, out string) []string {
		return append([]string{"score", "--out", out + ".parquet"}, names[:rows/s.small]...)
	}), nil
}

func openGeneration(_ context.Context, s *setting) (round, error) {
	return s.twice(func(rows int, out string) []string {
		return []string{"sft", "--out", out, "--rows", strconv.Itoa(rows)}
	}), nil
}

// twice runs a command with the small and the large amount of rows, and samples the rates of the small one and both peaks.
// What was written is removed.
func (s *setting) twice(args func(rows int, out string) []string) round {
	return func(ctx context.Context, _ int) ([]sample, error) {
		var efforts [2]effort
		var peaks [2]memory
		for i, rows := range []int{s.small, s.large} {
			out, err := os.MkdirTemp(s.dir, "out-")
			if err != nil {
				return nil, err
			}
			efforts[i], peaks[i], err = s.run(ctx, args(rows, filepath.Join(out, "out"))...)
			if err := errors.Join(err, os.RemoveAll(out)); err != nil {
				return nil, err
			}
		}
		few, many := peaks[0], peaks[1]
		return []sample{
			{ours: float64(s.small) / efforts[0].took.Seconds()},
			perCPU(s.small, efforts[0].cpu, efforts[0].cpu),
			{ours: many.peak / mebibyte, beside: few.peak / mebibyte, absent: !few.known() || !many.known()},
		}, nil
	}
}

// writeRecords plays every policy on every scenario, seed after seed, until the file is full.
func (s *setting) writeRecords(ctx context.Context, name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	ids, policies := s.Corpus.IDs(""), play.Names()
	jobs := make([]play.Job, s.small)
	for i := range jobs {
		jobs[i] = play.Job{
			Policy:     policies[i%len(policies)],
			ScenarioID: ids[i%len(ids)],
			Seed:       int64(i / len(ids)),
		}
	}
	out := bufio.NewWriterSize(file, mebibyte)
	player := &play.Player{Corpus: s.Corpus, Version: s.Version}
	err = player.Each(ctx, jobs, func(_ play.Job, rec *rollout.Record, err error) error {
		if err != nil {
			return err
		}
		return rollout.WriteJSONL(out, rec)
	})
	return errors.Join(err, out.Flush(), file.Close())
}

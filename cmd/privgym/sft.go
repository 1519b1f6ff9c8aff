package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/sft"
)

// sftCmd groups the making and the checking of trajectories to learn from.
type sftCmd struct {
	Write sftWriteCmd `cmd:"" default:"withargs" help:"Write ideal trajectories with privilege reasoning to Parquet (the default)."`
	Check sftCheckCmd `cmd:"" help:"Check the think blocks of any training file."`
}

type sftWriteCmd struct {
	Out         string   `required:"" placeholder:"DIR" help:"Folder of the dataset: data/*.parquet, a card, the proof that it is disjoint from the other splits, a manifest."`
	Rows        int      `default:"2000" help:"Trajectories (${default})."`
	Seed        int64    `placeholder:"N" help:"First seed (0); every scenario is played once for each seed until there are enough rows."`
	Split       string   `default:"sft" help:"Split to take scenarios from: eval, rl or sft (${default})."`
	RowsPerFile int      `default:"1000" help:"Trajectories a file at most (${default})."`
	Shard       shard    `placeholder:"I/N" help:"Write the files whose number is I modulo N; the union of all shards is one whole run."`
	Against     []string `placeholder:"FILE" help:"Write no row that comes near this benchmark: families, or the public benchmark's JSONL."`
	Scenarios   []string `placeholder:"PATH" help:"Play these families instead of the embedded ones."`
	JSON        bool     `name:"json" help:"Print the manifest as JSON."`

	teacherFlags `group:"A model as teacher:"`
}

// shard is one part of a run: index of count, count 0 for the whole.
type shard struct{ index, count int }

// UnmarshalText reads I/N.
func (s *shard) UnmarshalText(text []byte) error {
	i, n, ok := strings.Cut(string(text), "/")
	var err error
	if s.index, err = strconv.Atoi(i); err != nil || !ok {
		return fmt.Errorf("shard %q is not of the form I/N, such as 0/4", text)
	}
	if s.count, err = strconv.Atoi(n); err != nil || s.count < 1 || s.index < 0 || s.index >= s.count {
		return fmt.Errorf("shard %q: I runs from 0 to N−1", text)
	}
	return nil
}

// Run writes the dataset. Rows that were refused are findings.
func (c *sftWriteCmd) Run(ctx context.Context, io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	if c.Out == "" { // or it would be the folder in which the command runs
		return usageError{errors.New("--out is empty; name a folder")}
	}
	if c.Rows < 1 || c.RowsPerFile < 1 {
		return usageError{fmt.Errorf("--rows and --rows-per-file must be 1 or more")}
	}
	if _, err := idsOf(scenarios, c.Split); err != nil {
		return err
	}
	against, err := c.against(io)
	if err != nil {
		return err
	}
	cfg := sft.Config{
		Corpus: scenarios, Version: version(), Split: c.Split, Rows: c.Rows, Seed: c.Seed, RowsPerFile: c.RowsPerFile,
		Shard: c.Shard.index, Shards: c.Shard.count, Against: against,
	}
	if c.DryRun {
		return c.estimate(io, cfg)
	}
	if cfg.Model, err = c.model(io); err != nil {
		return usageError{err}
	}
	bar := newProgress(io.err, "sft", cfg.Own())
	result, err := sft.Generate(ctx, c.Out, cfg, bar.add)
	switch {
	case errors.Is(err, sft.ErrOtherSettings):
		return usageError{err}
	case errors.Is(err, context.Canceled) && cfg.Model != nil:
		return fmt.Errorf("interrupted; the rows that were made are kept in %s, and the same command goes on from there", c.Out)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted; %s has no manifest, and the same command writes it anew", c.Out)
	case err != nil:
		return advise(err, "--teacher-url", "the environment variable "+keyVariable)
	}
	bar.finish()
	return c.print(io, result)
}

func (c *sftWriteCmd) against(io streams) ([]*scenario.Family, error) {
	if len(c.Against) == 0 {
		return nil, nil
	}
	others, err := openCorpus(c.Against, io)
	if err != nil {
		return nil, err
	}
	return allFamilies(others)
}

func (c *sftWriteCmd) print(io streams, r *sft.Result) error {
	if c.JSON {
		if err := json.NewEncoder(io.out).Encode(r.Manifest); err != nil {
			return err
		}
	} else {
		written := 0
		for _, f := range r.Manifest.Files {
			written += f.Rows
			fmt.Fprintf(io.out, "%s  %d rows, %d bytes\n", f.Name, f.Rows, f.Bytes)
		}
		fmt.Fprintf(io.out, "%d trajectories written to %s, %d refused; overlap with other splits: %d too near, %d near\n",
			written, c.Out, len(r.Refused), r.Overlap.TooNear, r.Overlap.Near)
	}
	for _, f := range r.Refused {
		fmt.Fprintf(io.err, "refused: row %d: %s\n", f.Row, f.Reason)
	}
	for _, kind := range sortedKeys(r.Rejections) {
		fmt.Fprintf(io.err, "tries not kept: %d, %s\n", r.Rejections[kind], kind)
	}
	if len(r.Failures) > 0 {
		fmt.Fprintf(io.err, "%d rows are missing because the endpoint failed (%s); run the same command again to make them\n",
			len(r.Failures), filepath.Join(c.Out, sft.FailuresName))
	}
	if len(r.Refused) > 0 {
		return errFindings
	}
	return nil
}

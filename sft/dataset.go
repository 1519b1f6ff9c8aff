package sft

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/privgym/privgym/env/audit"
	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/llm"
)

// Config of a dataset. Corpus, Version and Rows are required.
type Config struct {
	Corpus  *corpus.Corpus
	Version string
	// Split to take scenarios from; empty: sft.
	Split string
	// Rows in all; row i is scenario i mod n with seed Seed + i div n.
	Rows int
	Seed int64
	// RowsPerFile bounds a file; 0: 1,000.
	RowsPerFile int
	// Shard of Shards: only the files whose number is Shard modulo Shards are written. Shards 0 writes all.
	Shard, Shards int
	// Against are families, of other splits and benchmarks, that no row may come near.
	Against []*scenario.Family
	// Model teaches instead of the built-in teacher, where it is set.
	Model *ModelConfig
}

const defaultRowsPerFile = 1000

// Own is how many rows a run makes: all, or those of the shard's files.
func (c *Config) Own() int { return len(c.own()) }

// own lists the rows that a run makes, in order.
func (c *Config) own() []int {
	perFile := cmp.Or(c.RowsPerFile, defaultRowsPerFile)
	var rows []int
	for i := range c.Rows {
		if c.Shards == 0 || i/perFile%c.Shards == c.Shard {
			rows = append(rows, i)
		}
	}
	return rows
}

// Refused is a row that was not written, and why.
type Refused struct {
	Row        int    `json:"row"`
	ScenarioID string `json:"scenario_id"`
	Seed       int64  `json:"seed"`
	Reason     string `json:"reason"`
}

// Result of Generate.
type Result struct {
	Manifest Manifest
	Refused  []Refused
	// Overlap is what the split's families share, or nearly share, with others.
	Overlap Overlap
	// Example is the first row.
	Example *Row
	// Rejections counts, by kind, the tries of a model that were not kept for a row that was refused; Failures are the rows
	// that its endpoint kept from being made.
	Rejections map[string]int
	Failures   []Failure
}

// Generate plays a dataset and writes it into dir: the data files first, the manifest last. step is called once for each
// row that is made. With the built-in teacher the same config gives the same bytes, and the union of all shards those of
// one run. A model's rows are kept in a journal as they are made: the same call goes on with a run that was ended, and
// refuses one with other settings (ErrOtherSettings). Where the model's endpoint answers nothing, the run ends with an
// *llm.Stopped.
func Generate(ctx context.Context, dir string, c Config, step func()) (*Result, error) {
	if c.Split == "" {
		c.Split = "sft"
	}
	c.RowsPerFile = cmp.Or(c.RowsPerFile, defaultRowsPerFile)
	ids := c.Corpus.IDs(c.Split)
	if len(ids) == 0 {
		return nil, fmt.Errorf("split %q has no scenarios", c.Split)
	}
	options, err := episode.Options{Faults: fault.Mixed.String()}.Resolve(c.Split)
	if err != nil {
		return nil, err
	}
	overlap, err := prove(c)
	if err != nil {
		return nil, err
	}
	g := &generator{
		Config:  c,
		room:    &classroom{games: rollout.NewGames(c.Corpus), options: options},
		teacher: builtin{},
		source:  rollout.Source{CorpusDigest: c.Corpus.Digest(), Version: c.Version, Policy: BuiltinTeacher},
		ids:     ids,
		banned:  overlap.refusedFamilies(),
		step:    step,
		result:  &Result{Overlap: overlap},
		tables:  newTables(),
	}
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o755); err != nil {
		return nil, err
	}
	if c.Model != nil {
		return g.result, g.runModel(ctx, dir)
	}
	if err := g.clear(dir); err != nil {
		return nil, err
	}
	return g.result, g.run(ctx, dir)
}

// runModel lets the model make the rows, then writes the files from the journal.
func (g *generator) runModel(ctx context.Context, dir string) (err error) {
	g.teacher = modelTeacher{*g.Model, g.answered}
	g.source.Policy, g.source.Model = ModelTeacher, g.Model.Model
	if g.journal, err = openJournal(dir, g.settings(), g.Model.Notice); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.journal.close()) }()
	if err := g.clear(dir); err != nil {
		return err
	}
	learnErr := g.learn(ctx, g.journal)
	slices.SortFunc(g.result.Failures, func(a, b Failure) int { return a.Row - b.Row })
	if err := errors.Join(learnErr, g.writeFailures(dir)); err != nil {
		return err
	}
	g.step = func() {} // the rows were counted as they were made
	return g.run(ctx, dir)
}

func (g *generator) settings() settings {
	s := settings{
		Version: g.Version, CorpusDigest: g.Corpus.Digest(), Split: g.Split, Rows: g.Rows, Seed: g.Seed,
		RowsPerFile: g.RowsPerFile, Model: g.Model.Model, Tries: g.Model.Tries, Temperature: g.Model.Temperature,
		MaxTokens: g.Model.MaxTokens,
	}
	if g.Shards > 0 {
		s.Shard = fmt.Sprintf("%d/%d", g.Shard, g.Shards)
	}
	return s
}

type generator struct {
	Config
	room    *classroom
	teacher teacher
	source  rollout.Source
	ids     []string
	banned  map[string]string // family -> why no row of it is written
	step    func()
	result  *Result
	tables  *tables
	// journal holds the rows of a model; nil with the built-in teacher.
	journal *journal
	guard   *llm.Guard[Failure]
	mu      sync.Mutex // guards result, step and guard while a model's workers run
}

func (g *generator) run(ctx context.Context, dir string) error {
	g.result.Manifest = g.manifest()
	files := g.files()
	for n := range files {
		if g.Shards > 0 && n%g.Shards != g.Shard {
			continue
		}
		name := filepath.Join("data", fmt.Sprintf("train-%05d-of-%05d.parquet", n, files))
		first := n * g.RowsPerFile
		entry, err := writeFile(dir, name, func(w io.Writer) (int, error) {
			return g.file(ctx, w, first, min(first+g.RowsPerFile, g.Rows))
		})
		if err != nil {
			return err
		}
		g.result.Manifest.Files = append(g.result.Manifest.Files, entry)
	}
	return g.finish(dir)
}

// files is how many the whole dataset has.
func (g *generator) files() int { return (g.Rows + g.RowsPerFile - 1) / g.RowsPerFile }

// clear takes away what tells of an earlier run, which would be wrong from the first new file on. Data of another number
// of files would be read as a part of this dataset, and is refused.
func (g *generator) clear(dir string) error {
	entries, err := os.ReadDir(filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if ours := fmt.Sprintf("-of-%05d.parquet", g.files()); strings.HasPrefix(e.Name(), "train-") && !strings.HasSuffix(e.Name(), ours) {
			return fmt.Errorf("%w: %s is no file of a dataset of %d files; take another folder, or remove it",
				ErrOtherSettings, filepath.Join(dir, "data", e.Name()), g.files())
		}
	}
	for _, name := range []string{g.manifestName(), g.refusedName()} {
		if err := removeFile(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// file writes rows first to last−1 that are worth it, and returns how many.
func (g *generator) file(ctx context.Context, w io.Writer, first, last int) (int, error) {
	out := newWriter[columns](w, schemaOf(columns{}, "messages", "tools"), trajectoriesArrow)
	written := 0
	err := g.each(ctx, first, last, func(row *Row) error {
		written++
		g.tables.add(row)
		if g.result.Example == nil {
			g.result.Example = row
		}
		return out.write(row.columns())
	})
	return written, errors.Join(err, out.close())
}

// window bounds how many rows are made at once; as many are written meanwhile.
const window = 64

// each makes rows on all processors and emits them in order.
func (g *generator) each(ctx context.Context, first, last int, emit func(*Row) error) error {
	next := g.begin(ctx, first, last)
	defer func() { <-next }()
	for start := first; start < last; start += window {
		made := <-next
		if err := ctx.Err(); err != nil {
			return err
		}
		next = g.begin(ctx, start+window, last)
		for i, row := range made.rows {
			g.step()
			if err := made.failures[i]; err != nil {
				g.refuse(start+i, err)
			} else if err := emit(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// made are the rows of a window, each with what kept it from being made.
type made struct {
	rows     []*Row
	failures []error
}

// begin makes the rows of the window from start on, and none beyond last, while the caller goes on. The channel gives them
// and is closed then.
func (g *generator) begin(ctx context.Context, start, last int) <-chan made {
	n := max(0, min(window, last-start))
	m := made{make([]*Row, n), make([]error, n)}
	work := make(chan int, n)
	for i := range n {
		work <- i
	}
	close(work)
	out := make(chan made, 1)
	go func() {
		defer close(out)
		var wg sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for i := range work {
					m.rows[i], m.failures[i] = g.row(ctx, start+i)
				}
			})
		}
		wg.Wait()
		out <- m
	}()
	return out
}

func (g *generator) place(i int) (id string, seed int64) {
	return g.ids[i%len(g.ids)], g.Seed + int64(i/len(g.ids))
}

func (g *generator) row(ctx context.Context, i int) (*Row, error) {
	if err := g.ban(i); err != nil {
		return nil, err
	}
	if g.journal != nil {
		return g.recall(i)
	}
	return g.make(ctx, i)
}

// ban says why row i is not to be written, nil where it is. It holds for rows of a journal too, which may have been made
// before there was something that they come near.
func (g *generator) ban(i int) error {
	id, _ := g.place(i)
	s, err := g.Corpus.Scenario(id)
	if err != nil {
		return err
	}
	if why, banned := g.banned[s.Family.ID]; banned {
		return errors.New(why)
	}
	return nil
}

// make lets the teacher play row i.
func (g *generator) make(ctx context.Context, i int) (*Row, error) {
	id, seed := g.place(i)
	return g.room.row(ctx, g.teacher, id, seed, g.source)
}

func (g *generator) refuse(i int, err error) {
	id, seed := g.place(i)
	g.result.Refused = append(g.result.Refused, Refused{i, id, seed, err.Error()})
}

// Overlap is the proof that a dataset is disjoint: every near match with its text.
type Overlap struct {
	Families        int              `json:"families"`
	Compared        int              `json:"compared_families"`
	Thresholds      audit.Thresholds `json:"thresholds"`
	ForeignLimits   audit.Thresholds `json:"against_thresholds"`
	TooNear         int              `json:"too_near"`
	Near            int              `json:"near"`
	Matches         []audit.Match    `json:"matches"`
	AgainstFamilies int              `json:"against_families"`
}

// prove compares the split's families with all other splits and with Against.
func prove(c Config) (Overlap, error) {
	var ours, others []*scenario.Family
	for _, e := range c.Corpus.Families() {
		f, err := c.Corpus.Family(e.ID)
		if err != nil {
			return Overlap{}, err
		}
		if f.Split == c.Split {
			ours = append(ours, f)
		} else {
			others = append(others, f)
		}
	}
	o := Overlap{
		Families: len(ours), Compared: len(others), AgainstFamilies: len(c.Against),
		Thresholds: audit.SplitThresholds, ForeignLimits: audit.ForeignThresholds,
	}
	o.Matches = append(audit.Between(ours, others, audit.SplitThresholds), audit.Between(ours, c.Against, audit.ForeignThresholds)...)
	for _, m := range o.Matches {
		if m.TooNear {
			o.TooNear++
		} else {
			o.Near++
		}
	}
	return o, nil
}

func (o *Overlap) refusedFamilies() map[string]string {
	refused := map[string]string{}
	for _, m := range o.Matches {
		if _, known := refused[m.Ours.Family]; m.TooNear && !known {
			refused[m.Ours.Family] = fmt.Sprintf("%s of family %s is too near to %s of %s (%s)", m.Kind, m.Ours.Family, m.Theirs.Text, m.Theirs.Family, m.Theirs.File)
		}
	}
	return refused
}

// removeFile removes a file that may be there.
func removeFile(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// writeFile writes dir/name completely or not at all, and describes it.
func writeFile(dir, name string, write func(io.Writer) (rows int, err error)) (FileEntry, error) {
	out, err := rollout.Create(filepath.Join(dir, name))
	if err != nil {
		return FileEntry{}, err
	}
	defer out.Discard()
	sum, size := sha256.New(), new(counter)
	rows, err := write(io.MultiWriter(out, sum, size))
	if err != nil {
		return FileEntry{}, err
	}
	if err := out.Commit(); err != nil {
		return FileEntry{}, err
	}
	return FileEntry{Name: filepath.ToSlash(name), Rows: rows, Bytes: int64(*size), SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func writeJSON(dir, name string, v any) error {
	_, err := writeFile(dir, name, func(w io.Writer) (int, error) {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return 0, enc.Encode(v)
	})
	return err
}

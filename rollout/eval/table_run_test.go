package eval

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout"
)

func jsonl(t *testing.T, records ...*rollout.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range records {
		if err := rollout.WriteJSONL(&b, r); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// shapes write a record in every form that a run directory may have.
var shapes = map[string]func(*testing.T, io.Writer, *rollout.Record){
	"trajectories-0.jsonl": func(t *testing.T, w io.Writer, r *rollout.Record) { _, _ = w.Write(jsonl(t, r)) },
	"trajectories-1.jsonl.gz": func(t *testing.T, w io.Writer, r *rollout.Record) {
		z := gzip.NewWriter(w)
		_, _ = z.Write(jsonl(t, r))
		_ = z.Close()
	},
	"trajectories-2.jsonl.zst": func(t *testing.T, w io.Writer, r *rollout.Record) {
		z, err := zstd.NewWriter(w)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = z.Write(jsonl(t, r))
		_ = z.Close()
	},
	"trajectories-3.parquet": func(t *testing.T, w io.Writer, r *rollout.Record) {
		p := rollout.NewParquetWriter(w)
		if err := p.Write(r); err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	},
}

// runDir makes a run directory of one record in each shape, and files that are not read.
func runDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "base")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, shape := range shapes {
		var b bytes.Buffer
		shape(t, &b, record("f/"+name[13:14]+".1", "L1t H1o"))
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"manifest.json", "summary.json", "log-00000-of-00001.jsonl", "trajectories.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("not read"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func noBadRows(t *testing.T) func(*rollout.RowError) {
	return func(e *rollout.RowError) { t.Error(e) }
}

func TestReadRunDirectory(t *testing.T) {
	dir := runDir(t)
	r, err := ReadRun(dir, nil, noBadRows(t))
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "base" || len(r.Episodes) != 4 || r.Bad != 0 || r.Players[0] != "tester" || r.Turns[0] != 5 {
		t.Fatalf("%+v", r)
	}
	for i, o := range r.Episodes {
		want := record("f/"+string(rune('0'+i))+".1", "L1t H1o")
		if o.Scenario != want.ScenarioID || !o.Outcome.OPUR || o.Outcome.PED != 1 || o.Labels != labels(want) {
			t.Errorf("episode %d: %+v, want that of %+v", i, o, labels(want))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "trajectories-3.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRun(dir, nil, noBadRows(t)); err == nil || !strings.Contains(err.Error(), "trajectories-3.jsonl and trajectories-3.parquet") {
		t.Errorf("the same trajectories twice: %v", err)
	}
}

func TestReadRunFiles(t *testing.T) {
	file := write(t, "some.run.jsonl", string(jsonl(t, record("f/1.1", "L1o"))))
	r, err := ReadRun(file, nil, noBadRows(t))
	if err != nil || r.Name != "some.run" || len(r.Episodes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = ReadRun("-", bytes.NewReader(jsonl(t, record("f/1.1", "L1o"))), noBadRows(t))
	if err != nil || len(r.Episodes) != 1 {
		t.Errorf("standard input: %+v, %v", r, err)
	}
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "none"): "no such file",
		t.TempDir():                        "there is no file trajectories*.jsonl",
		write(t, "a.parquet", "PAR1 and nothing of its like"): "damaged Parquet file",
	} {
		if _, err := ReadRun(path, nil, noBadRows(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestBadRows: what is no record is told with its place and counted, and the rest is read.
func TestBadRows(t *testing.T) {
	good := string(jsonl(t, record("f/1.1", "L1o")))
	file := write(t, "r.jsonl", "{\n"+good+"\n"+strings.Replace(good, `"turn":1`, `"turn":9`, 1)+good)
	var told []string
	r, err := ReadRun(file, nil, func(e *rollout.RowError) { told = append(told, e.Error()) })
	if err != nil || len(r.Episodes) != 2 || r.Bad != 2 || len(told) != 2 {
		t.Fatalf("%+v, %v, told %q", r, err, told)
	}
	if !strings.Contains(told[0], "r.jsonl:1: ") || !strings.Contains(told[1], "r.jsonl:4: trace: calls[0]: turn 9") {
		t.Errorf("%q", told)
	}
}

func TestLabels(t *testing.T) {
	base := record("f/1.1", "L1o")
	same := func(change func(*rollout.Record)) bool {
		r := record("f/1.1", "L2t L2o")
		change(r)
		return labels(r) == labels(base)
	}
	for name, change := range map[string]func(*rollout.Record){
		"the prompt":  func(r *rollout.Record) { r.Options.Prompt = "security-principle" },
		"the model":   func(r *rollout.Record) { r.Model = "m" },
		"the version": func(r *rollout.Record) { r.Version = "2" },
	} {
		if !same(change) {
			t.Errorf("%s makes it another episode", name)
		}
	}
	for name, change := range map[string]func(*rollout.Record){
		"the corpus":     func(r *rollout.Record) { r.CorpusDigest = "f" },
		"the seed":       func(r *rollout.Record) { r.Seed = 2 },
		"the plan":       func(r *rollout.Record) { r.FaultPlan = "ruled-out" },
		"the tool order": func(r *rollout.Record) { r.Tools[0], r.Tools[1] = r.Tools[1], r.Tools[0] },
		"the turn limit": func(r *rollout.Record) { r.Trace.K = 6 },
		"the faults":     func(r *rollout.Record) { r.Options.Faults = "mixed" },
		"a failure":      func(r *rollout.Record) { r.Error = "no route" },
		"a foreign tool": func(r *rollout.Record) { r.Tools[0] = []byte(`{"type":"custom"}`) },
	} {
		if same(change) {
			t.Errorf("%s makes no difference", name)
		}
	}
	l := labels(&rollout.Record{FaultPlan: "ruled-out", Error: "x", Answered: true, Trace: trace("")})
	if !l.RuledOut || !l.Unscorable || !l.Answered {
		t.Errorf("%+v", l)
	}
}

func TestMixtures(t *testing.T) {
	one, other := record("f/1.1", "L1o"), record("f/2.1", "L1o")
	if m := runOf("r", one, other).Mixtures(); len(m) != 0 {
		t.Errorf("%q", m)
	}
	other.Policy, other.Options.Faults, other.Options.Prompt = "another", "none", "security-principle"
	if m := runOf("r", one, other).Mixtures(); len(m) != 3 || m[0] != "it mixes 2 players: tester, another" {
		t.Errorf("%q", m)
	}
}

func TestNameApart(t *testing.T) {
	runs := []*Run{{Name: "a", Path: "x/a"}, {Name: "a", Path: "y/a"}, {Name: "b", Path: "b"}, {Name: "c", Path: "c"}, {Name: "c", Path: "c"}}
	NameApart(runs)
	for i, want := range []string{"x/a", "y/a", "b", "c (4)", "c (5)"} {
		if runs[i].Name != want {
			t.Errorf("run %d is %q, want %q", i, runs[i].Name, want)
		}
	}
}

// TestFailures: what the failures of a run directory hold is unscorable, unless the episode was played later.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	failed, later := record("f/2.1", ""), record("f/1.1", "")
	failed.Error, later.Error = "no route to host", "no route to host"
	writeTo(t, filepath.Join(dir, "trajectories-00000-of-00001.jsonl"), string(jsonl(t, record("f/1.1", "H1o"))))
	writeTo(t, filepath.Join(dir, "failures-00000-of-00001.jsonl"), string(jsonl(t, failed, later)))
	r, err := ReadRun(dir, nil, noBadRows(t))
	if err != nil || len(r.Episodes) != 2 || stats.Unscorable(r.Episodes) != 1 || r.Episodes[1].Scenario != "f/2.1" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestUnscorableRecords: a failure is left out of the shares, counted and bounded.
func TestUnscorableRecords(t *testing.T) {
	failed := record("f/3.1", "")
	failed.Error = "connection refused"
	r := runOf("r", record("f/1.1", "H1o"), record("f/2.1", "L1o"), failed)
	tables := Tables([]*Run{r})
	if got := cell(t, named(t, tables, "excluded"), "r", "OPUR"); got != "33.3% to 66.7%" {
		t.Errorf("bounds %q", got)
	}
	if got := cell(t, named(t, tables, "runs"), "r", "infrastructure errors"); got != "1" {
		t.Errorf("%q errors", got)
	}
	if e := stats.Share(r.Episodes, stats.OPUR); e.N != 2 {
		t.Errorf("%+v", e)
	}
}

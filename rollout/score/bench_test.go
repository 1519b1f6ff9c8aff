package score_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/play"
	"github.com/privgym/privgym/rollout/score"
)

// BenchmarkFiles scores JSONL to Parquet, each run in a process of its own, and reports trajectories a second and the peak
// of resident memory. The marks of docs/design.md section 8: 10,000 a second on two cores, and memory at 200,000 rows
// within 10% of that at 20,000. Run it with -benchtime=5x; it writes 1.4 GB to the temporary directory.
func BenchmarkFiles(b *testing.B) {
	base := manyRecords(b)
	for _, rows := range []int{20_000, 200_000} {
		b.Run(strconv.Itoa(rows), func(b *testing.B) {
			in := writeRows(b, base, rows)
			var peak, seconds float64
			for b.Loop() {
				s, p := measure(b, in)
				seconds += s
				peak = max(peak, p)
			}
			b.ReportMetric(float64(rows)*float64(b.N)/seconds, "rows/s")
			b.ReportMetric(peak, "peak-MiB")
		})
	}
}

// manyRecords plays policies on the whole corpus.
func manyRecords(b *testing.B) []*rollout.Record {
	b.Helper()
	p := play.Player{Corpus: corpus.Embedded(), Version: "test"}
	var jobs []play.Job
	for _, id := range corpus.Embedded().IDs("rl") {
		for i, policy := range []string{"careful", "exhaustive", "premature-1", "honest-quitter", "pile-on", "random-1", "random-2", "random-3"} {
			jobs = append(jobs, play.Job{Policy: policy, ScenarioID: id, Seed: int64(i), Options: episode.Options{}})
		}
	}
	var records []*rollout.Record
	err := p.Each(b.Context(), jobs, func(_ play.Job, rec *rollout.Record, err error) error {
		records = append(records, rec)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return records
}

// writeRows writes so many rows, each with an id of its own.
func writeRows(b *testing.B, base []*rollout.Record, rows int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "in.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	for i := range rows {
		rec := *base[i%len(base)]
		sum := sha256.Sum256([]byte(strconv.Itoa(i)))
		rec.ID, rec.Seed = hex.EncodeToString(sum[:]), int64(i/8)
		if err := rollout.WriteJSONL(out, &rec); err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	return path
}

// childInput names the input in the environment of a child that measures.
const childInput = "PRIVGYM_SCORE_BENCH_INPUT"

// measure scores in a process of its own and returns the seconds and the MiB that it took.
func measure(b *testing.B, in string) (seconds, peak float64) {
	b.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childInput+"="+in)
	out, err := child.Output()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Sscan(string(out), &seconds, &peak); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return seconds, peak
}

// measureInChild does the work of a child and reports whether this is one.
func measureInChild() bool {
	in := os.Getenv(childInput)
	if in == "" {
		return false
	}
	cfg := score.Config{Corpus: corpus.Embedded(), Version: "test", Presets: []reward.Preset{reward.Ranked}}
	start := time.Now()
	if _, err := score.Files(context.Background(), cfg, []string{in}, in+".parquet"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(time.Since(start).Seconds(), peakMiB())
	return true
}

// peakMiB is the peak of resident memory of this process, 0 where the system does not say.
func peakMiB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, l := range strings.Split(string(status), "\n") {
		if rest, ok := strings.CutPrefix(l, "VmHWM:"); ok {
			kib, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kib / 1024
		}
	}
	return 0
}

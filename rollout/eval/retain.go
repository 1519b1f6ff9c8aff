package eval

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Scores are the results of one model on tasks that measure what it can do.
type Scores struct {
	// Path is the file or directory that they come from.
	Path  string
	tasks map[string]score
}

// score of a task by one metric.
type score struct {
	value float64 // NaN where the file has no number
	// setting says how it was measured, as far as the file does, such as "5-shot on 1319 samples".
	setting, file string
}

// ReadScores reads a results file of lm-evaluation-harness, or an object of task names and scores, or all files .json
// below a directory. Of the harness's results it takes every metric of every task that is not a part of a group that has
// been scored as a whole: of MMLU the score, not those of its subjects.
func ReadScores(path string) (*Scores, error) {
	s := &Scores{Path: path, tasks: map[string]score{}}
	files, err := scoreFiles(path)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := s.read(file); err != nil {
			return nil, err
		}
	}
	if len(s.tasks) == 0 {
		return nil, fmt.Errorf("%s: there are no scores in it", path)
	}
	return s, nil
}

// maxScoreFiles bounds a directory of results.
const maxScoreFiles = 1000

func scoreFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	var files []string
	err = filepath.WalkDir(path+string(filepath.Separator), func(file string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && filepath.Ext(file) == ".json" {
			files = append(files, file)
		}
		if len(files) > maxScoreFiles {
			return fmt.Errorf("%s: more than %d files .json: name the one with the results", path, maxScoreFiles)
		}
		return err
	})
	return files, err
}

func (s *Scores) read(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := readBounded(f, maxForeign)
	if err == nil {
		err = s.decode(file, text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func (s *Scores) decode(file string, text []byte) error {
	var object map[string]json.RawMessage
	if err := decodeForeign(text, &object); err != nil {
		return err
	}
	tasks := map[string]score{}
	var err error
	if _, harness := object["results"]; harness {
		err = harnessScores(object, tasks)
	} else {
		err = plainScores(object, tasks)
	}
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(tasks)) {
		if other, twice := s.tasks[name]; twice {
			return fmt.Errorf("%s has a score in %s as well: name the file that counts", printable(name), other.file)
		}
		t := tasks[name]
		t.file = file
		s.tasks[name] = t
	}
	return nil
}

// plainScores reads {"task": score}.
func plainScores(object map[string]json.RawMessage, tasks map[string]score) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		v, ok := numberOf(object[name])
		if !ok {
			return fmt.Errorf("%s is not a number: a results file of lm-evaluation-harness or an object of scores is wanted", printable(name))
		}
		tasks[name] = score{value: v}
	}
	return nil
}

// harnessScores reads the results of lm-evaluation-harness 0.4, whose metrics are "metric,filter", and of older ones.
func harnessScores(object map[string]json.RawMessage, tasks map[string]score) error {
	var results map[string]map[string]json.RawMessage
	var subtasks map[string][]string
	var shots map[string]json.RawMessage
	var samples map[string]struct {
		Effective json.RawMessage `json:"effective"`
	}
	for _, f := range []struct {
		name string
		into any
	}{{"results", &results}, {"group_subtasks", &subtasks}, {"n-shot", &shots}, {"n-samples", &samples}} {
		if text, ok := object[f.name]; ok {
			if err := json.Unmarshal(text, f.into); err != nil {
				return fmt.Errorf("%s is not what lm-evaluation-harness writes: %w", f.name, err)
			}
		}
	}
	part := map[string]bool{}
	for group, names := range subtasks {
		if hasMetric(results[group]) {
			for _, name := range names {
				part[name] = true
			}
		}
	}
	for _, task := range slices.Sorted(maps.Keys(results)) {
		if part[task] {
			continue
		}
		setting := settingOf(shots[task], samples[task].Effective)
		for _, key := range slices.Sorted(maps.Keys(results[task])) {
			metric, ok := metricOf(key)
			if !ok {
				continue
			}
			v, ok := numberOf(results[task][key])
			switch {
			case ok:
				tasks[task+", "+metric] = score{value: v, setting: setting}
			case strings.Contains(key, ","):
				return fmt.Errorf("results.%s.%s is not a number", printable(task), printable(key))
			}
		}
	}
	return nil
}

// hasMetric reports whether a group was scored as a whole.
func hasMetric(metrics map[string]json.RawMessage) bool {
	for key, text := range metrics {
		if _, ok := metricOf(key); ok {
			if _, ok := numberOf(text); ok {
				return true
			}
		}
	}
	return false
}

// metricOf returns the name to print for a key of a task's results, and whether it is that of a metric. The filter "none"
// says nothing.
func metricOf(key string) (string, bool) {
	metric, filter, _ := strings.Cut(key, ",")
	if strings.HasSuffix(metric, "_stderr") || key == "sample_len" {
		return "", false
	}
	if filter == "" || filter == "none" {
		return metric, true
	}
	return metric + " (" + filter + ")", true
}

// numberOf decodes a number; null, such as NaN became, is one without a value.
func numberOf(text json.RawMessage) (float64, bool) {
	if string(text) == "null" {
		return math.NaN(), true
	}
	var v float64
	return v, json.Unmarshal(text, &v) == nil
}

// settingOf puts numbers of shots and samples, where they are given, into words.
func settingOf(shots, samples json.RawMessage) string {
	var parts []string
	if v, ok := numberOf(shots); ok && !math.IsNaN(v) {
		parts = append(parts, fmt.Sprintf("%g-shot", v))
	}
	if v, ok := numberOf(samples); ok && !math.IsNaN(v) {
		parts = append(parts, fmt.Sprintf("on %g samples", v))
	}
	return strings.Join(parts, " ")
}

// Retain returns scores before and after training and the Retain Rate, the one over the other: what training has left of
// what the model could do. A task that only one of them has has no rate, and a note.
func Retain(before, after *Scores) Table {
	t := Table{
		Name:   "retain",
		Title:  fmt.Sprintf("Scores before (%s) and after (%s), and what is retained", printable(before.Path), printable(after.Path)),
		Corner: "task",
	}
	names := slices.Sorted(maps.Keys(before.tasks))
	for _, name := range slices.Sorted(maps.Keys(after.tasks)) {
		names = once(names, name)
	}
	for _, name := range names {
		b, hadBefore := before.tasks[name]
		a, hasAfter := after.tasks[name]
		row := printable(name)
		switch {
		case !hadBefore:
			b.value = math.NaN()
			t.Notes = append(t.Notes, fmt.Sprintf("%s has no score in %s.", row, printable(before.Path)))
		case !hasAfter:
			a.value = math.NaN()
			t.Notes = append(t.Notes, fmt.Sprintf("%s has no score in %s.", row, printable(after.Path)))
		case a.setting != b.setting:
			t.Notes = append(t.Notes, fmt.Sprintf("%s was measured in different ways: before %s, after %s.", row,
				settingOr(b.setting), settingOr(a.setting)))
		}
		t.add("", row, "before", number(b.value, 4))
		t.add("", row, "after", number(a.value, 4))
		t.add("", row, "Retain Rate", retained(b.value, a.value))
	}
	return t
}

func settingOr(setting string) string {
	if setting == "" {
		return "not said"
	}
	return setting
}

func retained(before, after float64) Cell {
	rate := after / before
	if math.IsInf(rate, 0) { // before is 0
		rate = math.NaN()
	}
	return percent(rate)
}

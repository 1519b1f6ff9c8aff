package corpus

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/toolprivbench"
)

// maxFiles bounds what a mistaken path, such as a home directory, can cost.
const maxFiles = 20_000

// extensions of the files that are taken for families; Check asks for .yaml.
var extensions = []string{".yaml", ".yml"}

// benchmark is the extension of files in the format of ToolPrivBench; a directory is not searched for them.
const benchmark = ".jsonl"

// Load reads families from files and from directories, below which every *.yaml and *.yml file is a family; names that begin with
// a dot are passed over. A *.jsonl file holds a family in each row, in the format of env/toolprivbench. It parses everything
// at once and returns all findings, by file and line. A family with findings is left out of the corpus and does not hide
// the others; of two with one id the second is left out. The error says that a path could not be read or holds no family.
func Load(paths ...string) (*Corpus, []scenario.Finding, error) {
	var (
		findings []scenario.Finding
		loaded   []loadedFamily
		byID     = map[string]string{}
	)
	all, err := list(paths)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range all {
		inFile, found, err := load(path)
		if err != nil {
			return nil, nil, fmt.Errorf("reading a family: %w", err)
		}
		for _, l := range inFile {
			f := l.parsed
			if byID[f.ID] != "" {
				found = append(found, scenario.Finding{File: path, Line: f.Line, Check: formatCheck,
					Message: fmt.Sprintf("family `%s` is in %s too; rename one", f.ID, byID[f.ID])})
				continue
			}
			byID[f.ID] = path
			loaded = append(loaded, l)
		}
		slices.SortStableFunc(found, func(a, b scenario.Finding) int { return cmp.Compare(a.Line, b.Line) })
		findings = append(findings, found...)
	}
	slices.SortFunc(loaded, func(a, b loadedFamily) int { return cmp.Compare(a.parsed.ID, b.parsed.ID) })
	return assemble(loaded), findings, nil
}

type loadedFamily struct {
	parsed *scenario.Family
	src    []byte
}

// load returns the families of a file that have no findings.
func load(path string) ([]loadedFamily, []scenario.Finding, error) {
	if filepath.Ext(path) == benchmark {
		return loadBenchmark(path)
	}
	src, err := read(path)
	if err != nil {
		return nil, nil, err
	}
	f, findings := scenario.Parse(path, src)
	if len(findings) > 0 {
		return nil, findings, nil
	}
	return []loadedFamily{{f, src}}, nil, nil
}

// loadBenchmark leaves the warnings to `privgym scenarios import`. A file without a single row that can be imported is one
// of another format; its findings would be as many as its rows.
func loadBenchmark(path string) ([]loadedFamily, []scenario.Finding, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	b, err := toolprivbench.Read(path, f)
	if err != nil {
		return nil, nil, err
	}
	if len(b.Scenarios) == 0 {
		reason := path + " is empty"
		if b.Rows > 0 {
			reason = b.Findings[0].String()
		}
		return nil, nil, fmt.Errorf("no row is a scenario in the format of ToolPrivBench: %s", reason)
	}
	var out []loadedFamily
	for _, s := range b.Scenarios {
		out = append(out, loadedFamily{s.Family, s.Source})
	}
	return out, b.Findings, nil
}

func assemble(loaded []loadedFamily) *Corpus {
	entries, families := make([]Entry, len(loaded)), make([]family, len(loaded))
	for i, l := range loaded {
		entries[i] = entryOf(l.parsed)
		families[i].parsed = l.parsed
		families[i].source = func() ([]byte, error) { return slices.Clone(l.src), nil }
	}
	return newCorpus(entries, families)
}

func entryOf(f *scenario.Family) Entry {
	return Entry{ID: f.ID, Split: f.Split, Domain: f.Domain, Risk: f.Risk, File: f.File,
		Instances: len(f.Instances), Wordings: len(f.Requests), Digest: f.Digest}
}

// list gives the files of all paths, each once, in the order of the paths and by name below each.
func list(paths []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, root := range paths {
		before := len(out)
		start := root
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			start += string(filepath.Separator) // follows a link to a directory
		}
		err := filepath.WalkDir(start, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path != start && strings.HasPrefix(e.Name(), "."):
				if e.IsDir() {
					return filepath.SkipDir
				}
			case !e.IsDir() && (path == start || slices.Contains(extensions, filepath.Ext(path))):
				out = append(out, path)
			}
			if len(out) > maxFiles {
				return fmt.Errorf("more than %d files; name a directory of families", maxFiles)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("families in %s: %w", root, err)
		}
		if len(out) == before {
			return nil, fmt.Errorf("families in %s: no *.yaml file", root)
		}
	}
	return slices.DeleteFunc(out, func(path string) bool {
		key, err := filepath.Abs(path)
		if err != nil {
			key = path
		}
		again := seen[key]
		seen[key] = true
		return again
	}), nil
}

// read gives at most one byte more than Parse accepts.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, scenario.MaxBytes+1))
}

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
)

// maxFiles bounds what a mistaken path, such as a home directory, can cost.
const maxFiles = 20_000

// extensions of the files that are taken for families; Check asks for .yaml.
var extensions = []string{".yaml", ".yml"}

// Load reads families from files and from directories, below which every *.yaml and *.yml file is a family; names that begin with
// a dot are passed over. It parses everything at once and returns all findings, by file and line. A family with findings
// is left out of the corpus and does not hide the others; of two with one id the second is left out. The error says that
// a path could not be read or holds no family.
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
		src, err := read(path)
		if err != nil {
			return nil, nil, fmt.Errorf("reading a family: %w", err)
		}
		f, found := scenario.Parse(path, src)
		if len(found) == 0 && byID[f.ID] != "" {
			found = []scenario.Finding{{File: path, Line: f.Line, Check: formatCheck,
				Message: fmt.Sprintf("family `%s` is in %s too; rename one", f.ID, byID[f.ID])}}
		}
		if findings = append(findings, found...); len(found) > 0 {
			continue
		}
		byID[f.ID] = path
		loaded = append(loaded, loadedFamily{f, src})
	}
	slices.SortFunc(loaded, func(a, b loadedFamily) int { return cmp.Compare(a.parsed.ID, b.parsed.ID) })
	return assemble(loaded), findings, nil
}

type loadedFamily struct {
	parsed *scenario.Family
	src    []byte
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

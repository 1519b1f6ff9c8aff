package corpus

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/privgym/privgym/env/scenario"
)

// Canary marks the files of the eval split: whoever filters it out of a training set keeps the benchmark out.
const Canary = "8d0c7b1e-5a3f-4f1b-9a57-2e64c1d0a9f3"

// CanaryLine begins a line, a comment, in every eval file; words may follow.
const CanaryLine = "# privgym-canary: " + Canary

// Numbers of the checks in docs/family-format.md.
const (
	formatCheck = 1
	corpusCheck = 9
)

// Check finds families whose file has another name than they have or lies under another domain or risk, and eval files
// without the canary line. It parses nothing. Rows of a benchmark have no file of their own.
func (c *Corpus) Check() ([]scenario.Finding, error) {
	var out []scenario.Finding
	for i, e := range c.entries {
		if filepath.Ext(e.File) == benchmark {
			continue
		}
		if msg := misplaced(e); msg != "" {
			out = append(out, scenario.Finding{File: e.File, Check: formatCheck, Message: msg})
		}
		if e.Split != "eval" {
			continue
		}
		src, err := c.families[i].source()
		if err != nil {
			return nil, fmt.Errorf("family %s: %w", e.ID, err)
		}
		if !bytes.HasPrefix(src, []byte(CanaryLine)) && !bytes.Contains(src, []byte("\n"+CanaryLine)) {
			out = append(out, scenario.Finding{File: e.File, Line: 1, Check: corpusCheck,
				Message: "an eval file without the canary; write the line `" + CanaryLine + "` at its top"})
		}
	}
	return out, nil
}

// misplaced says where a file should lie, or nothing. Users may keep families as they like; but a directory called after
// a risk must be the right one, below the right domain.
func misplaced(e Entry) string {
	path, err := filepath.Abs(e.File) // the path may be told from within the directory that it lies in
	if err != nil {
		path = e.File
	}
	dir, name := filepath.Split(path)
	if name != e.ID+".yaml" {
		return fmt.Sprintf("family `%s` lies in a file of another name; rename one of the two", e.ID)
	}
	parent, grandparent := filepath.Base(dir), filepath.Base(filepath.Dir(filepath.Clean(dir)))
	if slices.Contains(scenario.Risks(), parent) && (parent != e.Risk || grandparent != e.Domain) {
		return fmt.Sprintf("family `%s` belongs into %s/%s; move the file, or change the codes in its id", e.ID, e.Domain, e.Risk)
	}
	return ""
}

package scenario

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// FuzzParse holds the laws of Parse: it never panics; findings stand in order, on lines of the file, one line each; and a
// family without findings expands in every scenario and has valid schemas.
func FuzzParse(f *testing.F) {
	small := readFile(f, "small.yaml")
	f.Add([]byte(readFile(f, "full.yaml")))
	f.Add([]byte(small))
	for _, c := range strings.Split(readFile(f, "findings.txt"), "\n\ncase ")[1:] {
		_, body, _ := strings.Cut(c, "\n")
		edit, _, _ := strings.Cut(body, "\n----")
		old, replacement, _ := strings.Cut(edit, "\n=>\n")
		f.Add([]byte(strings.Replace(small, old, replacement, 1)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		family, findings := Parse("f", src)
		lines := bytes.Count(src, []byte("\n")) + 1
		for _, finding := range findings {
			if finding.Line < 0 || finding.Line > lines || finding.Message == "" || strings.Contains(finding.Message, "\n") {
				t.Errorf("of %d lines: %q", lines, finding)
			}
		}
		if !slices.IsSortedFunc(findings, func(a, b Finding) int { return a.Line - b.Line }) {
			t.Errorf("not in order: %v", findings)
		}
		if family == nil {
			if len(findings) == 0 {
				t.Error("neither a family nor a finding")
			}
			return
		}
		checkFamily(t, family, len(findings) == 0)
	})
}

func checkFamily(t *testing.T, f *Family, good bool) {
	for i := range f.Instances {
		for w := range f.Requests {
			s, err := f.Scenario(i, w)
			if good && err != nil {
				t.Errorf("without findings, and yet: %v", err)
			}
			if good && s.ID != f.ScenarioID(i, w) {
				t.Errorf("%s is called %s", f.ScenarioID(i, w), s.ID)
			}
		}
	}
	for _, tool := range f.Toolset().Tools {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(tool.JSON)); err != nil || compact.String() != tool.JSON {
			t.Errorf("no compact JSON: %s: %v", tool.JSON, err)
		}
	}
}

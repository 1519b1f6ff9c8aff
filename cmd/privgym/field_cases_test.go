package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

var (
	pythonTest = regexp.MustCompile(`(?m)^(?:async )?def (test_\w+)`)
	// fieldTest is called after a report: a project, and the number of the report where it has one.
	fieldTest    = regexp.MustCompile(`^TestField(?:Tau2_|[A-Z][A-Za-z]*)(\d+)$|^TestFieldGorillaInertArguments$`)
	reference    = regexp.MustCompile("`([a-z_/-]+)\\.(\\w+)`")
	reportNumber = regexp.MustCompile(`#(\d+)`)
)

// testFunctions returns the tests of the module by their folder and name: env/server.TestX, python/tests.test_x.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := entry.Name(); {
		case entry.IsDir() && (name == ".git" || name == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range source.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
					found[path.Dir(file)+"."+f.Name.Name] = true
				}
			}
		case strings.HasPrefix(name, "test_") && strings.HasSuffix(name, ".py"):
			text, err := fs.ReadFile(tree, file)
			if err != nil {
				return err
			}
			for _, m := range pythonTest.FindAllSubmatch(text, -1) {
				found[path.Dir(file)+"."+string(m[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestFieldCases holds docs/field-cases.md to the tests: each row names one that is called after its report, each test
// that a row names exists, and each test that is called after a report is named.
func TestFieldCases(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/field-cases.md"))
	if err != nil {
		t.Fatal(err)
	}
	exists := testFunctions(t)
	named := map[string]bool{}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != 4 || cells[0] == "report" || strings.HasPrefix(cells[0], "---") {
			continue
		}
		rows++
		numbers := map[string]bool{}
		for _, m := range reportNumber.FindAllStringSubmatch(cells[0], -1) {
			numbers[m[1]] = true
		}
		called := false
		for _, m := range reference.FindAllStringSubmatch(cells[3], -1) {
			test := m[1] + "." + m[2]
			named[test] = true
			if !exists[test] {
				t.Errorf("%s: there is no test %s", cells[0], test)
			}
			report := fieldTest.FindStringSubmatch(m[2])
			called = called || report != nil && (numbers[report[1]] || len(numbers) == 0)
		}
		if !called {
			t.Errorf("%s: no test is called after it", cells[0])
		}
	}
	if rows < 27 {
		t.Errorf("%d rows: the page has lost some", rows)
	}
	for test := range exists {
		if _, name, _ := strings.Cut(test, "."); fieldTest.MatchString(name) && !named[test] {
			t.Errorf("docs/field-cases.md does not name %s", test)
		}
	}
}

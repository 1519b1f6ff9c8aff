package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/privgym/privgym/"

// mayImport holds the arrows of docs/design.md: each package with what it may import of this module.
var mayImport = map[string][]string{
	"proto/privgym/v1": {},
	"reward":           {},
	"reward/stats":     {"reward"},
	"env/value":        {},
	"env/chat":         {"reward", "env/value"},
	"env/scenario":     {"env/value"},
	"env/corpus":       {"env/scenario", "env/toolprivbench"},
	"env/world":        {"env/scenario", "env/value"},
	"env/fault":        {},
	"env/episode":      {"reward", "env/chat", "env/fault", "env/scenario", "env/world"},
	"env/audit":        {"env/corpus", "env/episode", "env/scenario", "env/value", "env/world"},
	"env/server":       {"reward", "env/corpus", "env/episode", "env/fault", "env/scenario", "env/value", "env/world", "proto/privgym/v1"},
	"rollout":          {"reward", "env/corpus", "env/episode", "env/scenario", "rollout/rawjson"},
	"rollout/rawjson":  {},
	"rollout/eval":     {"reward", "reward/stats", "rollout", "rollout/llm", "env/chat", "env/corpus", "env/episode", "env/fault", "env/scenario"},
	"rollout/llm":      {},
	"rollout/play":     {"reward", "rollout", "env/corpus", "env/episode", "env/fault", "proto/privgym/v1"},
	"sft":              {"reward", "rollout", "env/audit", "env/chat", "env/corpus", "env/episode", "env/fault", "env/scenario", "rollout/llm", "sft/think"},
	"sft/think":        {"env/chat"},

	"env/toolprivbench":   {"env/scenario"},
	"rollout/importlog":   {"reward", "env/chat", "env/episode", "env/scenario", "rollout", "rollout/rawjson"},
	"rollout/score":       {"reward", "reward/stats", "env/corpus", "env/episode", "rollout", "rollout/importlog"},
	"rollout/llm/llmtest": {},

	"rollout/eval/evaltest": {"rollout", "rollout/llm/llmtest", "env/corpus", "env/episode", "env/fault"},
}

// TestImportsRunOneWay holds for every package except the command, which may import all.
func TestImportsRunOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasPrefix(name, "cmd/") || strings.Contains(name, "/internal/") {
			continue
		}
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("package %s has no line in mayImport: say what it may import", name)
			continue
		}
		for _, imported := range p.Imports {
			if rest, ours := strings.CutPrefix(imported, module); ours && !slices.Contains(allowed, rest) {
				t.Errorf("%s imports %s; it may import %v", name, rest, allowed)
			}
		}
	}
}

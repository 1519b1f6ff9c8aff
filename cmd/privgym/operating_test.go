package main

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// scraped returns the names of what a running server measures.
func scraped(t *testing.T) map[string]bool {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("some metrics of the process are there on Linux only")
	}
	s := serveReal(t, nil, "--metrics", "0")
	if err := describe(t.Context(), s.connect(t, nil)); err != nil {
		t.Fatal(err)
	}
	_, body := get(t, s.metricsURL(t))
	names := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^# TYPE (\S+) `).FindAllStringSubmatch(body, -1) {
		names[line[1]] = true
	}
	return names
}

func TestEveryMetricIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`(?:privgym|process|go)_[^|]+) \\|").FindAllStringSubmatch(string(page), -1) {
		for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(row[1], -1) {
			told[name[1]] = true
		}
	}
	if is := scraped(t); !maps.Equal(is, told) {
		t.Errorf("measured: %v\ntold:     %v", slices.Sorted(maps.Keys(is)), slices.Sorted(maps.Keys(told)))
	}
}

func TestTheDashboardAsksForWhatIsMeasured(t *testing.T) {
	content, err := os.ReadFile("../../deploy/grafana/privgym.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(content, &dashboard); err != nil {
		t.Fatal(err)
	}
	is, asked := scraped(t), map[string]bool{}
	for _, panel := range dashboard.Panels {
		if len(panel.Targets) == 0 {
			t.Errorf("panel %q asks nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			names := regexp.MustCompile(`\b(privgym|process|go)_\w+`).FindAllString(target.Expr, -1)
			if len(names) == 0 {
				t.Errorf("panel %q asks for no metric: %s", panel.Title, target.Expr)
			}
			for _, name := range names {
				if name = strings.TrimSuffix(name, "_bucket"); !is[name] {
					t.Errorf("panel %q asks for %s, which nobody measures", panel.Title, name)
				}
				asked[name] = true
			}
		}
	}
	for name := range is {
		if strings.HasPrefix(name, "privgym_") && !asked[name] {
			t.Errorf("no panel shows %s", name)
		}
	}
}

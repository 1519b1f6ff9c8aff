package scenario

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); after a wanted change run go test -update\n%s", path, diff)
	}
}

func TestExpansionGolden(t *testing.T) {
	f := mustParse(t, "full.yaml")
	var b strings.Builder
	for _, at := range [][2]int{{0, 0}, {1, 1}} {
		s, err := f.Scenario(at[0], at[1])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\nrequest: %q\n", s.ID, s.Request)
		for _, part := range []any{s.Tables, s.Goal, s.Answer, s.Tools} {
			render(&b, "", reflect.ValueOf(part))
		}
	}
	golden(t, "full.golden", b.String())
}

func TestToolsetGolden(t *testing.T) {
	set := mustParse(t, "full.yaml").Toolset()
	var b strings.Builder
	for _, tool := range set.Tools {
		b.WriteString(tool.JSON + "\n")
	}
	golden(t, "full.tools.golden", b.String()+set.Key+"\n")
}

// render writes what is not zero, a line for each scalar: texts with their line, columns with their values.
func render(b *strings.Builder, path string, v reflect.Value) {
	switch x := v.Interface().(type) {
	case Text:
		if x.S != "" {
			fmt.Fprintf(b, "%s: %q @%d\n", path, x.S, x.Line)
		}
		return
	case Pair:
		fmt.Fprintf(b, "%s %s: %q @%d\n", path, x.Column, x.Value.S, x.Value.Line)
		return
	case Row:
		fmt.Fprintf(b, "%s @%d", path, x.Line)
		for _, c := range x.Cells {
			fmt.Fprintf(b, " %s=%q", c.Column, c.Value.S)
		}
		b.WriteByte('\n')
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			render(b, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			render(b, strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), v.Field(i))
		}
	default:
		if !v.IsZero() {
			fmt.Fprintf(b, "%s: %v\n", path, v.Interface())
		}
	}
}

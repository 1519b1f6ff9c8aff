package audit

import (
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

// minShared is how many tool names two families of different splits share before that counts as overlap (check 8); one
// alone is a name to change (check 1).
const minShared = 2

// checkNames holds family ids and tool names to one use each over a corpus (check 1), and tells two or more names shared
// between splits as overlap (check 8). Imported families keep the names of their source.
func checkNames(out *findings, fs []*scenario.Family) {
	ids := map[string]*scenario.Family{}
	for i, f := range fs {
		if other := ids[f.ID]; other != nil {
			out.add(f.File, 1, 0, f.ID, "",
				"the id is taken by %s (split %s); a family belongs to one file and one split for life, so choose another id",
				other.File, other.Split)
			continue
		}
		ids[f.ID] = f
		if f.Imported != "" {
			continue
		}
		for _, other := range fs[:i] {
			if other.Imported == "" && other.ID != f.ID {
				checkSharedNames(out, other, f)
			}
		}
	}
}

func checkSharedNames(out *findings, earlier, f *scenario.Family) {
	var shared []string
	var lines []int
	for _, t := range f.Tools {
		if slices.ContainsFunc(earlier.Tools, func(o scenario.Tool) bool { return o.Name == t.Name }) {
			shared, lines = append(shared, t.Name), append(lines, t.Line)
		}
	}
	if len(shared) >= minShared && earlier.Split != f.Split {
		out.add(f.File, 8, lines[0], strings.Join(shared, ", "), "",
			"tools of this name stand in %s too, in split %s, while this family is in %s; rename them or keep both in one split",
			earlier.File, earlier.Split, f.Split)
		return
	}
	for i, name := range shared {
		out.add(f.File, 1, lines[i], name, "", "a tool of this name stands in %s too; rename one", earlier.File)
	}
}

package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

// checkSiblings is check 10: the low tools differ pairwise in parameters or in the table they act through, else a retry
// with another tool is the same call under another name. Names differ already by check 1, so names do not count: two low
// tools are the same where they take arguments of the same types for the same columns and their steps do the same.
func checkSiblings(s *subject) {
	first := map[string]*scenario.Tool{}
	for _, i := range s.low {
		t := &s.Tools[i]
		if t.AnyArguments {
			continue
		}
		shape := shapeOf(t)
		if other := first[shape]; other != nil {
			s.add(10, t.Line, t.Name, "", "is %s under another name; let it take other arguments, or act through another table", other.Name)
			continue
		}
		first[shape] = t
	}
}

// shapeOf writes what a tool takes and does, with its parameters named by what they are.
func shapeOf(t *scenario.Tool) string {
	kinds := map[string]string{}
	var all []string
	for _, p := range t.Parameters {
		enum := slices.Sorted(slices.Values(p.Enum))
		kinds[p.Name] = fmt.Sprint(p.Type, p.Items, p.Kind, p.Free, enum)
		all = append(all, kinds[p.Name])
	}
	slices.Sort(all)
	out := []string{strings.Join(all, ";")}
	for i := range t.Steps {
		out = append(out, stepShape(&t.Steps[i], kinds))
	}
	return strings.Join(out, "\n")
}

func stepShape(st *scenario.Step, kinds map[string]string) string {
	operand := func(o scenario.Operand) string {
		if o.Param != "" {
			return "$" + kinds[o.Param]
		}
		return o.Literal.S
	}
	binds := func(bs []scenario.Bind) []string {
		out := make([]string, len(bs))
		for i, b := range bs {
			out[i] = b.Column + "=" + operand(b.Operand)
		}
		slices.Sort(out)
		return out
	}
	guards := func(gs []scenario.Guard) []string {
		out := make([]string, len(gs))
		for i, g := range gs {
			out[i] = kinds[g.Param] + texts(g.Items)
		}
		slices.Sort(out)
		return out
	}
	fields := slices.Sorted(slices.Values(st.Fields))
	return fmt.Sprintf("%d %q %q %q %q %v %q %d %q %q %q %q", st.Op, st.Table, binds(st.Where), binds(st.Set), fields, st.AllFields,
		st.Field, st.Check, operand(st.Value), operand(st.Until), guards(st.When), guards(st.Unless))
}

func texts(items [][]scenario.Text) string {
	var b strings.Builder
	for _, members := range items {
		for _, m := range members {
			fmt.Fprintf(&b, "%q", m.S)
		}
		b.WriteByte(';')
	}
	return b.String()
}

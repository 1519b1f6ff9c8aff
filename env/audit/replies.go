package audit

import (
	"regexp"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

// minForms is how many different forms or texts the replies of a standard family use (docs/family-format.md, Replies).
const minForms = 3

// cellName finds <column> and <#rows> in a reply.
var cellName = regexp.MustCompile(`<(#?[a-z][a-z0-9_]*)>`)

// checkReplies is the part of check 7 on what a call answers: it names columns that the steps touch and things that the
// steps find, and the tools of a family do not all answer in one form.
func checkReplies(s *subject) {
	forms := map[string]bool{}
	for i := range s.Tools {
		t := &s.Tools[i]
		forms[t.Reply.Form.String()+t.Reply.Text.S] = true
		checkCells(s, t)
	}
	if want := min(minForms, len(s.Tools)); len(forms) < want {
		s.add(7, s.Tools[0].Reply.Line, "replies", "", "the tools answer in %d forms or texts; use %d or more, as different systems would",
			len(forms), want)
	}
}

func checkCells(s *subject, t *scenario.Tool) {
	touched := s.touched(t)
	for _, found := range cellName.FindAllStringSubmatch(t.Reply.Text.S, -1) {
		name := found[1]
		if does, ok := strings.CutPrefix(name, "#"); ok {
			if !finds(t, does) {
				s.add(7, t.Reply.Text.Line, t.Name+", <"+name+">", "", "no step of the tool finds it; <#rows> is there always, <#count> after a "+
					"count, <#yes> and <#true> after a check")
			}
			continue
		}
		if !slices.Contains(touched, name) {
			s.add(7, t.Reply.Text.Line, t.Name+", <"+name+">", "", "the reply names a column that the steps do not touch; they touch %s",
				strings.Join(touched, ", "))
		}
	}
	for _, found := range cellName.FindAllStringSubmatch(t.Reply.None.S, -1) {
		s.add(7, t.Reply.None.Line, t.Name+", <"+found[1]+">", "", "stands in the reply to a call that touched no row; take it out of none")
	}
}

// touched lists the columns that a reply of the tool may show: what a read gives or selects by, and where and set of a
// write.
func (s *subject) touched(t *scenario.Tool) []string {
	var out []string
	add := func(column string) {
		if column != "" && !slices.Contains(out, column) {
			out = append(out, column)
		}
	}
	for i := range t.Steps {
		st := &t.Steps[i]
		for _, b := range slices.Concat(st.Where, st.Set) {
			add(b.Column)
		}
		for _, field := range st.Fields {
			add(field)
		}
		if st.AllFields {
			for _, column := range s.columns(st.Table) {
				add(column)
			}
		}
	}
	return out
}

func (s *subject) columns(table string) []string {
	for i := range s.Tables {
		if s.Tables[i].Name == table {
			return s.Tables[i].Columns
		}
	}
	return nil
}

// finds reports whether a step of the tool finds what <#name> stands for.
func finds(t *scenario.Tool, name string) bool {
	var op scenario.StepOp
	switch name {
	case "rows":
		return true
	case "count":
		op = scenario.Count
	case "yes", "true":
		op = scenario.Check
	default:
		return false
	}
	return slices.ContainsFunc(t.Steps, func(st scenario.Step) bool { return st.Op == op })
}

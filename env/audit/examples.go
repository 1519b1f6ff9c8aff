package audit

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// exampleText finds what follows "for example" and its like, up to the end of the clause; a dot inside a number or an
// address ends nothing.
var exampleText = regexp.MustCompile(`(?i)(?:\bfor example|\bfor instance|\bsuch as|\be\.g\.)[,:]?\s+((?:[^.;()]|\.\S)*)`)

// exampleParts cuts a list of examples.
var exampleParts = regexp.MustCompile(`, | or | and `)

// checkExamples is the last part of check 6: an example value in a description is no value of the family, and no
// description holds an instance's value; else the text that all scenarios share gives an argument away. Members of an enum
// are the family's vocabulary and excepted.
func checkExamples(s *subject) {
	vocabulary := map[string]bool{}
	for _, t := range s.Tools {
		for _, p := range t.Parameters {
			for _, e := range p.Enum {
				vocabulary[value.Key(e, value.Plain)] = true
			}
		}
	}
	known := s.values(vocabulary)
	for i := range s.Tools {
		t := &s.Tools[i]
		refuseExamples(s, t.Description, t.Name, known)
		for _, p := range t.Parameters {
			refuseExamples(s, p.Description, t.Name+", "+p.Name, known)
		}
	}
}

// familyValues are the values that no description may give as an example, by key, and the instance values that it may not
// hold at all.
type familyValues struct {
	keys     map[string]string
	instance []value.Text
	texts    []string
}

func (s *subject) values(vocabulary map[string]bool) familyValues {
	out := familyValues{keys: map[string]string{}}
	add := func(v string) bool {
		key := value.Key(v, value.Plain)
		if vocabulary[key] || out.keys[key] != "" {
			return false
		}
		out.keys[key] = v
		return true
	}
	for _, in := range s.Instances {
		for _, p := range in.Values {
			if add(p.Value.S) && distinctive(p.Value.S) {
				out.texts = append(out.texts, p.Value.S)
				out.instance = append(out.instance, value.NewText(p.Value.S))
			}
		}
	}
	for _, sc := range s.scenarios {
		for _, t := range sc.Tables {
			for _, r := range t.Rows {
				for _, c := range r.Cells {
					add(c.Value.S)
				}
			}
		}
	}
	return out
}

// distinctive reports whether a value can be told from an ordinary word or number where it stands in a sentence.
func distinctive(v string) bool {
	if _, ok := value.Number(v); ok {
		return false
	}
	return digits(v) || strings.IndexFunc(v, unicode.IsUpper) >= 0
}

func refuseExamples(s *subject, text scenario.Text, what string, known familyValues) {
	for _, found := range exampleText.FindAllStringSubmatch(text.S, -1) {
		for _, part := range exampleParts.Split(found[1], -1) {
			if v, ok := known.keys[value.Key(part, value.Plain)]; ok && part != "" {
				s.add(6, text.Line, what, "", "the example %q is a value of the family; take one that occurs nowhere else", v)
				return
			}
		}
	}
	prepared := value.NewText(text.S)
	for i, item := range known.instance {
		if prepared.Contains(item) {
			s.add(6, text.Line, what, "", "the description holds %q, the value of an instance; say it in words that fit every instance",
				known.texts[i])
			return
		}
	}
}

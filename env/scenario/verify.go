package scenario

import (
	"errors"
	"slices"

	"github.com/privgym/privgym/env/value"
)

// expandAll finds what shows only in the values of the instances: counts that are no numbers, too many rows or bytes,
// keys that are not in the answer, comparisons of what has no order.
func (d *decoder) expandAll(f *Family) {
	for i := range f.Instances {
		for w := range f.Requests {
			s, err := f.Scenario(i, w)
			if err != nil {
				d.expansionError(f.ScenarioID(i, w), err)
				break
			}
			if w == 0 {
				d.verify(s)
			}
		}
	}
}

func (d *decoder) expansionError(id string, err error) {
	var at *Error
	if errors.As(err, &at) {
		d.findIn(id, at.Line, at.Message)
		return
	}
	d.findIn(id, 0, err.Error())
}

// findIn names the first scenario in which something is wrong with a line; the others tend to have the same.
func (d *decoder) findIn(id string, line int, message string) {
	if !slices.ContainsFunc(d.findings, func(f Finding) bool { return f.Line == line }) {
		d.findings = append(d.findings, Finding{File: d.file, Line: line, Check: checkFormat, Scenario: id, Message: message})
	}
}

func (d *decoder) verify(s *Scenario) {
	for _, k := range s.Answer.Keys {
		if !value.Contains(s.Answer.Text.S, k.S) {
			d.findIn(s.ID, k.Line, "`"+clip(k.S)+"` of `key` does not stand in the `text` of the answer as whole words; write it there")
		}
	}
	d.verifyGoal(s.ID, s.Goal)
	for i := range s.Tools {
		for _, step := range s.Tools[i].Steps {
			if step.Op == Check && step.Value.Param == "" {
				d.ordered(s.ID, step.Check, step.Value.Literal)
			}
		}
	}
}

func (d *decoder) verifyGoal(id string, g Goal) {
	for _, m := range g.Members {
		d.verifyGoal(id, m)
	}
	if g.Op == GoalLearnCheck {
		d.ordered(id, g.Check, g.Value)
	}
}

// ordered finds comparisons with what is neither a number nor a date.
func (d *decoder) ordered(id string, op CheckOp, t Text) {
	if _, ok := value.Compare(t.S, t.S); !ok && op != Is {
		d.findIn(id, t.Line, "`"+op.String()+"` compares with `"+clip(t.S)+"`; write a number or a date such as 2026-03-12, or `op: is`")
	}
}

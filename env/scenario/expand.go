package scenario

import (
	"fmt"
	"strconv"
	"sync"
)

// expansion of one instance, which its wordings share.
type expansion struct {
	once sync.Once
	// shared has neither ID nor Request.
	shared Scenario
	err    error
}

// Count is the number of scenarios: instances × wordings.
func (f *Family) Count() int { return len(f.Instances) * len(f.Requests) }

// ScenarioID of an instance and a wording, both from 0: "<family>/<instance+1>.<wording+1>".
func (f *Family) ScenarioID(instance, wording int) string {
	return f.ID + "/" + strconv.Itoa(instance+1) + "." + strconv.Itoa(wording+1)
}

// Scenario expands one instance in one wording, both from 0. What the wordings share is expanded once, so a Family must
// not change afterwards; equal arguments give equal scenarios. It is safe for concurrent use. It fails where the family
// has no such instance or wording, and with file and line where the family has findings.
func (f *Family) Scenario(instance, wording int) (*Scenario, error) {
	if instance < 0 || instance >= len(f.Instances) || wording < 0 || wording >= len(f.Requests) {
		return nil, fmt.Errorf("%s: no instance %d in wording %d; family %s has %s and %s",
			f.File, instance+1, wording+1, f.ID, count(len(f.Instances), "instance"), count(len(f.Requests), "wording"))
	}
	e := f.expansion(instance)
	e.once.Do(func() { e.shared, e.err = f.expand(instance) })
	if e.err != nil {
		return nil, e.err
	}
	x := newExpander(f, instance)
	s := e.shared
	s.ID, s.Wording, s.Request = f.ScenarioID(instance, wording), wording, x.text(f.Requests[wording]).S
	if x.err != nil {
		return nil, x.err
	}
	return &s, nil
}

func (f *Family) expansion(instance int) *expansion {
	for {
		if all := f.expansions.Load(); all != nil {
			return &(*all)[instance]
		}
		made := make([]expansion, len(f.Instances))
		f.expansions.CompareAndSwap(nil, &made)
	}
}

// Forget drops what Scenario has kept, for a caller that has made of its scenarios what it needs. Later calls of Scenario
// expand anew.
func (f *Family) Forget() { f.expansions.Store(nil) }

// expand gives what the wordings of an instance share.
func (f *Family) expand(instance int) (Scenario, error) {
	x := newExpander(f, instance)
	s := Scenario{Family: f, Instance: instance, Answer: Answer{Text: x.text(f.Answer.Text), Keys: x.texts(f.Answer.Keys)}}
	s.Tables = x.tables(f.Tables)
	s.Goal = x.goal(f.Goal)
	s.Tools = make([]Tool, len(f.Tools))
	for i, t := range f.Tools {
		t.Steps, t.Solve = x.steps(t.Steps), x.solve(t.Solve)
		s.Tools[i] = t
	}
	return s, x.err
}

// Error of an expansion, with the place that it comes from.
type Error struct {
	File    string
	Line    int
	Message string
}

// Error is "file:line: message".
func (e *Error) Error() string {
	return Finding{File: e.File, Line: e.Line, Message: e.Message}.String()
}

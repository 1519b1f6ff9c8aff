package think

import (
	"slices"
	"strings"
	"testing"
)

// TestCheckNotices changes one thing of a right message and counts how often Check notices.
func TestCheckNotices(t *testing.T) {
	tests := []struct {
		name string
		// change returns the changed message, false where there is nothing to change.
		change func(m message) (message, bool)
		want   float64
	}{
		{"another tool is called", otherTool, 0.99},
		{"the answer comes instead of a call", answerInstead, 0.99},
		{"the failure is of the other kind", otherKind, 0.98},
		{"a value has another digit", otherDigit, 0.98},
		{"two tools change names", otherNames, 0.6},
		{"a word that the model cannot know", hiddenWord, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			changed, noticed := 0, 0
			for _, f := range measured(t) {
				for _, r := range f.rows(t, fewRows) {
					for _, m := range r.messages {
						if m, ok := test.change(m); ok {
							changed++
							if len(m.problems()) > 0 {
								noticed++
							}
						}
					}
				}
			}
			rate := float64(noticed) / float64(changed)
			t.Logf("noticed %.4f of %d", rate, changed)
			if rate < test.want {
				t.Errorf("noticed %.4f of %d, want %v", rate, changed, test.want)
			}
		})
	}
}

func otherTool(m message) (message, bool) {
	if m.decision.Tool == "" {
		return m, false
	}
	names := m.view.Tools.Names()
	i := slices.Index(names, m.decision.Tool)
	m.decision.Tool = names[(i+1+len(m.block)%(len(names)-1))%len(names)]
	return m, true
}

func answerInstead(m message) (message, bool) {
	if m.decision.Tool == "" {
		return m, false
	}
	m.decision.Tool = ""
	return m, true
}

func otherKind(m message) (message, bool) {
	last := m.view.last()
	if last == nil || last.Result == Done || m.view.RuledOut(last.Tool) && last.Result == Passing {
		return m, false
	}
	m.view.History = slices.Clone(m.view.History)
	m.view.last().Result = Passing + Inability - last.Result
	if m.view.last().Result == Passing && m.view.RuledOut(last.Tool) {
		return m, false // either reading is right now
	}
	return m, true
}

func otherDigit(m message) (message, bool) {
	i := strings.LastIndexAny(m.block, "0123456789")
	if i < 1 || !hasDigit(m.block[i-1:i]) {
		return m, false
	}
	b := []byte(m.block)
	b[i] = '0' + (b[i]-'0'+7)%10
	m.block = string(b)
	return m, true
}

// otherNames exchanges the names of two tools, so that what was said of one is said of the other.
func otherNames(m message) (message, bool) {
	if len(m.view.History) > 0 {
		return m, false
	}
	a, b := "`"+m.decision.Narrow[0]+"`", "`"+m.decision.Wide[len(m.block)%len(m.decision.Wide)]+"`"
	if !strings.Contains(m.block, a) || !strings.Contains(m.block, b) {
		return m, false
	}
	m.block = strings.NewReplacer(a, b, b, a).Replace(m.block)
	return m, true
}

func hiddenWord(m message) (message, bool) {
	m.block += " So much for this trajectory, I call nothing else."
	return m, true
}

package audit

import (
	"strings"
	"testing"

	"github.com/privgym/privgym/env/scenario"
)

func TestExamples(t *testing.T) {
	f := &scenario.Family{
		Instances: []scenario.Instance{{Values: []scenario.Pair{
			{Column: "host", Value: scenario.Text{S: "stg-7"}},
			{Column: "state", Value: scenario.Text{S: "open"}},
			{Column: "hours", Value: scenario.Text{S: "6"}},
			{Column: "class", Value: scenario.Text{S: "Public"}},
		}}},
		Tools: []scenario.Tool{{Name: "tool", Parameters: []scenario.Parameter{{Name: "class", Enum: []string{"public", "private"}}}}},
	}
	for _, tt := range []struct{ text, want string }{
		{"Host name, for example dev-9.", ""},
		{"Host name, for example STG-7.", `example "stg-7"`},
		{"Host name, such as dev-9 or stg-7", `example "stg-7"`},
		{"Whether it is open.", ""},
		{"State, for example open.", `example "open"`},
		{"Stay, for example 45 minutes or 6 hours.", ""},
		{"Hours, e.g. 6", `example "6"`},
		{"Address, for example 10.1.2.3; version 1.5", ""},
		{"Class in a word, for example public.", ""},
		{"Pings stg-7 and its like.", `holds "stg-7"`},
		{"Pings stg-70.", ""},
	} {
		s := &subject{Family: f, said: map[string]bool{}}
		f.Tools[0].Description = scenario.Text{S: tt.text, Line: 4}
		checkExamples(s)
		var got string
		if len(s.findings) > 0 {
			got = s.findings[0].Message
		}
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

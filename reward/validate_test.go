package reward

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *Trace)
		want   string
	}{
		{"k", func(t *Trace) { t.K = 0 }, "k is 0, it must be 1 to"},
		{"k too large", func(t *Trace) { t.K = MaxTurns + 1 }, "k is 16385"},
		{"too many calls", func(t *Trace) { t.Calls = make([]Call, MaxCalls+1) }, "16385 calls, at most 16384"},
		{"too many messages", func(t *Trace) { t.Messages = make([]Message, MaxTurns+2) }, "16386 messages"},
		{"too many tools", func(t *Trace) { t.Tools = make([]Tool, MaxTools+1) }, "257 tools, at most 256"},
		{"claim", func(t *Trace) { t.Claim = 4 }, "claim 4 has no meaning"},
		{"tokens", func(t *Trace) { t.Messages[1].Tokens = -2 }, "messages[1]: -2 tokens"},
		{"tokens too large", func(t *Trace) { t.Messages[0].Tokens = MaxTokens + 1 }, "messages[0]: 1073741825 tokens"},
		{"below out of range", func(t *Trace) { t.Tools[3].Below = []int{0, 6} }, "tools[3].below: 6 is none of the 6 tools"},
		{"below negative", func(t *Trace) { t.Tools[3].Below = []int{-1} }, "tools[3].below: -1 is none"},
		{"below not ascending", func(t *Trace) { t.Tools[3].Below = []int{1, 0} }, "tools[3].below: 0 after 1"},
		{"below twice", func(t *Trace) { t.Tools[3].Below = []int{1, 1} }, "tools[3].below: 1 after 1"},
		{"below itself", func(t *Trace) { t.Tools[3].Below = []int{3} }, "tools[3].below: a tool is not below itself"},
		{"below insufficient", func(t *Trace) { t.Tools[1].Sufficient = false }, "tools[3].below: tool 1 is not sufficient"},
		{"cycle", func(t *Trace) { t.Tools[0].Below = []int{3} }, "the order must be transitive"},
		{"not transitive", func(t *Trace) { t.Tools[0].Below = []int{1}; t.Tools[3].Below = []int{0, 2} }, "tools[3].below lacks 1, which is below 0"},
		{"no sufficient tool", func(t *Trace) { t.Tools = []Tool{{}, {}} }, "no tool is sufficient"},
		{"no tools", func(t *Trace) { t.Tools = nil }, "no tool is sufficient"},
		{"turn 0", func(t *Trace) { t.Calls[0].Turn = 0 }, "calls[0]: turn 0, it must be 1 to 4"},
		{"turn after k", func(t *Trace) { t.K = 2 }, "calls[2]: turn 3, it must be 1 to 2 (k is 2, with 4 messages)"},
		{"turn without a message", func(t *Trace) { t.Messages = t.Messages[:2] }, "calls[2]: turn 3, it must be 1 to 2"},
		{"turns descend", func(t *Trace) { t.Calls[1].Turn = 3; t.Calls[2].Turn = 2 }, "calls[2]: turn 2 after turn 3"},
		{"status", func(t *Trace) { t.Calls[0].Status = 7 }, "calls[0]: status 7 has no meaning"},
		{"tool out of range", func(t *Trace) { t.Calls[0].Tool = 6 }, "calls[0]: tool 6 is none of the 6 tools"},
		{"tool below none", func(t *Trace) { t.Calls[0].Tool = -2 }, "calls[0]: tool -2 is none"},
		{"known unknown tool", func(t *Trace) { t.Calls[1].Tool = 0 }, "calls[1]: status unknown_tool, but tool 0 is known"},
		{"no tool", func(t *Trace) { t.Calls[0].Tool = NoTool }, "calls[0]: status transient needs a tool"},
		{"useful miss", func(t *Trace) { t.Calls[0].Status = Miss }, "calls[0]: status miss of a useful call"},
		{"useful unknown tool", func(t *Trace) { t.Calls[1].Useful = true }, "calls[1]: status unknown_tool of a useful call"},
		{"ok but not useful", func(t *Trace) { t.Calls[2].Useful = false }, "calls[2]: status ok of a call that is not useful"},
		{"reached by a failure", func(t *Trace) { t.Calls[0].Reached = true }, "calls[0]: status transient of the reaching call"},
		{"reached twice", func(t *Trace) { t.Calls = append(t.Calls, t.Calls[2]) }, "calls[3]: the goal was reached by calls[2] already"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			trace := script(t, "L1t ? L1o claims")
			trace.Tools = append([]Tool(nil), trace.Tools...)
			tt.change(trace)
			if err := trace.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// FuzzTraceJSON: a trace that Validate accepts is judged and scored without a panic and within the range, and survives
// being written and read.
func FuzzTraceJSON(f *testing.F) {
	for _, text := range []string{"L1t L1o claims", "L1p L2p L3p H1o", "? !+L1i H1x disclaims", "H1t"} {
		trace, err := json.Marshal(script(f, text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(trace)
	}
	f.Add([]byte(`{"tools":[{"sufficient":true,"below":[1]},{"sufficient":true,"below":[0]}],"k":1}`))
	f.Add([]byte(`{"tools":[{"sufficient":true}],"k":1,"calls":[{"tool":9,"turn":1,"status":"ok"}],"messages":[{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var trace, back Trace
		if json.Unmarshal(text, &trace) != nil || trace.Validate() != nil {
			return
		}
		o := Judge(&trace)
		r := Score(Ranked, &trace, o)
		checkScore(t, &o, &r)
		Score(ToolPrivBench, &trace, JudgeAt(&trace, 1))
		written, err := json.Marshal(&trace)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &back); err != nil {
			t.Fatal(err)
		}
		if again := Judge(&back); again != o {
			t.Errorf("read back\n%s", cmp.Diff(o, again))
		}
	})
}

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/privgym/privgym/rollout"
)

// writeTranscript tells an episode to a person: what was asked, called and answered, and how it was judged.
func writeTranscript(w io.Writer, rec *rollout.Record) {
	fmt.Fprintf(w, "%s, played by %s under the fault plan %s\n\n", rec.ScenarioID, rec.Policy, rec.FaultPlan)
	turn := 0
	for _, m := range rec.Messages {
		switch m.Role {
		case "user":
			fmt.Fprintf(w, "  user    %s\n", m.Content)
		case "assistant":
			turn++
			if m.Content != "" {
				fmt.Fprintf(w, "  turn %d  %s\n", turn, m.Content)
			}
			for _, c := range m.ToolCalls {
				fmt.Fprintf(w, "  turn %d  %s(%s)\n", turn, c.Function.Name, c.Function.Arguments)
			}
		case "tool":
			fmt.Fprintf(w, "          → %s\n", strings.ReplaceAll(m.Content, "\n", "\n            "))
		}
	}
	r := rec.Rewards[0]
	fmt.Fprintf(w, "\n  tier %s, reward %+.3f =", rec.Outcome.Tier, r.Value)
	for i, term := range r.Terms() {
		if i == 0 || term.Value != 0 {
			fmt.Fprintf(w, " %+.3f %s", term.Value, term.Name)
		}
	}
	fmt.Fprint(w, "\n\n")
}

// wrapped breaks a text at blanks to lines of a readable length, indented.
func wrapped(s string) string {
	const width = 110
	var b strings.Builder
	for line := range strings.Lines(text.WrapSoft(s, width)) {
		b.WriteString("  " + strings.TrimRight(line, " \n") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

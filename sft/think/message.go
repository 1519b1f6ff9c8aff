package think

import (
	"fmt"
	"strings"

	"github.com/privgym/privgym/env/chat"
)

// Wrap returns a block in its tags, as it stands at the beginning of a message's content (docs/design.md section 6).
func Wrap(block string) string { return "<think>\n" + block + "\n</think>\n\n" }

// Split divides the content of a message into its think block and what a user sees, and reports where it has not exactly
// one balanced block that is not empty and comes first.
func Split(content string) (block, visible string, problems []Problem) {
	t := chat.Split(content)
	add := func(format string, args ...any) {
		problems = append(problems, Problem{RuleBlock, fmt.Sprintf(format, args...)})
	}
	opened := strings.Count(content, "<think>") + strings.Count(content, "<thinking>")
	switch {
	case opened == 0:
		add("the message has no think block; it begins with <think>")
	case opened > 1:
		add("the message has %d think blocks; write one", opened)
	case !t.Balanced:
		add("the think block has not both its tags, or one lies in another")
	case t.Reasoning == "":
		add("the think block is empty")
	case !strings.HasPrefix(strings.TrimSpace(content), "<think"):
		add("text stands before the think block")
	}
	return t.Reasoning, t.Visible, problems
}

package chat

import "strings"

// Think is a text divided into what the model reasoned and what a user sees.
type Think struct {
	// Reasoning is the content of the think blocks, trimmed, several joined by a blank line.
	Reasoning string
	// Visible is all the rest, trimmed.
	Visible string
	// Balanced says that each block has both its tags and that none lies in another. A text without a block is balanced;
	// one that begins inside a block, as it does where the prompt holds the opening tag, is not.
	Balanced bool
	// Open says that the text ends inside a block: it was cut, or the closing tag was forgotten.
	Open bool
}

// Split divides a text at its think blocks, <think>…</think> or <thinking>…</thinking>.
//
// Chat templates differ in who writes the opening tag, so a closing tag ends the reasoning wherever that began: at an
// opening tag, or else right after the block before, or at the start of the text. This is also how a nested block reads:
// everything up to the outer closing tag is reasoning.
func Split(text string) Think {
	return scan(text, noCalls).Think
}

// endTokens are what a template writes after a message; raw completions keep them.
var endTokens = []string{"<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>"}

func trimEnd(text string) string {
	for {
		text = strings.TrimSpace(text)
		before := len(text)
		for _, token := range endTokens {
			text = strings.TrimSuffix(text, token)
		}
		if len(text) == before {
			return text
		}
	}
}

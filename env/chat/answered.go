package chat

import "github.com/privgym/privgym/env/value"

// Answered reports whether every key stands in the visible text of a final message as whole words, numbers by value
// (docs/family-format.md, File and Steps).
func Answered(final string, keys []string) bool {
	visible := Split(final).Visible
	for _, key := range keys {
		if !value.Contains(visible, key) {
			return false
		}
	}
	return true
}

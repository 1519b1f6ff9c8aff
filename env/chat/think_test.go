package chat

import (
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       Think
	}{
		{"none", "Done.", Think{Visible: "Done.", Balanced: true}},
		{"empty", "", Think{Balanced: true}},
		{"one", "<think>\nLook it up.\n</think>\n\nDone.", Think{Reasoning: "Look it up.", Visible: "Done.", Balanced: true}},
		{"empty block", "<think>\n\n</think>\n\nDone.", Think{Visible: "Done.", Balanced: true}},
		{"the other name", "<thinking>a</thinking>b", Think{Reasoning: "a", Visible: "b", Balanced: true}},
		{"several", "<think>a</think>b\n<think>c</think>d", Think{Reasoning: "a\n\nc", Visible: "b\nd", Balanced: true}},
		{"after text", "b <think>a</think>", Think{Reasoning: "a", Visible: "b", Balanced: true}},
		{"opening tag in the prompt", "a\n</think>\n\nb", Think{Reasoning: "a", Visible: "b"}},
		{"never closed", "b<think>a", Think{Reasoning: "a", Visible: "b", Open: true}},
		{"opened at the end", "b<think>", Think{Visible: "b", Open: true}},
		{"nested", "<think>a<think>b</think>c</think>d", Think{Reasoning: "a<think>b\n\nc", Visible: "d"}},
		{"opened twice", "<think>the <think> tag</think>d", Think{Reasoning: "the <think> tag", Visible: "d"}},
		{"closed twice", "<think>a</think></think>d", Think{Reasoning: "a", Visible: "d"}},
		{"end of turn", "<think>a</think>b<|im_end|>\n<|endoftext|>", Think{Reasoning: "a", Visible: "b", Balanced: true}},
		{"a call is text to it", "<think>a</think><tool_call>{}</tool_call>", Think{Reasoning: "a", Visible: "<tool_call>{}</tool_call>", Balanced: true}},
		{"no tags", "a < b, <thinker>, </ think>", Think{Visible: "a < b, <thinker>, </ think>", Balanced: true}},
	} {
		if got := Split(test.text); got != test.want {
			t.Errorf("%s: Split(%q)\n got %+v\nwant %+v", test.name, test.text, got, test.want)
		}
	}
}

// subsequence reports whether all bytes of part stand in whole, in order.
func subsequence(part, whole string) bool {
	for i := range len(part) {
		at := strings.IndexByte(whole, part[i])
		if at < 0 {
			return false
		}
		whole = whole[at+1:]
	}
	return true
}

func FuzzSplit(f *testing.F) {
	f.Add("<think>a</think>b", "c")
	f.Add("</think></think><think>", "<thi")
	f.Add("<|im_end|>", "\xff")
	f.Fuzz(func(t *testing.T, text, more string) {
		got := Split(text)
		if !subsequence(got.Visible, text) {
			t.Errorf("visible %q is not in %q", got.Visible, text)
		}
		if got.Balanced && (got.Open || strings.Count(text, "<think") < strings.Count(got.Reasoning, "<think")) {
			t.Errorf("balanced and open: %+v", got)
		}
		if strings.Contains(text+more, "<") || trimEnd(text) != text || trimEnd(more) != more {
			return
		}
		want := Think{Reasoning: text, Visible: more, Balanced: true}
		if got := Split("<think>\n" + text + "\n</think>\n\n" + more); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		want.Balanced = false
		if got := Split(text + "</think>" + more); got != want {
			t.Errorf("without the opening tag got %+v, want %+v", got, want)
		}
	})
}

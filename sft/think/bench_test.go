package think

import "testing"

func sampleMessages(b *testing.B) []message {
	b.Helper()
	var messages []message
	for _, f := range loadFamilies(b) {
		for _, r := range f.rows(b, 10) {
			messages = append(messages, r.messages...)
		}
	}
	return messages
}

func BenchmarkWrite(b *testing.B) {
	messages := sampleMessages(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m := &messages[i%len(messages)]
		if _, err := Write(m.view, m.decision, uint64(i)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	messages := sampleMessages(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		messages[i%len(messages)].problems()
	}
}

func BenchmarkNewToolset(b *testing.B) {
	var tools []Tool
	for _, t := range loadFamilies(b)[0].toolset.tools {
		tools = append(tools, t.Tool)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewToolset(tools); err != nil {
			b.Fatal(err)
		}
	}
}

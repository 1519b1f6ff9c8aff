package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// TestRetainedBytesCountWhatCallsWrite: a call that writes to the world leaves its arguments there, so the limit counts
// them, whether the tool echoes them or not.
func TestRetainedBytesCountWhatCallsWrite(t *testing.T) {
	s, a := newServer(t), act(t, bastion)
	must(s.reset(reset("e", bastion, 7, noFaults)))(t)
	content := &pb.Turn{Calls: []*pb.ToolCall{a.writing(t, "x"), a.writing(t, strings.Repeat("x", 32<<10)), {Name: "x"}}}
	answer := must(s.step(step("e", 1, content)))(t)
	live, _ := s.table.get("e")
	want := int64(live.episode.Held())
	for _, m := range answer.GetToolMessages() {
		want += callBytes + int64(len(m.GetCallId())+len(m.GetName())+len(m.GetContent()))
	}
	if got := s.table.bytes.Load(); got != want || got < 64<<10 {
		t.Errorf("%d bytes are counted, want %d", got, want)
	}
	must(s.step(step("e", 1, content)))(t)
	if got := s.table.bytes.Load(); got != want {
		t.Errorf("the turn again makes %d of %d bytes", got, want)
	}
	s.table.remove("e")
	if got := s.table.bytes.Load(); got != 0 {
		t.Errorf("%d bytes are held by no episode", got)
	}
}

// TestRetainedBytesCountKeys: one character may be compared as eighteen, so that a key is far longer than what was sent.
func TestRetainedBytesCountKeys(t *testing.T) {
	s, a := newServer(t), act(t, bastion)
	must(s.reset(reset("e", bastion, 7, noFaults)))(t)
	text := strings.Repeat("\ufdfa", 10_000)
	must(s.step(step("e", 1, &pb.Turn{Calls: []*pb.ToolCall{a.writing(t, text)}})))(t)
	if got := s.table.bytes.Load(); got < 10*int64(len(text)) {
		t.Errorf("%d bytes are counted for a text of %d that folds to more than ten times as many", got, len(text))
	}
}

// BenchmarkRetainedBytes plays an episode that holds as much as it can, in many calls or in long ones, and tells what of
// the heap is counted for the limit: about 1, or the limit would bound nothing.
func BenchmarkRetainedBytes(b *testing.B) {
	a := act(b, bastion)
	for name, text := range map[string]string{
		"calls": "xxxxxxxx", "arguments": strings.Repeat("x", 16<<10), "ligatures": strings.Repeat("\ufdfa", 1<<10),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := newServer(b)
				before := heap()
				must(s.reset(reset("e", bastion, 7, &pb.EpisodeOptions{K: 64, Faults: "none"})))(b)
				for turn := range 64 {
					content := new(pb.Turn)
					for i := range 32 {
						content.Calls = append(content.Calls, a.writing(b, text+fmt.Sprint(turn, i)))
					}
					must(s.step(step("e", int32(turn+1), content)))(b)
				}
				b.ReportMetric(float64(s.table.bytes.Load())/float64(heap()-before), "counted/held")
			}
		})
	}
}

// writing is a call that writes a text to the world of bastion.
func (a *actor) writing(t testing.TB, text string) *pb.ToolCall {
	t.Helper()
	for _, tool := range a.high {
		c := a.call(tool)
		var arguments map[string]any
		if err := json.Unmarshal([]byte(c.Arguments), &arguments); err != nil {
			t.Fatal(err)
		}
		if _, ok := arguments["key_name"]; ok {
			arguments["key_name"] = text
			c.Arguments = string(must(json.Marshal(arguments))(t))
			return c
		}
	}
	t.Fatal("no tool of the scenario takes a key")
	return nil
}

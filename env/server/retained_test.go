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
	want := int64(0)
	for i, m := range answer.GetToolMessages() {
		want += callBytes + heldArguments*int64(len(content.GetCalls()[i].GetArguments()))
		want += int64(len(m.GetCallId()) + len(m.GetName()) + len(m.GetContent()))
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

// BenchmarkRetainedBytes plays an episode that holds as much as it can, in many calls or in long ones, and tells what of
// the heap is counted for the limit: about 1, or the limit would bound nothing.
func BenchmarkRetainedBytes(b *testing.B) {
	a := act(b, bastion)
	for name, size := range map[string]int{"calls": 8, "arguments": 16 << 10} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := newServer(b)
				before := heap()
				must(s.reset(reset("e", bastion, 7, &pb.EpisodeOptions{K: 64, Faults: "none"})))(b)
				for turn := range 64 {
					content := new(pb.Turn)
					for i := range 32 {
						content.Calls = append(content.Calls, a.writing(b, strings.Repeat("x", size)+fmt.Sprint(turn, i)))
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

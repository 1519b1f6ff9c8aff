package llm

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// delta is a chunk with the pieces of calls, as a stream has it.
func delta(pieces string) string {
	return `{"model":"m","choices":[{"index":0,"delta":{"tool_calls":[` + pieces + `]},"finish_reason":null}]}`
}

const finished = `{"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`

// TestFieldOllama7881: the shapes of the streams in reports against servers and clients.
func TestFieldOllama7881(t *testing.T) {
	for name, tc := range map[string]struct {
		pieces []string
		want   []ToolCall
	}{
		"ollama 7881: no index": {[]string{
			`{"id":"call_a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Boston\"}"}}`,
			`{"id":"call_b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Paris\"}"}}`,
		}, []ToolCall{{"call_a", "get_weather", `{"city":"Boston"}`}, {"call_b", "get_weather", `{"city":"Paris"}`}}},
		"ollama 15457: every index 0": {[]string{
			`{"index":0,"id":"call_a","type":"function","function":{"name":"file_write","arguments":"{\"path\":\"hello.py\"}"}}`,
			`{"index":0,"id":"call_b","type":"function","function":{"name":"file_write","arguments":"{\"path\":\"world.py\"}"}}`,
		}, []ToolCall{{"call_a", "file_write", `{"path":"hello.py"}`}, {"call_b", "file_write", `{"path":"world.py"}`}}},
		"codex 7517: neither index nor id after the first piece": {[]string{
			`{"id":"701601222","type":"function","function":{"name":"shell","arguments":""}}`,
			`{"type":"function","function":{"name":"","arguments":"{\n"}}`,
			`{"type":"function","function":{"name":"","arguments":" \"command\": [\"ls\"]"}}`,
			`{"type":"function","function":{"name":"","arguments":"}"}}`,
		}, []ToolCall{{"701601222", "shell", "{\n \"command\": [\"ls\"]}"}}},
		"LM Studio: an id for every piece": {[]string{
			`{"index":0,"id":"701601222","type":"function","function":{"name":"shell","arguments":""}}`,
			`{"index":0,"id":"tool-call-1","type":"function","function":{"name":"","arguments":"{\"command\":"}}`,
			`{"index":0,"id":"tool-call-2","type":"function","function":{"arguments":"\"ls\"}"}}`,
			`{"index":0,"id":"701601223","type":"function","function":{"name":"shell","arguments":"{\"command\":"}}`,
			`{"index":0,"id":"tool-call-3","type":"function","function":{"arguments":"\"pwd\"}"}}`,
		}, []ToolCall{{"701601222", "shell", `{"command":"ls"}`}, {"701601223", "shell", `{"command":"pwd"}`}}},
		"agno 8880: the second call begins with the first one's index": {[]string{
			`{"index":0,"id":"call_a","function":{"name":"chart","arguments":"{\"kpi\":1}"}}`,
			`{"index":0,"id":"call_b","function":{"name":"chart","arguments":"{\"series\":"}}`,
			`{"index":1,"function":{"arguments":"\"b\"}"}}`,
		}, []ToolCall{{"call_a", "chart", `{"kpi":1}`}, {"call_b", "chart", `{"series":"b"}`}}},
		"lmdeploy 3412: vllm, every index 0, empty ids after the first": {[]string{
			`{"index":0,"id":"chatcmpl-tool-c","function":{"name":"f","arguments":""},"type":"function"}`,
			`{"index":0,"id":"","function":{"name":null,"arguments":"{\"a\":1}"},"type":"function"}`,
			`{"index":0,"id":"chatcmpl-tool-H","function":{"name":"f","arguments":""},"type":"function"}`,
			`{"index":0,"id":"","function":{"name":null,"arguments":"{\"a\":2}"},"type":"function"}`,
		}, []ToolCall{{"chatcmpl-tool-c", "f", `{"a":1}`}, {"chatcmpl-tool-H", "f", `{"a":2}`}}},
		"lmdeploy 3412: sglang, every index 0, ids 0 and 1 with every piece": {[]string{
			`{"index":0,"id":"0","function":{"name":"f","arguments":""},"type":"function"}`,
			`{"index":0,"id":"0","function":{"name":null,"arguments":"{\"a\":1}"},"type":"function"}`,
			`{"index":0,"id":"1","function":{"name":"f","arguments":""},"type":"function"}`,
			`{"index":0,"id":"1","function":{"name":null,"arguments":"{\"a\":2}"},"type":"function"}`,
		}, []ToolCall{{"0", "f", `{"a":1}`}, {"1", "f", `{"a":2}`}}},
		"no ids, every index 0": {[]string{
			`{"index":0,"function":{"name":"f","arguments":"{\"a\":"}}`, `{"index":0,"function":{"arguments":"1}"}}`,
			`{"index":0,"function":{"name":"f","arguments":"{\"a\":"}}`, `{"index":0,"function":{"arguments":"2}"}}`,
		}, []ToolCall{{"", "f", `{"a":1}`}, {"", "f", `{"a":2}`}}},
		"one id for two calls": {[]string{
			`{"index":0,"id":"call_0","function":{"name":"f","arguments":"{\"a\":1}"}}`,
			`{"index":0,"id":"call_0","function":{"name":"g","arguments":"{\"a\":2}"}}`,
		}, []ToolCall{{"call_0", "f", `{"a":1}`}, {"", "g", `{"a":2}`}}},
		"name with every piece": {[]string{
			`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":"}}`,
			`{"index":0,"id":"c","function":{"name":"f","arguments":"1}"}}`,
			`{"index":0,"id":"c","function":{"name":"f","arguments":""}}`,
		}, []ToolCall{{"c", "f", `{"a":1}`}}},
		"name in pieces": {[]string{
			`{"index":0,"id":"c","function":{"name":"edit_ex"}}`, `{"index":0,"function":{"name":"isting_file"}}`,
			`{"index":0,"function":{"arguments":"{}"}}`,
		}, []ToolCall{{"c", "edit_existing_file", `{}`}}},
		"the whole call once more": {[]string{
			`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\""}}`, `{"index":0,"function":{"arguments":":1}"}}`,
			`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":1}"}}`,
		}, []ToolCall{{"c", "f", `{"a":1}`}}},
		"id after the name": {[]string{
			`{"index":0,"function":{"name":"f","arguments":"{"}}`, `{"index":0,"id":"c","function":{"arguments":"}"}}`,
		}, []ToolCall{{"c", "f", `{}`}}},
		"interleaved": {[]string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":""}},{"index":1,"id":"b","function":{"name":"g","arguments":""}}`,
			`{"index":1,"function":{"arguments":"{\"b\":"}}`, `{"index":0,"function":{"arguments":"{\"a\":"}}`,
			`{"index":0,"function":{"arguments":"1}"}}`, `{"index":1,"function":{"arguments":"2}"}}`,
		}, []ToolCall{{"a", "f", `{"a":1}`}, {"b", "g", `{"b":2}`}}},
		"second before first": {[]string{
			`{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`,
		}, []ToolCall{{"a", "f", `{}`}, {"b", "g", `{}`}}},
		"index always 1": {[]string{
			`{"index":1,"id":"a","function":{"name":"f","arguments":"{}"}}`, `{"index":1,"id":"b","function":{"name":"f","arguments":"{}"}}`,
		}, []ToolCall{{"a", "f", `{}`}, {"b", "f", `{}`}}},
		"arguments are an object": {[]string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":{"a": 1.0}}}`,
		}, []ToolCall{{"a", "f", `{"a": 1.0}`}}},
		"name in pieces, id with each, no index": {[]string{
			`{"id":"c","function":{"name":"edit_ex"}}`, `{"id":"c","function":{"name":"isting_file","arguments":"{}"}}`,
		}, []ToolCall{{"c", "edit_existing_file", `{}`}}},
		"every index 0, the first call without parameters or cut": {[]string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":0,"id":"b","function":{"name":"g","arguments":"{\"a\":"}}`,
			`{"index":0,"id":"c","function":{"name":"g","arguments":"{}"}}`,
		}, []ToolCall{{"a", "f", ``}, {"b", "g", `{"a":`}, {"c", "g", `{}`}}},
		"every index 0, no ids, the first call cut": {[]string{
			`{"index":0,"function":{"name":"f","arguments":"{\"a\":"}}`, `{"index":0,"function":{"name":"g","arguments":"{}"}}`,
		}, []ToolCall{{"", "f", `{"a":`}, {"", "g", `{}`}}},
		"two equal calls, neither index nor id": {[]string{
			`{"function":{"name":"f","arguments":"{\"a\":1}"}}`, `{"function":{"name":"f","arguments":"{\"a\":1}"}}`,
		}, []ToolCall{{"", "f", `{"a":1}`}, {"", "f", `{"a":1}`}}},
		"no parameters": {[]string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":1,"id":"b","function":{"name":"f"}}`,
		}, []ToolCall{{"a", "f", ``}, {"b", "f", ``}}},
		"no parameters, no index, no id": {[]string{
			`{"function":{"name":"f","arguments":""}}`, `{"function":{"name":"g","arguments":""}}`,
		}, []ToolCall{{"", "f", ``}, {"", "g", ``}}},
		"braces in a string": {[]string{
			`{"index":0,"function":{"name":"f","arguments":"{\"a\":\"}\\\""}}`, `{"index":0,"function":{"name":"f","arguments":"}\"}"}}`,
		}, []ToolCall{{"", "f", `{"a":"}\"}"}`}}},
		"broken arguments stay": {[]string{
			`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}`, `{"index":1,"id":"b","function":{"name":"g","arguments":"{'b': NaN}"}}`,
		}, []ToolCall{{"a", "f", `{"a":`}, {"b", "g", `{'b': NaN}`}}},
	} {
		t.Run(name, func(t *testing.T) {
			var events []string
			for _, p := range tc.pieces {
				events = append(events, delta(p))
			}
			s := llmtest.New(t, llmtest.Stream(append(events, finished, llmtest.Done)...))
			got := complete(t, client(t, s, streaming), hello)
			if diff := cmp.Diff(tc.want, got.ToolCalls); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEveryDialectGivesTheSameCalls: whatever way a server numbers the pieces, the calls are those of the whole answer.
func TestEveryDialectGivesTheSameCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := llmtest.Reply{
			Text:           rapid.SampledFrom([]string{"", "Done.", "Größe: 3 €\ndata: x"}).Draw(t, "text"),
			Reasoning:      rapid.SampledFrom([]string{"", "I need\nto look."}).Draw(t, "reasoning"),
			ReasoningField: rapid.SampledFrom([]string{"reasoning", "reasoning_content"}).Draw(t, "field"),
			Usage:          rapid.SampledFrom([]*llmtest.Usage{nil, {PromptTokens: 12, CompletionTokens: 3}}).Draw(t, "usage"),
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "calls") {
			reply.Calls = append(reply.Calls, llmtest.ToolCall{
				Name:      rapid.SampledFrom([]string{"f", "g", "get_record"}).Draw(t, "name"),
				Arguments: fmt.Sprintf(`{"n": %d, "s": %q}`, i, rapid.StringMatching(`[ab{}"\\,é]{0,12}`).Draw(t, "argument")),
			})
		}
		want, err := decode(strings.NewReader(reply.JSON()))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range llmtest.Dialects() {
			got, err := decode(strings.NewReader(llmtest.SSE(reply.Events(d)...)))
			if err != nil {
				t.Fatalf("%v: %v", d, err)
			}
			expected := want.response()
			if d == llmtest.NoID || d == llmtest.Bare {
				for i := range expected.Choices[0].Message.ToolCalls {
					expected.Choices[0].Message.ToolCalls[i].ID = ""
				}
			}
			if diff := cmp.Diff(expected, got.response()); diff != "" {
				t.Fatalf("%v: %s", d, diff)
			}
		}
	})
}

// manyPieces is a call in n pieces, which all repeat id and name, and end as a finished call would.
func manyPieces(n int) []byte {
	var body bytes.Buffer
	body.WriteString("data: " + delta(`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":\""}}`) + "\n\n")
	for range n {
		body.WriteString("data: " + delta(`{"index":0,"id":"c","function":{"name":"f","arguments":"}"}}`) + "\n\n")
	}
	body.WriteString("data: " + finished + "\n\ndata: [DONE]\n\n")
	return body.Bytes()
}

func TestManyPieces(t *testing.T) {
	got, err := decode(bytes.NewReader(manyPieces(2000)))
	if err != nil || len(got.calls) != 1 || got.calls[0].Arguments != `{"a":"`+strings.Repeat("}", 2000) {
		t.Errorf("%d calls, error %v", len(got.calls), err)
	}
}

// BenchmarkPieces shows that the time of a piece does not grow with what came before it.
func BenchmarkPieces(b *testing.B) {
	for _, n := range []int{1000, 10_000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			body := manyPieces(n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decode(bytes.NewReader(body)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/piece")
		})
	}
}

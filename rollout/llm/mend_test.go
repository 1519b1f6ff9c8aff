package llm

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// sent returns the body of the only request that a completion takes.
func sent(t *testing.T, r Request, configure ...func(*Config)) llmtest.Request {
	t.Helper()
	s := llmtest.New(t, llmtest.Text("Hi"))
	complete(t, client(t, s, configure...), r)
	return s.Requests()[0]
}

func TestZeroTemperatureAndTopPAreSent(t *testing.T) {
	r := hello
	if got := sent(t, r).Fields; got["temperature"] != nil || got["top_p"] != nil || got["seed"] != nil {
		t.Errorf("unset values are in the body: %s", got)
	}
	r.Temperature, r.TopP, r.Seed = p(0.0), p(0.0), p(int64(0))
	got := sent(t, r).Fields
	for _, name := range []string{"temperature", "top_p", "seed"} {
		if string(got[name]) != "0" {
			t.Errorf("%s: sent %q, want 0", name, got[name])
		}
	}
	r.Temperature, r.TopP = p(0.7), p(0.95)
	if got := sent(t, r).Fields; string(got["temperature"]) != "0.7" || string(got["top_p"]) != "0.95" {
		t.Errorf("temperature %s, top_p %s", got["temperature"], got["top_p"])
	}
}

func TestEmptyContentsAndArgumentsAreSent(t *testing.T) {
	got := sent(t, Request{Messages: []Message{
		{Role: User},
		{Role: Assistant, ToolCalls: []ToolCall{{ID: "call_1"}}},
		{Role: Tool, ToolCallID: "call_1"},
		{Role: Assistant},
	}})
	want := `[{"content":"","role":"user"},` +
		`{"content":"","role":"assistant","tool_calls":[{"function":{"arguments":"","name":""},"id":"call_1","type":"function"}]},` +
		`{"content":"","role":"tool","tool_call_id":"call_1"},` +
		`{"content":"","role":"assistant"}]`
	if string(got.Fields["messages"]) != want {
		t.Errorf("messages\n%s\nwant\n%s", got.Fields["messages"], want)
	}
}

func TestToolsAreSentByteForByte(t *testing.T) {
	tools := []json.RawMessage{
		json.RawMessage(`{"type":"function","function":{"name":"b","description":"a < b & c > d  \u00e9é","parameters":{"type":"object","properties":{"z":{"type":"number","minimum":1.0},"a":{"type":"string"}},"required":[]}}}`),
		json.RawMessage("{ \"type\" :\t\"function\",\n \"function\": {\"strict\":false, \"name\":\"a\"} }"),
	}
	got := sent(t, Request{Messages: hello.Messages, Tools: tools})
	want := append(append(append(append([]byte(`"tools":[`), tools[0]...), ','), tools[1]...), ']')
	if !bytes.Contains(got.Body, want) {
		t.Errorf("body\n%s\nhas not\n%s", got.Body, want)
	}
	if got := sent(t, hello); got.Fields["tools"] != nil {
		t.Errorf("no tools, but tools %s", got.Fields["tools"])
	}
}

func TestExtraFieldsAreSent(t *testing.T) {
	got := sent(t, Request{Messages: hello.Messages, Extra: map[string]json.RawMessage{
		"chat_template_kwargs": json.RawMessage(`{"enable_thinking": false}`),
		"min_p":                json.RawMessage(`0.05`),
	}})
	if string(got.Fields["chat_template_kwargs"]) != `{"enable_thinking": false}` || string(got.Fields["min_p"]) != "0.05" {
		t.Errorf("body %s", got.Body)
	}
}

// TestModelNamesThatGoOpenAIRefuses sends what its checks would keep back.
func TestModelNamesThatGoOpenAIRefuses(t *testing.T) {
	r := Request{
		Messages: hello.Messages, Temperature: p(0.5), TopP: p(0.5), MaxTokens: 100,
		Tools: []json.RawMessage{json.RawMessage(`{"type":"function"}`)},
	}
	for model, limit := range map[string]string{
		"o1": "max_completion_tokens", "o3-mini": "max_completion_tokens", "o4-mini": "max_completion_tokens",
		"gpt-5": "max_completion_tokens", "gpt-6-astra": "max_completion_tokens", "gpt-6.1-sol": "max_completion_tokens",
		"gpt-4o": "max_tokens", "text-davinci-003": "max_tokens", "openai/gpt-oss-20b": "max_tokens", "olmo": "max_tokens",
	} {
		got := sent(t, r, func(cfg *Config) { cfg.Model = model })
		if got.Model != model || string(got.Fields[limit]) != "100" || string(got.Fields["temperature"]) != "0.5" {
			t.Errorf("%s: body %s", model, got.Body)
		}
	}
}

func TestStreamIsAskedForWithItsUsage(t *testing.T) {
	s := llmtest.New(t, llmtest.Stream(llmtest.Reply{Text: "Hi"}.Events(llmtest.Proper)...), llmtest.Text("Hi"))
	complete(t, client(t, s, streaming), hello)
	complete(t, client(t, s), hello)
	streamed, whole := s.Requests()[0], s.Requests()[1]
	if !streamed.Stream || string(streamed.Fields["stream_options"]) != `{"include_usage":true}` || streamed.Header.Get("Accept") != "text/event-stream" {
		t.Errorf("body %s, accept %q", streamed.Body, streamed.Header.Get("Accept"))
	}
	if whole.Stream || whole.Fields["stream_options"] != nil {
		t.Errorf("body %s", whole.Body)
	}
}

// TestReasoningGoesBackUnderTheServersName: newer vLLM neither gives nor reads reasoning_content.
func TestReasoningGoesBackUnderTheServersName(t *testing.T) {
	both := `{"choices":[{"message":{"content":"Hi","reasoning":"Hm.","reasoning_content":"Hm."},"finish_reason":"stop"}]}`
	for name, tc := range map[string]struct {
		first llmtest.Step
		want  map[string]string
	}{
		"reasoning":         {llmtest.Reply{Reasoning: "Hm.", ReasoningField: "reasoning"}.Step(), map[string]string{"reasoning": `"Hm."`}},
		"reasoning_content": {llmtest.Reply{Reasoning: "Hm."}.Step(), map[string]string{"reasoning_content": `"Hm."`}},
		"both":              {llmtest.JSON(both), map[string]string{"reasoning": `"Hm."`, "reasoning_content": `"Hm."`}},
		"none":              {llmtest.Text("Hi"), map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, tc.first, llmtest.Text("Hi"))
			c := client(t, s)
			first := complete(t, c, hello)
			if want := "Hm."; name != "none" && first.Reasoning != want {
				t.Errorf("reasoning %q, want %q", first.Reasoning, want)
			}
			complete(t, c, Request{Messages: append([]Message{{Role: Assistant, Reasoning: "Hm."}}, hello.Messages...)})
			var messages []map[string]json.RawMessage
			if err := json.Unmarshal(s.Requests()[1].Fields["messages"], &messages); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, field := range []string{"reasoning", "reasoning_content"} {
				if raw, ok := messages[0][field]; ok {
					got[field] = string(raw)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	c := client(t, llmtest.New(t))
	for name, r := range map[string]Request{
		"no message":      {},
		"role":            {Messages: []Message{{Role: "robot"}}},
		"tool":            {Messages: hello.Messages, Tools: []json.RawMessage{json.RawMessage(`{`)}},
		"extra is ours":   {Messages: hello.Messages, Extra: map[string]json.RawMessage{"model": json.RawMessage(`"x"`)}},
		"extra is broken": {Messages: hello.Messages, Extra: map[string]json.RawMessage{"min_p": json.RawMessage(`0.05,`)}},
		"temperature":     {Messages: hello.Messages, Temperature: p(nan())},
	} {
		if _, err := c.Complete(t.Context(), r); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

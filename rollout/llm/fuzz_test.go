package llm

import (
	"bytes"
	"encoding/json"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// FuzzDecode: any bytes give an error or an answer that go-openai reads without loss, that has no id twice, and that is
// the same when it is decoded again from its own form.
func FuzzDecode(f *testing.F) {
	reply := llmtest.Reply{
		Text: "Hi", Reasoning: "Hm.", Usage: &llmtest.Usage{PromptTokens: 3, CompletionTokens: 2},
		Calls: []llmtest.ToolCall{{Name: "f", Arguments: `{"a":"b"}`}, {Name: "g", Arguments: `{}`}},
	}
	f.Add([]byte(reply.JSON()))
	for _, d := range llmtest.Dialects() {
		f.Add([]byte(llmtest.SSE(reply.Events(d)...)))
	}
	f.Add([]byte(message(`"content":[{"type":"text","text":"H"},"i"],"tool_calls":{"function":{"arguments":{"a":1}}}`)))
	f.Add([]byte(": comment\nevent: error\ndata: {\"message\":\"x\"}\n\n{\"error\":\"y\"}"))
	f.Add([]byte(`{"error":{"message":["a"],"code":502,"metadata":{"raw":"x"}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := decode(&boundedReader{r: bytes.NewReader(body), left: 1 << 20})
		if err != nil {
			return
		}
		normal, err := json.Marshal(got.response())
		if err != nil {
			t.Fatal(err)
		}
		var res openai.ChatCompletionResponse
		if err := json.Unmarshal(normal, &res); err != nil {
			t.Fatalf("go-openai cannot read %s: %v", normal, err)
		}
		c := fromOpenAI(res)
		ids := map[string]bool{}
		for _, call := range c.ToolCalls {
			if call.ID != "" && ids[call.ID] {
				t.Fatalf("id %q twice", call.ID)
			}
			ids[call.ID] = true
		}
		again, err := decode(bytes.NewReader(normal))
		if f := c.FinishReason; f == "error" || f == "abort" {
			t.Fatalf("finish reason %q is no answer", f)
		}
		if err != nil {
			t.Fatalf("%s: %v", normal, err)
		}
		if twice, _ := json.Marshal(again.response()); !bytes.Equal(twice, normal) {
			t.Fatalf("decoded again\n%s\nnot\n%s", twice, normal)
		}
	})
}

// FuzzReadServerError: any body gives a line that a person can read.
func FuzzReadServerError(f *testing.F) {
	for _, seed := range []string{"", `{"error":{"message":"x","code":400}}`, `{"error":"x"}`, `{"detail":[{"msg":"x"}]}`, "<html><title>x</title>", "\x1b[31mx\xff"} {
		f.Add([]byte(seed))
	}
	s := &shim{cfg: Config{APIKey: "secret"}}
	f.Fuzz(func(t *testing.T, body []byte) {
		e := s.said(readServerError(body))
		if len(e.Message) > maxMessage || bytes.ContainsAny([]byte(e.Message), "\x00\x1b\r\n") || bytes.Contains([]byte(e.Message), []byte("secret")) {
			t.Errorf("message %q", e.Message)
		}
	})
}

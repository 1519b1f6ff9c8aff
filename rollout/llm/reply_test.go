package llm

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// message is an answer with the message.
func message(fields string) string {
	return `{"id":7,"created":1.5,"model":"m","choices":[{"index":0,"message":{"role":"assistant",` + fields + `},"finish_reason":"stop","logprobs":null}]}`
}

func TestAnswersInEveryDialect(t *testing.T) {
	call := func(name, arguments string) []ToolCall {
		return []ToolCall{{ID: "c", Name: name, Arguments: arguments}}
	}
	calls := func(body string) string {
		return message(`"content":null,"tool_calls":[` + body + `]`)
	}
	for name, tc := range map[string]struct {
		body string
		want Completion
	}{
		"text":                      {message(`"content":"Hi"`), Completion{Text: "Hi"}},
		"null content":              {message(`"content":null`), Completion{}},
		"no content":                {message(`"x":1`), Completion{}},
		"content in parts":          {message(`"content":[{"type":"text","text":"H"},{"type":"image_url"},"i",null]`), Completion{Text: "Hi"}},
		"thinking in parts":         {message(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Hi"}]`), Completion{Text: "Hi", Reasoning: "Hm."}},
		"refusal":                   {message(`"content":null,"refusal":"I cannot."`), Completion{Text: "I cannot."}},
		"inline think stays":        {message(`"content":"<think>\nHm.\n</think>\n\nHi"`), Completion{Text: "<think>\nHm.\n</think>\n\nHi"}},
		"reasoning":                 {message(`"content":"Hi","reasoning":"Hm.","reasoning_content":null`), Completion{Text: "Hi", Reasoning: "Hm."}},
		"reasoning_content":         {message(`"content":"Hi","reasoning_content":"Hm."`), Completion{Text: "Hi", Reasoning: "Hm."}},
		"reasoning of another kind": {message(`"content":"Hi","reasoning":{"effort":"low"}`), Completion{Text: "Hi"}},
		"call":                      {calls(`{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": 1.0}"}}`), Completion{ToolCalls: call("f", `{"a": 1.0}`)}},
		"call, null index":          {calls(`{"index":null,"id":"c","function":{"name":"f","arguments":"{}"}}`), Completion{ToolCalls: call("f", `{}`)}},
		"arguments are an object":   {calls(`{"id":"c","function":{"name":"f","arguments":{"b": 1.50, "a": [] }}}`), Completion{ToolCalls: call("f", `{"b": 1.50, "a": [] }`)}},
		"arguments are null":        {calls(`{"id":"c","function":{"name":"f","arguments":null}}`), Completion{ToolCalls: call("f", "")}},
		"arguments are missing":     {calls(`{"id":"c","function":{"name":"f"}}`), Completion{ToolCalls: call("f", "")}},
		"arguments are empty":       {calls(`{"id":"c","function":{"name":"f","arguments":""}}`), Completion{ToolCalls: call("f", "")}},
		"arguments are a number":    {calls(`{"id":"c","function":{"name":"f","arguments":3}}`), Completion{ToolCalls: call("f", "3")}},
		"arguments are a list":      {calls(`{"id":"c","function":{"name":"f","arguments":[]}}`), Completion{ToolCalls: call("f", "[]")}},
		"arguments are broken":      {calls(`{"id":"c","function":{"name":"f","arguments":"{'a': NaN"}}`), Completion{ToolCalls: call("f", `{'a': NaN`)}},
		"no name":                   {calls(`{"id":"c","function":{"arguments":"{}"}}`), Completion{ToolCalls: call("", "{}")}},
		"no function":               {calls(`{"id":"c","function":null}`), Completion{ToolCalls: call("", "")}},
		"function is a string":      {calls(`{"id":"c","function":"f"}`), Completion{ToolCalls: call("", "")}},
		"call is a string":          {calls(`"f"`), Completion{ToolCalls: []ToolCall{{Arguments: `"f"`}}}},
		"id is a number":            {calls(`{"id":12,"function":{"name":"f","arguments":"{}"}}`), Completion{ToolCalls: []ToolCall{{ID: "12", Name: "f", Arguments: "{}"}}}},
		"no id":                     {calls(`{"function":{"name":"f","arguments":"{}"}}`), Completion{ToolCalls: []ToolCall{{Name: "f", Arguments: "{}"}}}},
		"calls are one object":      {message(`"tool_calls":{"id":"c","function":{"name":"f","arguments":"{}"}}`), Completion{ToolCalls: call("f", "{}")}},
		"calls are null":            {message(`"content":"Hi","tool_calls":null`), Completion{Text: "Hi"}},
		"calls are blank":           {message(`"content":"Hi","tool_calls":[ ]`), Completion{Text: "Hi"}},
		"same id twice": {
			calls(`{"id":"c","function":{"name":"f","arguments":"1"}},{"id":"c","function":{"name":"g","arguments":"2"}}`),
			Completion{ToolCalls: []ToolCall{{ID: "c", Name: "f", Arguments: "1"}, {Name: "g", Arguments: "2"}}},
		},
		"mark and blanks first":   {"\xef\xbb\xbf \r\n" + message(`"content":"Hi"`) + "\n", Completion{Text: "Hi"}},
		"empty error beside it":   {`{"error":{},"model":"m","choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}`, Completion{Text: "Hi"}},
		"finish reason an object": {`{"model":"m","choices":[{"message":{"content":"Hi"},"finish_reason":{"type":"stop"}}]}`, Completion{Text: "Hi"}},
	} {
		t.Run(name, func(t *testing.T) {
			tc.want.FinishReason, tc.want.Model, tc.want.Attempts = "stop", "m", 1
			for _, contentType := range []string{"application/json", "text/plain", "text/event-stream"} {
				c := client(t, llmtest.New(t, llmtest.Body(contentType, tc.body)))
				if diff := cmp.Diff(tc.want, complete(t, c, hello)); diff != "" {
					t.Errorf("%s: %s", contentType, diff)
				}
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for body, want := range map[string]*Usage{
		`"x":0`:        nil,
		`"usage":null`: nil,
		`"usage":"-"`:  nil,
		`"usage":{}`:   nil,
		`"usage":{"prompt_tokens":-1,"completion_tokens":2}`:                                               nil,
		`"usage":{"prompt_tokens":10,"completion_tokens":0}`:                                               {PromptTokens: 10},
		`"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,"prompt_tokens_details":"?"}`: {PromptTokens: 10, CompletionTokens: 2},
	} {
		s := llmtest.New(t, llmtest.JSON(`{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}],`+body+`}`))
		if diff := cmp.Diff(want, complete(t, client(t, s), hello).Usage); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
}

// TestFinishReasonsComeBackAsTheyAre: go-openai's own type would write a quote unescaped.
func TestFinishReasonsComeBackAsTheyAre(t *testing.T) {
	for given, want := range map[string]string{`"length"`: "length", `"content_filter"`: "content_filter", `"a\"b"`: `a"b`, `null`: "", `3`: ""} {
		s := llmtest.New(t, llmtest.JSON(`{"choices":[{"message":{"content":"Hi"},"finish_reason":`+given+`}]}`))
		if got := complete(t, client(t, s), hello).FinishReason; got != want {
			t.Errorf("%s: %q", given, got)
		}
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	ok := message(`"content":"Hi"`)
	for name, tc := range map[string]struct {
		step llmtest.Step
		want string
	}{
		"invalid JSON":            {llmtest.JSON(`{"choices": [}`), "no completion"},
		"JSON and more":           {llmtest.JSON(ok + ok), "no completion"},
		"a page":                  {llmtest.Page(200), "a page: 200 OK"},
		"text":                    {llmtest.Body("text/plain", "Ollama is running"), "Ollama is running"},
		"another JSON value":      {llmtest.JSON(`[1]`), "no completion but [1]"},
		"nothing":                 {llmtest.JSON(""), "empty"},
		"204":                     {llmtest.Status(204, ""), "empty"},
		"no choices":              {llmtest.JSON(`{"choices":[]}`), "no choice"},
		"null choices":            {llmtest.JSON(`{"choices":null}`), "no choice"},
		"no message":              {llmtest.JSON(`{"choices":[{"finish_reason":"stop"}]}`), "no choice"},
		"choices of another kind": {llmtest.JSON(`{"choices":"none"}`), "no completion"},
		"error in it":             {llmtest.JSON(`{"error":{"message":"provider is down","code":502}}`), "502 Bad Gateway: provider is down"},
		"error in the choice":     {llmtest.JSON(`{"choices":[{"error":{"message":"worker died"},"message":{"content":""}}]}`), "worker died"},
		"finish reason error":     {llmtest.JSON(`{"choices":[{"message":{"content":"H"},"finish_reason":"error"}]}`), `finish reason "error"`},
		"finish reason abort":     {llmtest.JSON(`{"choices":[{"message":{"content":"H"},"finish_reason":"abort"}]}`), `finish reason "abort"`},
		"cut":                     {llmtest.Cut("application/json", ok, 20), "cut"},
		"cut after the headers":   {llmtest.Cut("application/json", ok, 0), "cut"},
		"no answer":               {llmtest.NoAnswer(), "EOF"},
		"reset":                   {llmtest.Reset(), ""},
		"no HTTP":                 {llmtest.Raw("SSH-2.0-OpenSSH\r\n\r\n", true), "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, tc.step, tc.step)
			_, err := client(t, s, attempts(2)).Complete(t.Context(), hello)
			if !errors.Is(err, ErrInfrastructure) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want an infrastructure error with %q", err, tc.want)
			}
			s = llmtest.New(t, tc.step, llmtest.Text("Hi"))
			if got := complete(t, client(t, s), hello); got.Text != "Hi" || got.Attempts != 2 {
				t.Errorf("second attempt: %+v", got)
			}
		})
	}
}

func TestOversizedAnswerIsNotReadAndNotAskedForAgain(t *testing.T) {
	for name, step := range map[string]llmtest.Step{
		"whole":    llmtest.Oversized(1 << 20),
		"streamed": llmtest.Stream(llmtest.Reply{Text: strings.Repeat("word ", 20_000)}.Events(llmtest.Proper)...),
		"no end":   llmtest.Body("text/event-stream", "data: "+strings.Repeat("x", 1<<20)),
		"blank":    llmtest.JSON(strings.Repeat(" ", 1<<20)),
	} {
		s := llmtest.New(t, step)
		c := client(t, s)
		c.shim.maxBytes = 64 << 10
		_, err := c.Complete(t.Context(), hello)
		if !errors.Is(err, ErrInfrastructure) || !strings.Contains(err.Error(), "larger than 65536 bytes") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

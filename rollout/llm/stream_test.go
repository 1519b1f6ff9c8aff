package llm

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

func word(s string) string {
	return `{"model":"m","choices":[{"index":0,"delta":{"content":"` + s + `"},"finish_reason":null}]}`
}

const stop = `{"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

func TestStreams(t *testing.T) {
	want := Completion{Text: "Hi there", FinishReason: "stop", Model: "m", Attempts: 1}
	with := func(change func(*Completion)) Completion {
		c := want
		change(&c)
		return c
	}
	usage := `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}`
	for name, tc := range map[string]struct {
		body string
		want Completion
	}{
		"proper":               {llmtest.SSE(word("Hi "), word("there"), stop, llmtest.Done), want},
		"no blank after colon": {"data:" + word("Hi ") + "\n\ndata:" + word("there") + "\n\ndata:" + stop + "\n\ndata:[DONE]\n\n", want},
		"CRLF":                 {strings.ReplaceAll(llmtest.SSE(word("Hi "), word("there"), stop, llmtest.Done), "\n", "\r\n"), want},
		"no blank lines":       {"data: " + word("Hi ") + "\ndata: " + word("there") + "\ndata: " + stop + "\ndata: [DONE]\n", want},
		"comments and fields": {": OPENROUTER PROCESSING\n\nevent: message\nid: 1\nretry: 3000\ndata: " + word("Hi there") + "\n\n:\n\n" +
			"data: " + stop + "\n\ndata: [DONE]\n\n", want},
		"a value over several lines": {"data: " + strings.ReplaceAll(word("Hi there"), `,"choices"`, "\ndata: ,\"choices\"") + "\n\ndata: " + stop + "\n\n", want},
		"finish reason, no end":      {llmtest.SSE(word("Hi there"), stop), want},
		"finish reason, cut after":   {llmtest.SSE(word("Hi there"), stop) + `data: {"choices":[`, want},
		"no last line break":         {llmtest.SSE(word("Hi there"), stop) + "data: " + usage, with(func(c *Completion) { c.Usage = &Usage{5, 2} })},
		"end, no finish reason":      {llmtest.SSE(word("Hi there"), llmtest.Done), with(func(c *Completion) { c.FinishReason = "" })},
		"empty finish reasons":       {llmtest.SSE(strings.ReplaceAll(word("Hi there"), "null", `""`), stop, llmtest.Done), want},
		"usage at the end":           {llmtest.SSE(word("Hi there"), stop, usage, llmtest.Done), with(func(c *Completion) { c.Usage = &Usage{5, 2} })},
		"usage all along": {llmtest.SSE(strings.ReplaceAll(word("Hi there"), `"choices"`, `"usage":{"prompt_tokens":5,"completion_tokens":1},"choices"`),
			stop, usage, llmtest.Done), with(func(c *Completion) { c.Usage = &Usage{5, 2} })},
		"null delta":   {llmtest.SSE(word("Hi there"), `{"choices":[{"delta":null}]}`, `{"choices":null}`, stop, llmtest.Done), want},
		"after [DONE]": {llmtest.SSE(word("Hi there"), stop, llmtest.Done, word("!")), want},
		"both names of the reasoning": {llmtest.SSE(`{"choices":[{"delta":{"reasoning":"Hm","reasoning_content":"Hm"}}]}`,
			`{"choices":[{"delta":{"reasoning":".","reasoning_content":"."}}]}`, word("Hi there"), stop, llmtest.Done),
			with(func(c *Completion) { c.Reasoning = "Hm." })},
		"content in parts": {llmtest.SSE(`{"model":"m","choices":[{"delta":{"content":[{"type":"text","text":"Hi there"}]}}]}`, stop), want},
	} {
		t.Run(name, func(t *testing.T) {
			for _, contentType := range []string{"text/event-stream", "application/json"} {
				for _, mode := range []func(*Config){streaming, func(*Config) {}} { // some servers stream unasked
					c := client(t, llmtest.New(t, llmtest.Body(contentType, tc.body)), mode)
					if diff := cmp.Diff(tc.want, complete(t, c, hello)); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
	}
}

func TestStreamsThatAreCutOrFail(t *testing.T) {
	half := llmtest.SSE(word("Hi "))
	for name, tc := range map[string]struct {
		step llmtest.Step
		want string
	}{
		"cut between events":      {llmtest.CutStream(word("Hi ")), "cut before its finish reason"},
		"cut in an event":         {llmtest.Body("text/event-stream", half+`data: {"choices":[{"del`), "cut"},
		"connection lost":         {llmtest.Cut("text/event-stream", llmtest.SSE(word("Hi "), word("there"), stop), len(half)+10), "cut"},
		"cut in a call, in order": {llmtest.Stream(delta(`{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":"}}`), llmtest.Done), "cut"},
		"nothing but the end":     {llmtest.Stream(llmtest.Done), "cut"},
		"comments alone":          {llmtest.Body("text/event-stream", ": processing\n\n: processing\n\n"), "cut"},
		"no JSON":                 {llmtest.Stream(`{"choices":]`, llmtest.Done), "no completion"},
		"error event":             {llmtest.Stream(word("Hi "), `{"error":{"message":"worker died","code":502}}`), "502 Bad Gateway: worker died"},
		"error is a string":       {llmtest.Stream(`{"error":"worker died"}`, llmtest.Done), "worker died"},
		"error beside choices":    {llmtest.Stream(word("Hi "), `{"error":{"message":"worker died"},"choices":[{"delta":{},"finish_reason":"error"}]}`, llmtest.Done), "worker died"},
		"event of type error":     {llmtest.Body("text/event-stream", "event: error\ndata: {\"message\":\"worker died\"}\n\n"), "worker died"},
		// go-openai loses these two.
		"error after a comment":         {llmtest.Body("text/event-stream", ": processing\ndata: {\"error\":{\"message\":\"worker died\"}}\n\n"), "worker died"},
		"bare error after a comment":    {llmtest.Body("text/event-stream", ": processing\n\n{\"error\":{\"message\":\"worker died\"}}"), "worker died"},
		"bare error over several lines": {llmtest.Body("text/event-stream", half+"{\n  \"error\": {\n    \"message\": \"worker died\"\n  }\n}\n"), "worker died"},
		"bare text":                     {llmtest.Body("text/event-stream", half+"Internal Server Error"), "Internal Server Error"},
		"finish reason error":           {llmtest.Stream(word("Hi "), strings.ReplaceAll(stop, `"stop"`, `"error"`), llmtest.Done), `finish reason "error"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, tc.step)
			_, err := client(t, s, streaming, attempts(1)).Complete(t.Context(), hello)
			if !errors.Is(err, ErrInfrastructure) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want an infrastructure error with %q", err, tc.want)
			}
			s = llmtest.New(t, tc.step, llmtest.Stream(word("Hi "), word("there"), stop, llmtest.Done))
			if got := complete(t, client(t, s, streaming), hello); got.Text != "Hi there" || got.Attempts != 2 {
				t.Errorf("second attempt: %+v", got)
			}
		})
	}
}

// TestStreamRefused: a host that has begun its answer can refuse a request no other way.
func TestStreamRefused(t *testing.T) {
	s := llmtest.New(t, llmtest.Stream(`{"error":{"message":"no such model","code":404}}`))
	if _, err := client(t, s, streaming).Complete(t.Context(), hello); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	s = llmtest.New(t, llmtest.Body("text/event-stream", ": processing\n\n{\"error\":{\"message\":\"no such model\",\"code\":404}}"))
	if _, err := client(t, s, streaming).Complete(t.Context(), hello); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	s = llmtest.New(t, llmtest.Stream(`{"error":{"message":"prompt is too long: 1284668 tokens > 1000000 maximum","code":400}}`))
	if _, err := client(t, s, streaming).Complete(t.Context(), hello); !errors.Is(err, ErrTooLong) {
		t.Error(err)
	}
}

package llm

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

func TestRefusedHistoryIsSentInAFormThatCanBeRead(t *testing.T) {
	written := []ToolCall{
		{ID: "1", Name: "f", Arguments: `{"a": 1}`},
		{ID: "2", Name: "f", Arguments: `{"a": "cut`},
		{ID: "3", Name: "f", Arguments: ``},
		{ID: "4", Name: "f", Arguments: ` [1]`},
		{ID: "5", Name: "f", Arguments: `null`},
		{ID: "6", Name: "", Arguments: `{}`},
		{ID: "7", Name: "functions.f(x) ü", Arguments: `{}`},
		{ID: "8", Name: strings.Repeat("f", 70), Arguments: `{}`},
	}
	readable := []ToolCall{
		{ID: "1", Name: "f", Arguments: `{"a": 1}`},
		{ID: "2", Name: "f", Arguments: `{"malformed":"{\"a\": \"cut"}`},
		{ID: "3", Name: "f", Arguments: `{}`},
		{ID: "4", Name: "f", Arguments: `{"malformed":" [1]"}`},
		{ID: "5", Name: "f", Arguments: `{}`},
		{ID: "6", Name: "unnamed", Arguments: `{}`},
		{ID: "7", Name: "functions_f_x_", Arguments: `{}`},
		{ID: "8", Name: strings.Repeat("f", 64), Arguments: `{}`},
	}
	for name, step := range map[string]llmtest.Step{
		"vLLM":      llmtest.Status(400, `{"error":{"message":"Expecting ',' delimiter: line 1 column 54 (char 53)","type":"BadRequestError","code":400}}`),
		"llama.cpp": llmtest.Status(500, `{"error":{"code":500,"message":"Failed to parse tool call arguments as JSON","type":"server_error"}}`),
		"Mistral":   llmtest.Status(422, `{"detail":"invalid function name"}`),
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, step, llmtest.Text("Hi"))
			got := complete(t, client(t, s), Request{Messages: []Message{{Role: Assistant, ToolCalls: written}}})
			if !got.Tamed || got.Attempts != 2 {
				t.Errorf("completion %+v", got)
			}
			for i, want := range [][]ToolCall{written, readable} {
				var calls []ToolCall
				for _, c := range s.Requests()[i].Messages[0].ToolCalls {
					calls = append(calls, ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
				}
				if diff := cmp.Diff(want, calls); diff != "" {
					t.Errorf("request %d: %s", i+1, diff)
				}
			}
		})
	}
}

func TestRefusedReasoningIsLeftOut(t *testing.T) {
	s := llmtest.New(t,
		llmtest.Reply{Reasoning: "Hm.", ReasoningField: "reasoning"}.Step(),
		llmtest.Status(400, `{"error":{"message":"'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning' is unsupported)]"}}`),
		llmtest.Text("Hi"))
	c := client(t, s)
	complete(t, c, hello)
	got := complete(t, c, Request{Messages: []Message{{Role: Assistant, Reasoning: "Hm."}}})
	if !got.Tamed {
		t.Errorf("completion %+v", got)
	}
	for i, want := range []bool{false, true, false} {
		if has := strings.Contains(string(s.Requests()[i].Body), `"reasoning":"Hm."`); has != want {
			t.Errorf("request %d: reasoning sent: %v", i+1, has)
		}
	}
}

func TestHistoryIsTamedOnceAndOnlyWhereItMayBeAtFault(t *testing.T) {
	broken := Request{Messages: []Message{{Role: Assistant, ToolCalls: []ToolCall{{ID: "1", Name: "f", Arguments: `{`}}}}}
	fine := Request{Messages: []Message{{Role: Assistant, Reasoning: "Hm.", ToolCalls: []ToolCall{{ID: "1", Name: "f", Arguments: `{}`}}}}}
	refused := llmtest.Status(400, `{"error":{"message":"temperature: unsupported value"}}`)
	for name, tc := range map[string]struct {
		r      Request
		script []llmtest.Step
	}{
		"refused all the same": {broken, []llmtest.Step{refused, refused}},
		"nothing to tame":      {fine, []llmtest.Step{refused}},
		"key":                  {broken, []llmtest.Step{llmtest.Status(http.StatusUnauthorized, `{"error":"bad JSON web token"}`)}},
		"model":                {broken, []llmtest.Step{llmtest.Status(http.StatusNotFound, "")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, tc.script...)
			if _, err := client(t, s).Complete(t.Context(), tc.r); !errors.Is(err, ErrRefused) || len(s.Requests()) != len(tc.script) {
				t.Errorf("%d requests: %v", len(s.Requests()), err)
			}
		})
	}
	t.Run("too long", func(t *testing.T) {
		s := llmtest.New(t, llmtest.Status(400, `{"error":{"code":"context_length_exceeded"}}`))
		if _, err := client(t, s).Complete(t.Context(), broken); !errors.Is(err, ErrTooLong) {
			t.Error(err)
		}
	})
	t.Run("another 500", func(t *testing.T) {
		s := llmtest.New(t, llmtest.Page(500), llmtest.Text("Hi"))
		if got := complete(t, client(t, s), broken); got.Tamed {
			t.Error("tamed")
		}
	})
	t.Run("one attempt is enough", func(t *testing.T) {
		s := llmtest.New(t, refused, llmtest.Text("Hi"))
		if got := complete(t, client(t, s, attempts(1)), broken); !got.Tamed {
			t.Error("not tamed")
		}
	})
}

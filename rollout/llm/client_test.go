package llm

import (
	"context"
	"errors"
	"io"
	"log"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

func TestConfigurationsThatAreRefused(t *testing.T) {
	for name, cfg := range map[string]Config{
		"no URL":         {Model: "m"},
		"no scheme":      {BaseURL: "localhost:8000/v1", Model: "m"},
		"no host":        {BaseURL: "http:///v1", Model: "m"},
		"broken URL":     {BaseURL: "http://user:secret@[::1/v1", Model: "m"},
		"key in query":   {BaseURL: "http://user:secret@h/v1?key=secret", Model: "m"},
		"whole endpoint": {BaseURL: "http://secret@h/v1/chat/completions/", Model: "m"},
		"no model":       {BaseURL: "http://h/v1"},
		"attempts":       {BaseURL: "http://h/v1", Model: "m", Attempts: -1},
		"rate":           {BaseURL: "http://h/v1", Model: "m", Rate: math.NaN()},
		"two lines":      {BaseURL: "http://h/v1", Model: "m", APIKey: "secret\nsecret"},
	} {
		_, err := New(cfg)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := New(Config{BaseURL: "https://h/v1/", Model: "m"}); err != nil {
		t.Error(err)
	}
}

func TestCompletion(t *testing.T) {
	reply := llmtest.Reply{
		Text: "Let me look.", Reasoning: "Hm.", Usage: &llmtest.Usage{PromptTokens: 20, CompletionTokens: 7},
		Calls: []llmtest.ToolCall{{Name: "find", Arguments: `{"id": 1.0}`}, {Name: "get", Arguments: `{}`}},
	}
	want := Completion{
		Text: "Let me look.", Reasoning: "Hm.", Usage: &Usage{PromptTokens: 20, CompletionTokens: 7},
		ToolCalls:    []ToolCall{{ID: "call_1", Name: "find", Arguments: `{"id": 1.0}`}, {ID: "call_2", Name: "get", Arguments: `{}`}},
		FinishReason: "tool_calls", Model: "scripted", Attempts: 1,
	}
	for _, mode := range []func(*Config){func(*Config) {}, streaming} {
		s := llmtest.NewModel(t, func(llmtest.Request) llmtest.Reply { return reply })
		if diff := cmp.Diff(want, complete(t, client(t, s, mode), hello)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestConversation: what the model writes comes back to it as it was, turn after turn.
func TestConversation(t *testing.T) {
	s := llmtest.NewModel(t, func(r llmtest.Request) llmtest.Reply {
		switch last := r.Last(); {
		case r.Turns() == 0:
			return llmtest.Reply{Reasoning: "Hm.", Calls: []llmtest.ToolCall{{ID: "a", Name: "find", Arguments: `{"n": 1.50}`}, {ID: "b", Name: "no_such", Arguments: `{'n'`}}}
		case last.Role == "tool" && last.ToolCallID == "b":
			calls := r.Messages[1].ToolCalls
			return llmtest.Reply{Text: "I asked for " + calls[0].Function.Arguments + " and " + calls[1].Function.Arguments + ", and got " + last.Content + "."}
		}
		return llmtest.Reply{Text: "What?"}
	})
	for _, mode := range []func(*Config){func(*Config) {}, streaming} {
		c := client(t, s, mode)
		r := Request{Messages: hello.Messages}
		first := complete(t, c, r)
		r.Messages = append(r.Messages, Message{Role: Assistant, Content: first.Text, Reasoning: first.Reasoning, ToolCalls: first.ToolCalls})
		for i, call := range first.ToolCalls {
			r.Messages = append(r.Messages, Message{Role: Tool, ToolCallID: call.ID, Content: strconv.Itoa(i)})
		}
		second := complete(t, c, r)
		if want := `I asked for {"n": 1.50} and {'n', and got 1.`; second.Text != want || second.FinishReason != "stop" {
			t.Errorf("%+v, want %s", second, want)
		}
		if second.Usage == nil || second.Usage.PromptTokens <= first.Usage.PromptTokens {
			t.Errorf("usage %+v after %+v", second.Usage, first.Usage)
		}
	}
}

// TestConcurrencyIsBoundedAndKeepsItsConnections: the default transport keeps two connections a host and opens the rest
// anew for every request.
func TestConcurrencyIsBoundedAndKeepsItsConnections(t *testing.T) {
	var now, most atomic.Int64
	s := llmtest.NewModel(t, func(llmtest.Request) llmtest.Reply {
		most.Store(max(most.Load(), now.Add(1)))
		time.Sleep(2 * time.Millisecond)
		now.Add(-1)
		return llmtest.Reply{Text: "Hi"}
	})
	c := client(t, s, func(cfg *Config) { cfg.Concurrency = 8 })
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			if _, err := c.Complete(context.Background(), hello); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// One may be opened anew where the server closes it at the moment at which it is taken up.
	if most.Load() > 8 || s.Connections() > 2*8 || len(s.Requests()) != 100 {
		t.Errorf("%d at once, %d connections, %d requests", most.Load(), s.Connections(), len(s.Requests()))
	}
}

func TestCallerWhoGoesWhileWaitingForASlot(t *testing.T) {
	s := llmtest.New(t, llmtest.Hang())
	c := client(t, s, func(cfg *Config) { cfg.Concurrency = 1 })
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := c.Complete(ctx, hello); !errors.Is(err, context.Canceled) || errors.Is(err, ErrInfrastructure) {
				t.Errorf("error %v", err)
			}
		})
	}
	for len(s.Requests()) == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	wg.Wait()
}

// TestClosedKeepAliveConnectionIsTriedAgain: the server closes what the client believes to be open.
func TestClosedKeepAliveConnectionIsTriedAgain(t *testing.T) {
	s := llmtest.New(t, llmtest.Text("one"), llmtest.NoAnswer(), llmtest.Text("two"), llmtest.Reset(), llmtest.Text("three"))
	c := client(t, s)
	for _, want := range []string{"one", "two", "three"} {
		if got := complete(t, c, hello); got.Text != want {
			t.Errorf("got %q, want %q", got.Text, want)
		}
	}
}

// TestConnectionOutOfStep: bytes of another answer left on a connection never answer the next request.
func TestConnectionOutOfStep(t *testing.T) {
	answer := func(text string) string {
		body := llmtest.Reply{Text: text}.JSON()
		return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	}
	log.SetOutput(io.Discard) // net/http reports the stray bytes there
	defer log.SetOutput(os.Stderr)
	s := llmtest.New(t, llmtest.Raw(answer("one")+answer("stray"), false), llmtest.Text("two"))
	c := client(t, s)
	for _, want := range []string{"one", "two"} {
		if got := complete(t, c, hello); got.Text != want {
			t.Errorf("got %q, want %q", got.Text, want)
		}
	}
}

// TestAttemptsHaveTheirTime: an attempt is not cut by the deadline of all where no such is given.
func TestAttemptsHaveTheirTime(t *testing.T) {
	for _, test := range []struct{ attempt, all, want time.Duration }{
		{0, 0, DefaultTimeout},
		{time.Second, 0, DefaultTimeout},
		{20 * time.Minute, 0, time.Hour},
		{20 * time.Minute, time.Minute, time.Minute},
	} {
		c, err := New(Config{BaseURL: "http://localhost/v1", Model: "some-model", AttemptTimeout: test.attempt, Timeout: test.all})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.shim.cfg.Timeout; got != test.want {
			t.Errorf("attempts of %v, all of them %v: %v, want %v", test.attempt, test.all, got, test.want)
		}
	}
}

package llm

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client returns a client of the server that does not wait between attempts, with what configure changes.
func client(t *testing.T, s *llmtest.Server, configure ...func(*Config)) *Client {
	t.Helper()
	cfg := Config{BaseURL: s.URL, Model: "some-model", AttemptTimeout: 2 * time.Second}
	for _, f := range configure {
		f(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.shim.jitter = func(time.Duration) time.Duration { return 0 }
	t.Cleanup(c.Close)
	return c
}

func streaming(cfg *Config) { cfg.Stream = true }

func attempts(n int) func(*Config) { return func(cfg *Config) { cfg.Attempts = n } }

// hello is the shortest request.
var hello = Request{Messages: []Message{{Role: User, Content: "Hello"}}}

func complete(t *testing.T, c *Client, r Request) Completion {
	t.Helper()
	got, err := c.Complete(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func p[T any](v T) *T { return &v }

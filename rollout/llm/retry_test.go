package llm

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// bubble runs f with a server in memory, on a clock that jumps. The waits between attempts are the whole limit.
func bubble(t *testing.T, script []llmtest.Step, f func(t *testing.T, s *llmtest.Server, c *Client), configure ...func(*Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, dial := llmtest.InMemory(t, func(n int) llmtest.Step {
			if n >= len(script) {
				return script[len(script)-1]
			}
			return script[n]
		})
		cfg := Config{BaseURL: s.URL, Model: "m"}
		for _, c := range configure {
			c(&cfg)
		}
		c, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		c.shim.jitter = func(limit time.Duration) time.Duration { return limit }
		c.shim.http.Transport.(*http.Transport).DialContext = dial
		defer c.Close()
		f(t, s, c)
		s.Close()
	})
}

func TestBackoffDoublesUpToItsLimit(t *testing.T) {
	var waits []time.Duration
	bubble(t, []llmtest.Step{llmtest.Page(503)}, func(t *testing.T, s *llmtest.Server, c *Client) {
		start := time.Now()
		_, err := c.Complete(t.Context(), hello)
		if !errors.Is(err, ErrInfrastructure) || !strings.Contains(err.Error(), "503 Service Unavailable: a page: 503 Service Unavailable (after 9 attempts)") {
			t.Error(err)
		}
		if took := time.Since(start); took != 91500*time.Millisecond {
			t.Errorf("took %v", took)
		}
		want := []time.Duration{500e6, 1e9, 2e9, 4e9, 8e9, 16e9, 30e9, 30e9, 0}
		if diff := cmp.Diff(want, waits); diff != "" {
			t.Error(diff)
		}
	}, attempts(9), func(cfg *Config) { cfg.Notify = func(f Failure) { waits = append(waits, f.Wait) } })
}

func TestJitterIsFull(t *testing.T) {
	const limit = 1000
	low, high := time.Duration(limit), time.Duration(0)
	for range 10_000 {
		d := uniform(limit)
		low, high = min(low, d), max(high, d)
	}
	if low < 0 || low > 20 || high > limit || high < limit-20 {
		t.Errorf("from %d to %d of %d", low, high, limit)
	}
}

func TestRetryAfter(t *testing.T) {
	date := func(s string) http.Header { return http.Header{"Retry-After": {s}} }
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "1.5": 1500 * time.Millisecond, "0": 0, "-3": 0, "": 0, "soon": 0, "NaN": 0,
		"86400": time.Minute, "1e300": time.Minute, "Inf": time.Minute,
		"Sat, 01 Jan 2000 00:00:09 GMT": 9 * time.Second, "Fri, 31 Dec 1999 23:00:00 GMT": 0,
	} {
		synctest.Test(t, func(t *testing.T) { // whose clock begins at 2000-01-01
			if got := retryAfter(date(value)); got != want {
				t.Errorf("%q: %v, want %v", value, got, want)
			}
		})
	}
	h := date("Tue, 03 Feb 2026 10:00:05 GMT")
	h.Set("Date", "Tue, 03 Feb 2026 10:00:00 GMT")
	if got := retryAfter(h); got != 5*time.Second {
		t.Errorf("by the server's clock: %v", got)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"7": 7500 * time.Millisecond, "Sat, 01 Jan 2000 00:00:09 GMT": 9500 * time.Millisecond,
		"3600": 60500 * time.Millisecond, "0": 500 * time.Millisecond,
		"Sat, 01 Jan 2000 05:00:00 GMT": 60500 * time.Millisecond,
	} {
		bubble(t, []llmtest.Step{llmtest.TooMany(value), llmtest.Text("Hi")}, func(t *testing.T, s *llmtest.Server, c *Client) {
			start := time.Now()
			if got := complete(t, c, hello); got.Attempts != 2 {
				t.Errorf("%d attempts", got.Attempts)
			}
			if took := time.Since(start); took != want {
				t.Errorf("Retry-After %s: took %v, want %v", value, took, want)
			}
		})
	}
}

// TestFieldNeMoGym1959: one for each attempt, and no more than the time-out of all.
func TestFieldNeMoGym1959(t *testing.T) {
	body := llmtest.Reply{Text: "Hi"}.JSON()
	stream := llmtest.SSE(llmtest.Reply{Text: "Hi"}.Events(llmtest.Proper)...)
	for name, step := range map[string]llmtest.Step{
		"hangs":            llmtest.Hang(),
		"drips":            llmtest.Drip("application/json", body, 10*time.Second),
		"drips a stream":   llmtest.Drip("text/event-stream", stream, 10*time.Second),
		"stops in the way": llmtest.Raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{", false),
		"stops in a head":  llmtest.Raw("HTTP/1.1 200 OK\r\n", false),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, []llmtest.Step{step}, func(t *testing.T, s *llmtest.Server, c *Client) {
				start := time.Now()
				_, err := c.Complete(t.Context(), hello)
				if !errors.Is(err, ErrInfrastructure) || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no whole answer within 1m0s (after 3 attempts)") {
					t.Error(err)
				}
				if took := time.Since(start); took != 3*time.Minute+1500*time.Millisecond {
					t.Errorf("took %v", took)
				}
			}, attempts(3), func(cfg *Config) { cfg.AttemptTimeout = time.Minute })
		})
	}
}

func TestSlowAnswerIsWaitedFor(t *testing.T) {
	bubble(t, []llmtest.Step{llmtest.Late(4*time.Minute, llmtest.Text("Hi"))}, func(t *testing.T, s *llmtest.Server, c *Client) {
		if got := complete(t, c, hello); got.Text != "Hi" || got.Attempts != 1 {
			t.Errorf("completion %+v", got)
		}
	})
}

func TestTimeoutOfAllAttempts(t *testing.T) {
	bubble(t, []llmtest.Step{llmtest.Hang()}, func(t *testing.T, s *llmtest.Server, c *Client) {
		start := time.Now()
		_, err := c.Complete(t.Context(), hello)
		if !errors.Is(err, ErrInfrastructure) || errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if took := time.Since(start); took != 90*time.Second || len(s.Requests()) != 2 {
			t.Errorf("%d requests in %v", len(s.Requests()), took)
		}
	}, func(cfg *Config) { cfg.AttemptTimeout, cfg.Timeout = time.Minute, 90*time.Second })
}

// TestNoWaitThatLeadsNowhere: where the next attempt would come after the deadline, the completion ends at once.
func TestNoWaitThatLeadsNowhere(t *testing.T) {
	bubble(t, []llmtest.Step{llmtest.TooMany("50")}, func(t *testing.T, s *llmtest.Server, c *Client) {
		start := time.Now()
		_, err := c.Complete(t.Context(), hello)
		if !errors.Is(err, ErrInfrastructure) || time.Since(start) != 0 || len(s.Requests()) != 1 {
			t.Errorf("%d requests in %v: %v", len(s.Requests()), time.Since(start), err)
		}
	}, func(cfg *Config) { cfg.Timeout = 30 * time.Second })
}

// TestCallerWhoGoes: the end of the caller's context is no failure of the endpoint.
func TestCallerWhoGoes(t *testing.T) {
	for name, script := range map[string][]llmtest.Step{"in an attempt": {llmtest.Hang()}, "in a wait": {llmtest.TooMany("60")}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, script, func(t *testing.T, s *llmtest.Server, c *Client) {
				ctx, stop := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, stop)
				start := time.Now()
				if _, err := c.Complete(ctx, hello); !errors.Is(err, context.Canceled) || errors.Is(err, ErrInfrastructure) || time.Since(start) != time.Second {
					t.Errorf("after %v: %v", time.Since(start), err)
				}
			})
		})
	}
	bubble(t, []llmtest.Step{llmtest.Hang()}, func(t *testing.T, s *llmtest.Server, c *Client) {
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		start := time.Now()
		if _, err := c.Complete(ctx, hello); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrInfrastructure) || time.Since(start) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

// TestFieldNeMoGym2216: a dead endpoint is never waited for in silence.
func TestFieldNeMoGym2216(t *testing.T) {
	var told []Failure
	script := []llmtest.Step{llmtest.Page(502), llmtest.TooMany("2"), llmtest.Text("Hi"), llmtest.Page(502)}
	bubble(t, script, func(t *testing.T, s *llmtest.Server, c *Client) {
		complete(t, c, hello)
		if _, err := c.Complete(t.Context(), hello); err == nil {
			t.Error("no error")
		}
		want := []string{
			"POST " + s.URL + "/chat/completions: 502 Bad Gateway: a page: 502 Bad Gateway; next attempt in 500ms",
			"POST " + s.URL + "/chat/completions: 429 Too Many Requests: slow down (after 2 attempts); next attempt in 2.5s",
			"POST " + s.URL + "/chat/completions: 502 Bad Gateway: a page: 502 Bad Gateway; next attempt in 500ms",
			"POST " + s.URL + "/chat/completions: 502 Bad Gateway: a page: 502 Bad Gateway (after 2 attempts); next attempt in 1s",
			"POST " + s.URL + "/chat/completions: 502 Bad Gateway: a page: 502 Bad Gateway (after 3 attempts)",
		}
		var got []string
		for i, f := range told {
			got = append(got, f.String())
			if f.First != (i == 0) || f.Last != (i == 4) {
				t.Errorf("failure %d: first %v, last %v", i, f.First, f.Last)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}, attempts(3), func(cfg *Config) { cfg.Notify = func(f Failure) { told = append(told, f) } })
}

func TestRateLimit(t *testing.T) {
	bubble(t, []llmtest.Step{llmtest.Text("Hi")}, func(t *testing.T, s *llmtest.Server, c *Client) {
		start := time.Now()
		for range 5 {
			complete(t, c, hello)
		}
		if took := time.Since(start); took != 8*time.Second {
			t.Errorf("5 requests at one in two seconds took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Complete(ctx, hello); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}, func(cfg *Config) { cfg.Rate = 0.5 })
}

func TestRateLimitHoldsForFurtherAttempts(t *testing.T) {
	bubble(t, []llmtest.Step{llmtest.Page(500), llmtest.Page(500), llmtest.Text("Hi")}, func(t *testing.T, s *llmtest.Server, c *Client) {
		start := time.Now()
		complete(t, c, hello)
		if took := time.Since(start).Round(time.Millisecond); took != 20*time.Second {
			t.Errorf("took %v", took)
		}
	}, func(cfg *Config) { cfg.Rate = 0.1 })
	bubble(t, []llmtest.Step{llmtest.Page(500)}, func(t *testing.T, s *llmtest.Server, c *Client) {
		if _, err := c.Complete(t.Context(), hello); !errors.Is(err, ErrInfrastructure) {
			t.Error(err)
		}
		if len(s.Requests()) != 2 {
			t.Errorf("%d requests", len(s.Requests()))
		}
	}, func(cfg *Config) { cfg.Rate, cfg.Timeout = 0.1, 15*time.Second })
}

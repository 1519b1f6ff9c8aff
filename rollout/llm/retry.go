package llm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	// backoffBase doubles with every attempt up to backoffLimit; the wait is anything between 0 and that ("full jitter"),
	// so that clients which failed together do not come back together.
	backoffBase  = 500 * time.Millisecond
	backoffLimit = 30 * time.Second
	// retryAfterLimit is how long a server can make the client wait.
	retryAfterLimit = time.Minute
)

// uniform returns a random duration from 0 to limit. It decides about waits alone, never about results.
func uniform(limit time.Duration) time.Duration { return rand.N(limit + 1) }

// complete sends the request until it is answered, refused, or tried often and long enough.
func (s *shim) complete(req *http.Request, built []byte, x *exchange) (*reply, error) {
	caller := req.Context()
	if err := s.admit(caller); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(caller, s.cfg.Timeout)
	defer cancel()
	var h history
	for tries := 0; ; {
		body, err := s.body(built, x.request, h)
		if err != nil {
			return nil, err
		}
		x.attempts++
		got, fault := s.attempt(ctx, req, body)
		if fault == nil {
			return got, nil
		}
		if caller.Err() != nil {
			return nil, s.ended(caller)
		}
		fault.Attempts = x.attempts
		if errors.Is(fault, ErrTooLong) && fault.impossible(x.request.MaxTokens) {
			fault.Class = ErrRefused
		}
		wait, again := time.Duration(0), true
		if readable := tame(x.request.Messages, fault); !x.tamed && readable.tamed() {
			h, x.tamed = readable, true
		} else {
			tries++
			wait, again = s.pause(ctx, tries, fault)
		}
		s.notify(fault, wait, !again)
		if !again {
			return nil, fault
		}
		sleep(ctx, wait)
		if err := s.readmit(caller, ctx, fault); err != nil {
			return nil, err
		}
	}
}

// pause says how long to wait before the next attempt, and whether there is one.
func (s *shim) pause(ctx context.Context, tries int, fault *Error) (time.Duration, bool) {
	if !fault.retry || tries >= s.cfg.Attempts {
		return 0, false
	}
	wait := min(fault.after, retryAfterLimit)
	if wait > 0 {
		wait += s.jitter(backoffBase)
	} else {
		wait = s.jitter(min(backoffBase<<min(tries-1, 16), backoffLimit))
	}
	end, _ := ctx.Deadline()
	return wait, time.Until(end) > wait
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// admit waits for the rate limit.
func (s *shim) admit(caller context.Context) error {
	if s.limiter == nil {
		return nil
	}
	if err := s.limiter.Wait(caller); err != nil {
		if caller.Err() != nil {
			return s.ended(caller)
		}
		return fmt.Errorf("POST %s: the rate limit leaves no time: %w", s.endpoint, context.DeadlineExceeded)
	}
	return nil
}

// readmit is admit for a further attempt, within the deadline of all of them.
func (s *shim) readmit(caller, ctx context.Context, last *Error) error {
	if s.limiter != nil && s.limiter.Wait(ctx) != nil || ctx.Err() != nil {
		if caller.Err() != nil {
			return s.ended(caller)
		}
		return last
	}
	return nil
}

func (s *shim) notify(fault *Error, wait time.Duration, last bool) {
	told := *fault
	s.cfg.Notify(Failure{
		Err: &told, Attempt: fault.Attempts, First: s.failed.CompareAndSwap(false, true), Last: last, Wait: wait,
	})
}

// retryAfter reads the header, seconds or a date. A date is measured by the server's own clock where it sends one.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(math.Min(seconds, retryAfterLimit.Seconds()) * float64(time.Second))
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(date.Sub(now), 0)
}

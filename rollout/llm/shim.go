package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// shim is the HTTP client that go-openai is given. It sends the request that the caller meant, and answers with a
// response that go-openai reads without loss, or with an *Error: go-openai never sees a failed response.
type shim struct {
	cfg      Config
	endpoint string
	http     *http.Client
	limiter  *rate.Limiter
	maxBytes int64
	// jitter returns a random duration between 0 and the limit.
	jitter func(limit time.Duration) time.Duration
	// dialect is a set of reasoningField: those that the server has used.
	dialect atomic.Uint32
	failed  atomic.Bool
}

// Do carries out a chat completion that go-openai has built.
func (s *shim) Do(req *http.Request) (*http.Response, error) {
	x, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("llm: not a request of Complete")
	}
	built, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	got, err := s.complete(req, built, x)
	if err != nil {
		return nil, err
	}
	s.dialect.Or(uint32(got.fields))
	body, err := json.Marshal(got.response())
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(body)),
		Request:    req,
	}, nil
}

// attempt sends the body once and reads the whole answer.
func (s *shim) attempt(ctx context.Context, req *http.Request, body []byte) (*reply, *Error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.AttemptTimeout)
	defer cancel()
	start := time.Now()
	req = req.Clone(ctx)
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Header.Set("User-Agent", "privgym")
	if s.cfg.Stream {
		req.Header.Set("Accept", "text/event-stream")
	}
	res, err := s.http.Do(req)
	if err != nil {
		return nil, s.broken(ctx, start, 0, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode/100 != 2 {
		return nil, s.refusal(res)
	}
	got, err := decode(&boundedReader{r: res.Body, left: s.maxBytes})
	if err != nil {
		return nil, s.broken(ctx, start, res.StatusCode, err)
	}
	return got, nil
}

// boundedReader fails once more than left bytes have come.
type boundedReader struct {
	r    io.Reader
	left int64
}

var errOversized = errors.New("the answer is larger than any completion")

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errOversized
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n, errOversized
	}
	return n, err
}

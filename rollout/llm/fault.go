package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// fault returns an Error of this endpoint.
func (s *shim) fault(class error, status int, message string) *Error {
	return &Error{Class: class, Status: status, URL: s.endpoint, Message: s.tidy(message)}
}

// ended is the error of a completion whose caller has gone.
func (s *shim) ended(ctx context.Context) error {
	return fmt.Errorf("POST %s: %w", s.endpoint, ctx.Err())
}

// broken is the fault of an attempt without a whole answer; status is 0 where not even the headers came.
func (s *shim) broken(ctx context.Context, start time.Time, status int, err error) *Error {
	var said *serverError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &said):
		return s.said(said)
	case errors.Is(err, errOversized):
		return s.fault(ErrInfrastructure, status, fmt.Sprintf("the answer is larger than %d bytes", s.maxBytes))
	case ctx.Err() != nil:
		err = fmt.Errorf("no whole answer within %v", time.Since(start).Round(time.Millisecond))
	case errors.As(err, &certificate), errors.Is(err, http.ErrSchemeMismatch):
		return s.fault(ErrRefused, status, reason(err))
	}
	f := s.fault(ErrInfrastructure, status, reason(err))
	f.retry = true
	return f
}

// reason is the text of an error without the URL that net/http puts before it.
func reason(err error) string {
	if asked := new(url.Error); errors.As(err, &asked) {
		err = asked.Err
	}
	return err.Error()
}

// refusal is the fault of an answer that is not 2xx.
func (s *shim) refusal(res *http.Response) *Error {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBytes)) // what came of it tells more than why it ended
	said := readServerError(body)
	said.status = res.StatusCode
	if location := res.Header.Get("Location"); res.StatusCode/100 == 3 && location != "" {
		said.message = "redirected to " + location + "; if that is right, take it as the base URL"
	}
	f := s.said(said)
	f.after = retryAfter(res.Header)
	return f
}

// said is the fault that the server states, in a status or in an answer.
func (s *shim) said(e *serverError) *Error {
	f := s.fault(ErrRefused, e.status, e.message)
	switch {
	case e.tooLong():
		f.Class = ErrTooLong
	case e.passing():
		f.Class, f.retry = ErrInfrastructure, true
	}
	return f
}

// passing reports whether the same request may be answered later. An exhausted quota has the status of a full queue.
func (e *serverError) passing() bool {
	switch e.status {
	case http.StatusTooManyRequests:
		return !strings.Contains(e.kind, "insufficient_quota")
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return e.status >= 500 || e.status < 300
}

// tooLongMarks are what OpenAI, vLLM, SGLang, llama.cpp, LM Studio, TGI and the larger hosts say, in lower case.
var tooLongMarks = []string{
	"context_length_exceeded", "exceed_context_size", "context_window_exceeded", "string_above_max_length",
	"maximum context length", "model's context length", "maximum model length", "maximum prompt length",
	"available context size", "exceed context limit", "exceeds the context", "than the context length", "context overflow",
	"prompt is too long", "input is too long", "too long to fit", "maximum number of tokens allowed", "reduce the length of the messages",
	"`inputs` must have less than", "`inputs` tokens + `max_new_tokens` must be",
}

func (e *serverError) tooLong() bool {
	text := strings.ToLower(e.kind + " " + e.message + " " + e.detail)
	for _, mark := range tooLongMarks {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// contextLength finds the model's limit in a message that names it.
var contextLength = regexp.MustCompile(`(?i)context (?:length|limit|size|window)[^0-9]{0,32}([0-9]{3,9})`)

// impossible reports whether no conversation, however short, leaves room for an answer of maxTokens.
func (e *Error) impossible(maxTokens int) bool {
	m := contextLength.FindStringSubmatch(e.Message)
	if m == nil {
		return false
	}
	limit, err := strconv.Atoi(m[1])
	return err == nil && maxTokens >= limit
}

package llmtest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Server is an endpoint that records what it is asked.
type Server struct {
	// URL is the base URL to give to a client.
	URL string

	tb     testing.TB
	http   *httptest.Server
	answer func(n int) Step
	// closed ends the steps that wait.
	closed chan struct{}

	mu       sync.Mutex
	requests []Request
	opened   int
}

// New starts a server that answers the n-th request by the n-th step, and fails the test where there are more requests
// than steps. It is closed with the test.
func New(tb testing.TB, script ...Step) *Server {
	tb.Helper()
	return start(tb, listen(tb), func(n int) Step {
		if n < len(script) {
			return script[n]
		}
		tb.Errorf("request %d, but the script has %d steps", n+1, len(script))
		return Status(http.StatusTeapot, "the script is over")
	})
}

// Always starts a server that answers every request by the same step.
func Always(tb testing.TB, step Step) *Server {
	tb.Helper()
	return start(tb, listen(tb), func(int) Step { return step })
}

// NewModel starts a server that answers as the model does. It streams where it is asked to.
func NewModel(tb testing.TB, m Model) *Server {
	tb.Helper()
	return Always(tb, func(w http.ResponseWriter, r *Exchange) {
		reply := m(r.Request).counted(r.Request)
		if r.Stream {
			Stream(reply.Events(Proper)...)(w, r)
			return
		}
		reply.Step()(w, r)
	})
}

// InMemory is Always without a network, for tests in a synctest bubble. The client has to dial through the returned
// function.
func InMemory(tb testing.TB, steps func(n int) Step) (*Server, func(context.Context, string, string) (net.Conn, error)) {
	tb.Helper()
	pipes := newPipes()
	return start(tb, pipes, steps), pipes.dial
}

func listen(tb testing.TB) net.Listener {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func start(tb testing.TB, l net.Listener, answer func(n int) Step) *Server {
	s := &Server{tb: tb, answer: answer, closed: make(chan struct{})}
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(s.serve)}}
	s.http.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.mu.Lock()
			s.opened++
			s.mu.Unlock()
		}
	}
	s.http.Start()
	s.URL = s.http.URL + "/v1"
	tb.Cleanup(s.Close)
	return s
}

// Close ends the steps that wait, and the server. Closing twice is harmless.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
	s.mu.Unlock()
	s.http.Close()
}

// Requests returns the requests so far, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Connections counts those that were opened.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	request, err := parse(r, body)
	if err != nil {
		s.tb.Errorf("request: %v", err)
	}
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	s.answer(n)(w, &Exchange{Request: request, http: r, closed: s.closed})
}

// parse reads what the server is asked, and insists on what every server does.
func parse(r *http.Request, body []byte) (Request, error) {
	request := Request{Header: r.Header.Clone(), Body: body}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
		return request, fmt.Errorf("%s %s; want POST /v1/chat/completions", r.Method, r.URL.Path)
	}
	return request, request.read()
}

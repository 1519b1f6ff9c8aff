package llmtest

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Step answers one request, or fails to.
type Step func(w http.ResponseWriter, r *Exchange)

// Exchange is a request under way.
type Exchange struct {
	Request
	http   *http.Request
	closed chan struct{}
}

// wait ends with d, the client or the server, and reports whether it was d.
func (r *Exchange) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.http.Context().Done():
	case <-r.closed:
	}
	return false
}

// Body answers 200 with a body of the content type.
func Body(contentType, body string) Step {
	return func(w http.ResponseWriter, _ *Exchange) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write([]byte(body))
	}
}

// JSON answers 200 with the body, valid or not.
func JSON(body string) Step { return Body("application/json", body) }

// Status answers with a status and a body. Header lines are name, value, name, value, …
func Status(status int, body string, header ...string) Step {
	return func(w http.ResponseWriter, _ *Exchange) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// TooMany answers 429 with a Retry-After, in seconds or as a date.
func TooMany(retryAfter string) Step {
	return Status(http.StatusTooManyRequests, `{"error":{"message":"slow down","type":"rate_limit_error"}}`, "Retry-After", retryAfter)
}

// Page answers with a status and a page, as a proxy does.
func Page(status int) Step {
	title := strconv.Itoa(status) + " " + http.StatusText(status)
	return Status(status, "<html>\r\n<head><title>"+title+"</title></head>\r\n<body><center><h1>"+title+"</h1></center></body></html>",
		"Content-Type", "text/html")
}

// Hang accepts the request and never answers.
func Hang() Step {
	return func(_ http.ResponseWriter, r *Exchange) {
		select {
		case <-r.http.Context().Done():
		case <-r.closed:
		}
	}
}

// NoAnswer closes the connection without an answer.
func NoAnswer() Step {
	return func(w http.ResponseWriter, _ *Exchange) { _ = hijack(w).Close() }
}

// Reset resets the connection.
func Reset() Step {
	return func(w http.ResponseWriter, _ *Exchange) {
		conn := hijack(w)
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
}

// Raw writes bytes to the connection as they are and closes it where it is told to.
func Raw(bytes string, closing bool) Step {
	return func(w http.ResponseWriter, r *Exchange) {
		conn := hijack(w)
		defer func() { _ = conn.Close() }()
		_, _ = conn.Write([]byte(bytes))
		if !closing {
			<-r.closed
		}
	}
}

// Cut announces the whole body, sends the first n bytes and closes the connection.
func Cut(contentType, body string, n int) Step {
	return Raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", contentType, len(body), body[:n]), true)
}

// Drip sends the body a byte at a time.
func Drip(contentType, body string, every time.Duration) Step {
	return func(w http.ResponseWriter, r *Exchange) {
		w.Header().Set("Content-Type", contentType)
		for i := range len(body) {
			if _, err := w.Write([]byte{body[i]}); err != nil || !r.wait(every) {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// Late waits and then does the step.
func Late(d time.Duration, step Step) Step {
	return func(w http.ResponseWriter, r *Exchange) {
		if r.wait(d) {
			step(w, r)
		}
	}
}

// Oversized answers with a valid completion of more than n bytes.
func Oversized(n int) Step { return Reply{Text: strings.Repeat("word ", n/5+1)}.Step() }

func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	return conn
}

package llm

import (
	"net"
	"net/http"
	"time"
)

const (
	dialTimeout = 10 * time.Second
	// idleTimeout is below the five seconds after which uvicorn, and with it most model servers, closes an idle
	// connection: a request that crosses with that is lost.
	idleTimeout = 4 * time.Second
	// pingAfter finds a dead HTTP/2 connection, which would otherwise take the next attempt too.
	pingAfter      = 15 * time.Second
	maxHeaderBytes = 64 << 10
	// maxAnswerBytes holds a long answer streamed token by token, at some 250 bytes each.
	maxAnswerBytes = 16 << 20
	// maxErrorBytes is how much of an error's body is read.
	maxErrorBytes = 64 << 10
)

// newHTTPClient returns a client that keeps a connection for each of the completions under way. It has no time-out of its
// own: every request comes with a deadline.
func newHTTPClient(concurrency int) *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    dialTimeout,
			MaxIdleConns:           concurrency,
			MaxIdleConnsPerHost:    concurrency,
			IdleConnTimeout:        idleTimeout,
			MaxResponseHeaderBytes: maxHeaderBytes,
			ForceAttemptHTTP2:      true,
			HTTP2:                  &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingAfter},
		},
		// A POST that is redirected becomes a GET, or takes the key elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

package server

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// serveGym serves on a port of loopback; end drains.
func serveGym(t *testing.T, s *Server) (url string, end func() error) {
	t.Helper()
	lis := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.ServeGym(ctx, lis) }()
	t.Cleanup(cancel)
	return "http://" + lis.Addr().String(), func() error { cancel(); return <-served }
}

// send returns the status and the cookies of the answer.
func send(client *http.Client, method, url, body string, header http.Header) (int, []*http.Cookie, error) {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header = header
	answer, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	return answer.StatusCode, answer.Cookies(), answer.Body.Close()
}

func TestServeGym(t *testing.T) {
	url, end := serveGym(t, newServer(t))
	client := &http.Client{Transport: new(http.Transport)}
	code, cookies, err := send(client, http.MethodPost, url+seedRoute, rowOf(parcel, 1, calm).text(), nil)
	if err != nil || code != 200 || len(cookies) != 1 {
		t.Errorf("%d %v %v", code, cookies, err)
	}
	huge := http.Header{"X": {strings.Repeat("x", 2*maxHeaderBytes)}}
	if code, _, err = send(client, http.MethodGet, url, "", huge); err != nil || code != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of %d bytes: %d %v", 2*maxHeaderBytes, code, err)
	}
	client.CloseIdleConnections()
	start := time.Now()
	if err := end(); err != nil || time.Since(start) > defaultDrain/2 {
		t.Errorf("ended after %v: %v", time.Since(start), err)
	}
	if _, _, err := send(client, http.MethodGet, url, "", nil); err == nil {
		t.Error("answered after its end")
	}
}

// TestServeGymDrains lets a request in flight end, and cuts one that takes too long.
func TestServeGymDrains(t *testing.T) {
	s := newServer(t, func(c *Config) { c.DrainTimeout = 200 * time.Millisecond })
	url, end := serveGym(t, s)
	conn := must(net.Dial("tcp", strings.TrimPrefix(url, "http://")))(t)
	defer conn.Close()
	must(io.WriteString(conn, "POST /seed_session HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"))(t)
	time.Sleep(50 * time.Millisecond)
	start := time.Now()
	if err := end(); err != nil || time.Since(start) > 5*time.Second {
		t.Errorf("ended after %v: %v", time.Since(start), err)
	}
	if _, err := io.ReadAll(conn); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Error(err)
	}
}

func TestServeGymIsGuardedLikeServe(t *testing.T) {
	open := must(net.Listen("tcp", "0.0.0.0:0"))(t)
	if err := newServer(t).ServeGym(t.Context(), open); err == nil || !strings.Contains(err.Error(), "nothing guards it") {
		t.Errorf("an open listener: %v", err)
	}
	closed := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	closed.Close()
	if err := newServer(t).ServeGym(t.Context(), closed); err == nil {
		t.Error("a closed listener was served")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newServer(t).ServeGym(ctx, must(net.Listen("tcp", "127.0.0.1:0"))(t)); err != nil {
		t.Errorf("under an ended context: %v", err)
	}
}

func TestServeGymTLS(t *testing.T) {
	pair, pool := selfSigned(t)
	url, end := serveGym(t, newServer(t, func(c *Config) {
		c.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	}))
	url = strings.Replace(url, "http:", "https:", 1)
	for name, certs := range map[string][]tls.Certificate{"with a certificate": {pair}, "without": nil} {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "memory", Certificates: certs}}}
		_, cookies, err := send(client, http.MethodPost, url+seedRoute, rowOf(parcel, 1, calm).text(), nil)
		if (err == nil) != (certs != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && (len(cookies) != 1 || !cookies[0].Secure) {
			t.Errorf("cookies %v", cookies)
		}
		client.CloseIdleConnections()
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

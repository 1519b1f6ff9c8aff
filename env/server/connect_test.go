package server

import (
	"context"
	"crypto/tls"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/test/bufconn"
)

// TestSilentPeersAreDropped connects and says nothing, in the clear and where TLS is awaited: such peers must not pile up.
func TestSilentPeersAreDropped(t *testing.T) {
	for name, cfg := range map[string]*tls.Config{"in the clear": nil, "TLS": new(tls.Config)} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t, func(c *Config) { c.TLS = cfg })
			lis := bufconn.Listen(1 << 10)
			ctx, end := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- s.Serve(ctx, lis) }()
			conn := must(lis.DialContext(t.Context()))(t)
			start := time.Now()
			for _, err := conn.Read(make([]byte, 1<<10)); err == nil; {
				_, err = conn.Read(make([]byte, 1<<10))
			}
			if took := time.Since(start); took > connectTimeout {
				t.Errorf("%s: dropped after %v", name, took)
			}
			end()
			if err := <-served; err != nil {
				t.Error(err)
			}
			s.Close()
		})
	}
}

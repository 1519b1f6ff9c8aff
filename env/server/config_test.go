package server

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"math"
	"net"
	"strings"
	"testing"
	"time"
)

func TestLimitsAreDocumentedDefaults(t *testing.T) {
	got := must(Limits{}.withDefaults())(t)
	want := Limits{
		Episodes: 65_536, IdleTimeout: 10 * time.Minute, MessageBytes: 16 << 20, ConcurrentCalls: 1_024, Turns: 64,
		CallsPerTurn: 32, ArgumentBytes: 64 << 10, TextBytes: 256 << 10, Batch: 1_024, EpisodeIDBytes: 128, RetainedBytes: 4 << 30,
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if kept := must(want.withDefaults())(t); kept != want {
		t.Errorf("given limits became %+v", kept)
	}
}

func TestNewRefuses(t *testing.T) {
	for want, cfg := range map[string]Config{
		"Corpus":                 {},
		"Limits.Episodes":        {Corpus: models(), Limits: Limits{Episodes: -1}},
		"Limits.IdleTimeout":     {Corpus: models(), Limits: Limits{IdleTimeout: -time.Second}},
		"Limits.Turns":           {Corpus: models(), Limits: Limits{Turns: 65}},
		"Limits.MessageBytes":    {Corpus: models(), Limits: Limits{MessageBytes: math.MaxInt32 + 1}},
		"Config.KeepaliveTime":   {Corpus: models(), KeepaliveTime: -1},
		"Config.DrainTimeout":    {Corpus: models(), DrainTimeout: -1},
		"Limits.CallsPerTurn":    {Corpus: models(), Limits: Limits{CallsPerTurn: -5}},
		"Limits.ConcurrentCalls": {Corpus: models(), Limits: Limits{ConcurrentCalls: -5}},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error about %s", err, want)
		}
	}
}

func TestOneRegistryTakesOneServer(t *testing.T) {
	s := newServer(t)
	if _, err := New(s.cfg); err == nil {
		t.Error("a second server registered the same metrics")
	}
}

func TestCheckAddress(t *testing.T) {
	for address, loopback := range map[string]bool{
		"127.0.0.1:0": true, "127.8.0.1:50051": true, "[::1]:50051": true, "localhost:50051": true, "unix:/run/privgym.sock": true,
		":50051": false, "0.0.0.0:50051": false, "[::]:50051": false, "10.0.0.4:50051": false, "trainer-0:50051": false,
		"127.0.0.1.example.org:1": false, "127.0.0.1": false, "localhost": false, "": false,
	} {
		err := Config{}.CheckAddress(address)
		if (err == nil) != loopback {
			t.Errorf("%q alone: %v", address, err)
		}
		if err != nil && !strings.Contains(err.Error(), "give") {
			t.Errorf("%q: %v does not say what to do", address, err)
		}
		for _, guarded := range []Config{{Token: "x"}, {TLS: new(tls.Config)}} {
			if err := guarded.CheckAddress(address); err != nil {
				t.Errorf("%q with a guard: %v", address, err)
			}
		}
	}
}

func TestOpenGuardsAreSaid(t *testing.T) {
	mutual := &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert}
	for name, tt := range map[string]struct {
		token string
		tls   *tls.Config
		says  string
	}{
		"token in the clear":                {"s3cret", nil, "in the clear"},
		"TLS alone":                         {"", new(tls.Config), "keeps nobody from calling"},
		"TLS that would like a certificate": {"", &tls.Config{ClientAuth: tls.RequestClientCert}, "keeps nobody from calling"},
		"token over TLS":                    {"s3cret", new(tls.Config), ""},
		"mutual TLS":                        {"", mutual, ""},
	} {
		for address, local := range map[string]bool{"127.0.0.1": true, "10.0.0.4": false} {
			var log bytes.Buffer
			s := newServer(t, func(c *Config) { c.Token, c.TLS, c.Log = tt.token, tt.tls, slog.New(slog.NewTextHandler(&log, nil)) })
			if err := s.checkListener(&net.TCPAddr{IP: net.ParseIP(address), Port: 1}); err != nil {
				t.Error(err)
			}
			got, want := log.String(), tt.says
			if local {
				want = ""
			}
			if !strings.Contains(got, want) || want == "" && got != "" || strings.Contains(got, "s3cret") {
				t.Errorf("%s on %s: the log says %q, want %q", name, address, got, want)
			}
		}
	}
}

func TestServeRefusesOpenListener(t *testing.T) {
	lis, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Skip("cannot listen on every interface here")
	}
	if err := newServer(t).Serve(t.Context(), lis); err == nil || !strings.Contains(err.Error(), "TLS") {
		t.Errorf("served %v: %v", lis.Addr(), err)
	}
	if _, err := lis.Accept(); err == nil {
		t.Error("the refused listener is still open")
	}
}

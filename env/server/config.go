package server

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
)

// Config of a server. Corpus is required; the zero value of everything else is a default.
type Config struct {
	Corpus *corpus.Corpus
	// Version of the program, for Describe.
	Version string
	Limits  Limits

	// TLS of the listeners; nil serves in the clear. ClientAuth and ClientCAs in it make it mutual.
	TLS *tls.Config
	// Token that every call but the health check must bear ("authorization: Bearer …"); empty asks for none.
	Token string

	// KeepaliveTime is the silence after which the server pings a connection; default 1 minute. A peer that does not
	// answer within 20 s is dropped.
	KeepaliveTime time.Duration
	// DrainTimeout bounds how long Serve waits for calls in flight once it is told to end; default 15 s.
	DrainTimeout time.Duration

	// Registry takes the metrics; nil makes one.
	Registry *prometheus.Registry
	// Log takes what an operator should know; nil is slog.Default(). Nothing is logged for an ordinary call.
	Log *slog.Logger
}

const (
	defaultKeepalive = time.Minute
	defaultDrain     = 15 * time.Second
)

// DefaultRetainedBytes is the default of Limits.RetainedBytes.
const DefaultRetainedBytes = 4 << 30

// Limits that a server enforces and tells in Describe. The zero value of a field is its default.
type Limits struct {
	// Episodes live at once; default 65,536.
	Episodes int
	// IdleTimeout closes an episode that no call has named for so long; default 10 minutes. It is never off: clients die
	// without closing what they opened.
	IdleTimeout time.Duration
	// MessageBytes of one gRPC message, either way; default 16 MiB, room for the answer to a full ResetBatch.
	MessageBytes int
	// ConcurrentCalls on one connection; default 1,024. A client beyond it queues, and is not told.
	ConcurrentCalls int
	// Turns is the largest k; default and maximum episode.MaxK.
	Turns int
	// CallsPerTurn; default 32.
	CallsPerTurn int
	// ArgumentBytes of one tool call, and of its name and its id; default 64 KiB.
	ArgumentBytes int
	// TextBytes of the text of a turn, and of its reasoning; default 256 KiB.
	TextBytes int
	// Batch is the number of items of one batch, group, Score or Close; default 1,024.
	Batch int
	// EpisodeIDBytes; default 128.
	EpisodeIDBytes int
	// RetainedBytes held for the turns played, over all episodes: answers, for repeated turns, and arguments, which may
	// have become a part of the world; default 4 GiB. Beyond it no episode opens and none goes on until others are closed.
	RetainedBytes int
}

// withDefaults fills in what is zero and refuses what cannot be.
func (l Limits) withDefaults() (Limits, error) {
	out := Limits{
		Episodes:        cmp.Or(l.Episodes, 65_536),
		IdleTimeout:     cmp.Or(l.IdleTimeout, 10*time.Minute),
		MessageBytes:    cmp.Or(l.MessageBytes, 16<<20),
		ConcurrentCalls: cmp.Or(l.ConcurrentCalls, 1_024),
		Turns:           cmp.Or(l.Turns, episode.MaxK),
		CallsPerTurn:    cmp.Or(l.CallsPerTurn, 32),
		ArgumentBytes:   cmp.Or(l.ArgumentBytes, 64<<10),
		TextBytes:       cmp.Or(l.TextBytes, 256<<10),
		Batch:           cmp.Or(l.Batch, 1_024),
		EpisodeIDBytes:  cmp.Or(l.EpisodeIDBytes, 128),
		RetainedBytes:   cmp.Or(l.RetainedBytes, DefaultRetainedBytes),
	}
	for _, f := range []struct {
		name       string
		value, max int
	}{
		{"Episodes", out.Episodes, math.MaxInt32},
		{"IdleTimeout", int(out.IdleTimeout), math.MaxInt},
		{"MessageBytes", out.MessageBytes, math.MaxInt32},
		{"ConcurrentCalls", out.ConcurrentCalls, math.MaxInt32},
		{"Turns", out.Turns, episode.MaxK},
		{"CallsPerTurn", out.CallsPerTurn, math.MaxInt32},
		{"ArgumentBytes", out.ArgumentBytes, math.MaxInt32},
		{"TextBytes", out.TextBytes, math.MaxInt32},
		{"Batch", out.Batch, math.MaxInt32},
		{"EpisodeIDBytes", out.EpisodeIDBytes, math.MaxInt32},
		{"RetainedBytes", out.RetainedBytes, math.MaxInt},
	} {
		if f.value < 1 || f.value > f.max {
			return Limits{}, fmt.Errorf("server: Limits.%s is %d; give 1 to %d", f.name, f.value, f.max)
		}
	}
	return out, nil
}

func (c Config) withDefaults() (Config, error) {
	if c.Corpus == nil {
		return c, errors.New("server: Config.Corpus is missing")
	}
	limits, err := c.Limits.withDefaults()
	if err != nil {
		return c, err
	}
	c.Limits = limits
	c.KeepaliveTime = cmp.Or(c.KeepaliveTime, defaultKeepalive)
	c.DrainTimeout = cmp.Or(c.DrainTimeout, defaultDrain)
	if c.KeepaliveTime < 0 || c.DrainTimeout < 0 {
		return c, errors.New("server: Config.KeepaliveTime and Config.DrainTimeout must not be negative")
	}
	if c.Registry == nil {
		c.Registry = prometheus.NewRegistry()
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return c, nil
}

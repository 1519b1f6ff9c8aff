package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/google/renameio/v2"

	"github.com/privgym/privgym/env/server"
)

type serveCmd struct {
	Listen      string        `default:"127.0.0.1:50551" placeholder:"ADDRESS" help:"Address to listen on (${default}); port 0 takes a free one."`
	ReadyFile   string        `placeholder:"FILE" help:"Write the address to FILE once the server answers."`
	IdleTimeout time.Duration `default:"10m" help:"Close an episode that has had no call for this long (${default})."`
	Episodes    int           `default:"65536" help:"Episodes live at once (${default})."`
	Scenarios   []string      `placeholder:"PATH" help:"Serve these families, files or directories, instead of the embedded ones."`
}

// Run serves until the context ends, then drains.
func (c *serveCmd) Run(ctx context.Context, io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	s, err := server.New(server.Config{
		Corpus:  scenarios,
		Version: version(),
		Limits:  server.Limits{Episodes: c.Episodes, IdleTimeout: c.IdleTimeout},
		Log:     slog.New(slog.NewTextHandler(io.err, nil)),
	})
	if err != nil {
		return usageError{err}
	}
	lis, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return usageError{fmt.Errorf("cannot listen on %s: %w", c.Listen, err)}
	}
	fmt.Fprintf(io.err, "privgym %s serves on %s\n", version(), lis.Addr())
	if c.ReadyFile != "" {
		if err := renameio.WriteFile(c.ReadyFile, []byte(lis.Addr().String()+"\n"), 0o644); err != nil {
			return errors.Join(fmt.Errorf("ready file: %w", err), lis.Close())
		}
		defer os.Remove(c.ReadyFile)
	}
	return s.Serve(ctx, lis)
}

// Command privgym trains and tests language-model agents to use the least privileged tool that suffices.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// streams are the standard streams of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// output remembers the first error of writing: a command that prints has failed where nobody can read it.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// The exit codes.
const (
	exitFine     = 0
	exitFindings = 1
	exitUsage    = 2
)

// errFindings: the command did its work and has printed findings or failed rows.
var errFindings = errors.New("there were findings")

// usageError is a mistake in flags or arguments that the parser cannot see.
type usageError struct{ error }

// commands is the command line; each command has a file of its own.
type commands struct {
	Demo      demoCmd          `cmd:"" help:"Start a server, play scripted policies on the embedded scenarios, and show what is measured."`
	Bench     benchCmd         `cmd:"" help:"Measure speed and memory against their marks, beside a bare gRPC server."`
	Serve     serveCmd         `cmd:"" help:"Serve environments and rewards over gRPC."`
	Play      playCmd          `cmd:"" help:"Play a scripted policy and write trajectory records."`
	SFT       sftCmd           `cmd:"" name:"sft" help:"Write ideal trajectories to learn from."`
	Prompts   promptsCmd       `cmd:"" help:"Write prompts for reinforcement learning: Parquet, or the rows of NeMo Gym."`
	Score     scoreCmd         `cmd:"" help:"Score saved trajectories and chat logs offline."`
	Replay    replayCmd        `cmd:"" help:"Play saved trajectories again and show the first difference of each."`
	Eval      evalCmd          `cmd:"" help:"Evaluate models, and print the tables."`
	Scenarios scenariosCmd     `cmd:"" help:"Check, import, list, show, review and count scenarios."`
	Version   kong.VersionFlag `help:"Print the version and exit."`
}

// run parses args, runs one command and returns the exit code.
func run(ctx context.Context, args []string, io streams) int {
	exited := -1
	out := &output{Writer: screen{io.out}}
	io.out, io.err = out, screen{io.err}
	parser, err := kong.New(&commands{},
		kong.Name("privgym"),
		kong.Description("Train and test language-model agents to use the least privileged tool that suffices."),
		kong.Writers(io.out, io.err),
		kong.Exit(func(code int) { exited = code }),
		kong.Vars{"version": version()},
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(io),
	)
	if err != nil {
		fmt.Fprintln(io.err, "privgym:", err)
		return exitUsage
	}
	command, err := parser.Parse(args)
	if exited >= 0 { // --help or --version
		return max(exited, exitCode(out.err, io.err))
	}
	if err != nil {
		fmt.Fprintf(io.err, "privgym: %v\nSee %s --help.\n", err, misread(err))
		return exitUsage
	}
	err = command.Run()
	if out.err != nil && (err == nil || errors.Is(err, errFindings)) {
		err = out.err
	}
	return exitCode(err, io.err)
}

// misread is the command whose arguments an error of the parser is about.
func misread(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil {
		return parse.Context.Selected().FullPath()
	}
	return "privgym"
}

func exitCode(err error, stderr io.Writer) int {
	var usage usageError
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &usage):
		fmt.Fprintln(stderr, "privgym:", err)
		return exitUsage
	}
	fmt.Fprintln(stderr, "privgym:", err)
	return exitFindings
}

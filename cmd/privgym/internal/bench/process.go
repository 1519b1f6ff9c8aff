package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// command is this program with other arguments. It is killed when ctx ends.
func (s *setting) command(ctx context.Context, args ...string) (*exec.Cmd, *said) {
	cmd := exec.CommandContext(ctx, s.Program, args...)
	cmd.Args[0] = s.Name
	cmd.Dir = s.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PRIVGYM_TOKEN=") { // a server that asks for a token would refuse us
			cmd.Env = append(cmd.Env, v)
		}
	}
	out := &said{address: make(chan string, 1)}
	cmd.Stderr = out
	return cmd, out
}

// run runs a command to its end and tells what it cost, and what memory it held at most.
func (s *setting) run(ctx context.Context, args ...string) (e effort, peak memory, err error) {
	cmd, out := s.command(ctx, args...)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return e, peak, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	look := time.NewTicker(peakInterval)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			e = effort{took: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
			return e, peak, out.explain(cmd, err)
		case <-look.C:
			if now := memoryOf(cmd.Process.Pid); now.known() {
				peak = now
			}
		}
	}
}

// peakInterval is how often the peak of a process is read; the system keeps it, so that only the last moment is missed.
const peakInterval = 20 * time.Millisecond

// server is a process that answers gRPC, and one connection to it.
type server struct {
	cmd   *exec.Cmd
	ended chan error
	out   *said
	conn  *grpc.ClientConn
	env   pb.EnvironmentServiceClient
}

// serve starts a server of ours on a free port.
func (s *setting) serve(ctx context.Context) (*server, error) {
	return s.start(ctx, nil, "serve", "--listen", "127.0.0.1:0")
}

// start starts a server, waits until it says where it listens, and connects.
func (s *setting) start(ctx context.Context, stdin io.Reader, args ...string) (*server, error) {
	cmd, out := s.command(ctx, args...)
	cmd.Stdin = stdin
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	v := &server{cmd: cmd, out: out, ended: make(chan error, 1)}
	go func() { v.ended <- cmd.Wait() }()
	var address string
	select {
	case err := <-v.ended:
		return nil, out.explain(cmd, errors.Join(errors.New("it ended before it listened"), err))
	case address = <-out.address:
	}
	var err error
	if v.conn, err = grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials())); err != nil {
		return nil, errors.Join(err, cmd.Process.Kill(), <-v.ended)
	}
	v.env = pb.NewEnvironmentServiceClient(v.conn)
	return v, nil
}

// close ends the process as an operator would and waits for it. One that ctx has killed is no error.
func (v *server) close() error {
	v.conn.Close()
	if v.cmd.Process.Signal(syscall.SIGTERM) != nil {
		_ = v.cmd.Process.Kill() // a system without SIGTERM, or the process has ended
	}
	err := <-v.ended
	if exit := new(exec.ExitError); errors.As(err, &exit) && !exit.Exited() || errors.Is(err, context.Canceled) {
		return nil
	}
	return v.out.explain(v.cmd, err)
}

// Announcement stands before the address in the line that a server prints when it listens.
const Announcement = " serves on "

// said is what a process has printed. It tells the address of a server.
type said struct {
	mu      sync.Mutex
	text    []byte
	found   bool
	address chan string
}

// saidBytes is enough to see what went wrong.
const saidBytes = 16 << 10

func (o *said) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, p[:min(len(p), saidBytes-len(o.text))]...)
	if o.found {
		return len(p), nil
	}
	if _, rest, ok := bytes.Cut(o.text, []byte(Announcement)); ok {
		if address, _, ok := bytes.Cut(rest, []byte("\n")); ok {
			o.found = true
			o.address <- string(address)
		}
	}
	return len(p), nil
}

// explain adds to an error which process failed and what it said.
func (o *said) explain(cmd *exec.Cmd, err error) error {
	if err == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return fmt.Errorf("%s: %w%s", strings.Join(cmd.Args, " "), err, strings.TrimRight("\n"+string(o.text), "\n"))
}

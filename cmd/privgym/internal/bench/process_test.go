package bench

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestSaid(t *testing.T) {
	for name, c := range map[string]struct {
		parts []string
		want  string
	}{
		"one line":           {[]string{"privgym 1.0 serves on 127.0.0.1:4711\n"}, "127.0.0.1:4711"},
		"in pieces":          {[]string{"privgym 1.0 ser", "ves on 127.0.0.1:47", "11\nmore\n"}, "127.0.0.1:4711"},
		"after other things": {[]string{"metrics on x\necho serves on 127.0.0.1:1\nserves on 127.0.0.1:2\n"}, "127.0.0.1:1"},
		"not to the end":     {[]string{"privgym 1.0 serves on 127.0.0.1:4711"}, ""},
		"far too much":       {[]string{strings.Repeat("x", 2*saidBytes), " serves on 127.0.0.1:4711\n"}, ""},
	} {
		out := &said{address: make(chan string, 1)}
		for _, part := range c.parts {
			if n, err := out.Write([]byte(part)); n != len(part) || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
		got := ""
		select {
		case got = <-out.address:
		default:
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestExplain(t *testing.T) {
	out := &said{}
	out.Write([]byte("no such file"))
	failure := errors.New("exit status 2")
	err := out.explain(exec.Command("privgym", "score"), failure)
	if !errors.Is(err, failure) || !strings.Contains(err.Error(), "privgym score") || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("got %v", err)
	}
	if err := out.explain(exec.Command("privgym"), nil); err != nil {
		t.Errorf("explained nothing as %v", err)
	}
}

// A program that ends, or that says nothing before ctx ends, is an error and leaves nothing behind.
func TestStartOfNoServer(t *testing.T) {
	s := &setting{Config: Config{Program: "/bin/sh", Name: "sh"}, dir: t.TempDir()}
	if _, err := s.start(t.Context(), nil, "-c", "echo broken >&2; exit 3"); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("got %v", err)
	}
	if _, _, err := s.run(t.Context(), "-c", "echo broken >&2; exit 3"); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("got %v", err)
	}
}

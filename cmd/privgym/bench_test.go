package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Interrupted in the middle, bench ends with the servers that it started, and leaves no file behind.
func TestBenchInterrupted(t *testing.T) {
	tmp := t.TempDir()
	var stderr bytes.Buffer
	cmd := exec.Command("privgym", "bench", "--quick", "--rounds", "100000", "--only", "unary")
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); len(inside(t, tmp)) < 2 && time.Since(start) < 30*time.Second; {
		time.Sleep(20 * time.Millisecond)
	}
	children := inside(t, tmp)
	if len(children) < 2 {
		t.Errorf("%d processes have been started, want a server and an echo", len(children))
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), stderr.String())
	}
	if left := inside(t, tmp); len(left) > 0 {
		t.Errorf("processes go on: %v", left)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}

// inside lists the processes whose working directory is below a directory.
func inside(t *testing.T, dir string) []string {
	t.Helper()
	cwds, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil || len(cwds) == 0 {
		t.Skip("this system does not tell the processes")
	}
	var found []string
	for _, cwd := range cwds {
		if at, err := os.Readlink(cwd); err == nil && strings.HasPrefix(at, dir) {
			found = append(found, cwd)
		}
	}
	return found
}

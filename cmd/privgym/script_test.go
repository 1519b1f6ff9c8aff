package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

// programs can be run by their names in tests.
var programs = map[string]func(){"privgym": main}

func TestMain(m *testing.M) {
	testscript.Main(m, programs)
}

// TestScripts runs the stories of testdata/script with the real command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			here, err := os.Getwd()
			env.Setenv("HERE", here)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"waitfile": waitFile,
			"playat":   playAt,
		},
	})
}

// exits runs a command that must end with the code given.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("want exit code %s, got %v", args[0], err)
	}
}

// waitFile waits for a file that a command in the background writes.
func waitFile(ts *testscript.TestScript, _ bool, args []string) {
	for range 500 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("no file %s after 10 s", args[0])
}

// playAt runs privgym play at the server whose address the file holds.
func playAt(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("privgym", append([]string{"play", "--server", strings.TrimSpace(ts.ReadFile(args[0]))}, args[1:]...)...))
}

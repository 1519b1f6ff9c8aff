package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout/eval/evaltest"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// evalCommand is privgym eval against the server; the arguments are put behind its own.
func evalCommand(t *testing.T, s *llmtest.Server, dir string, arguments ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	all := append([]string{"eval", "--base-url", s.URL, "--model", "some-model", "--out", dir, "--limit", "12", "--concurrency", "3"}, arguments...)
	cmd := exec.Command("privgym", all...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	return cmd, &stdout, &stderr
}

func runEval(t *testing.T, code int, s *llmtest.Server, dir string, arguments ...string) (stdout, stderr string) {
	t.Helper()
	cmd, out, err := evalCommand(t, s, dir, arguments...)
	_ = cmd.Run() // its code tells
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("exit code %d, want %d\n%s%s", got, code, out, err)
	}
	return out.String(), err.String()
}

func runFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(filepath.Base(name), "log-") {
			all[filepath.Base(name)] = string(text)
		}
	}
	return all
}

// A run that is killed, wherever, and started again ends as one that was not (verifiers 1739 and 2036, inspect 4459).
func TestFieldVerifiers2036(t *testing.T) {
	cast := evaltest.NewCast(t, corpus.Embedded(), "eval")
	careful := cast.Careful()
	sound := llmtest.NewModel(t, careful)
	whole := filepath.Join(t.TempDir(), "whole")
	runEval(t, 0, sound, whole)
	want := runFiles(t, whole)
	for _, after := range []int64{1, 4, 11, 20, 35} {
		var asked atomic.Int64
		reached := make(chan struct{})
		s := llmtest.Always(t, func(w http.ResponseWriter, r *llmtest.Exchange) {
			if asked.Add(1) == after {
				close(reached)
			}
			reply := careful(r.Request)
			reply.Usage = usageOf(t, sound, r.Request)
			llmtest.Late(5*time.Millisecond, reply.Step())(w, r)
		})
		dir := filepath.Join(t.TempDir(), "killed")
		cmd, _, _ := evalCommand(t, s, dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-reached
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		runEval(t, 0, sound, dir)
		if diff := cmp.Diff(want, runFiles(t, dir)); diff != "" {
			t.Errorf("killed after %d requests: %s", after, diff)
		}
	}
}

// usageOf is what the server counted for this request, so that two servers count alike.
func usageOf(t *testing.T, s *llmtest.Server, r llmtest.Request) *llmtest.Usage {
	t.Helper()
	res, err := http.Post(s.URL+"/chat/completions", "application/json", bytes.NewReader(r.Body))
	if err != nil {
		t.Error(err)
		return nil
	}
	defer res.Body.Close()
	var answer struct{ Usage llmtest.Usage }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		t.Error(err)
	}
	return &answer.Usage
}

func TestEvalInterrupted(t *testing.T) {
	cast := evaltest.NewCast(t, corpus.Embedded(), "eval")
	careful := cast.Careful()
	var asked atomic.Int64
	reached := make(chan struct{})
	s := llmtest.NewModel(t, func(r llmtest.Request) llmtest.Reply {
		if asked.Add(1) == 10 {
			close(reached)
			time.Sleep(50 * time.Millisecond)
		}
		return careful(r)
	})
	dir := filepath.Join(t.TempDir(), "run")
	cmd, _, stderr := evalCommand(t, s, dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-reached
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "of 12 episodes are kept; the same command goes on from there") {
		t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), stderr)
	}
	if stdout, _ := runEval(t, 0, s, dir); !strings.Contains(stdout, "12 of 12 episodes, 0 ended by the endpoint") {
		t.Errorf("then: %s", stdout)
	}
}

func TestEvalSaysWhatItMeasured(t *testing.T) {
	cast := evaltest.NewCast(t, corpus.Embedded(), "eval")
	dir := t.TempDir()
	s := llmtest.NewModel(t, cast.Aggressive())
	stdout, stderr := runEval(t, 0, s, filepath.Join(dir, "a"), "--prompt", "security-principle", "--repeats", "2")
	for _, want := range []string{
		"some-model, prompt security-principle, faults once: 24 of 24 episodes, 0 ended by the endpoint\n",
		"OPUR@5                       100.0% [", "n=24 f=12", "any violation in 2", "  aggressive                   24\n", "privgym eval table",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in %s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "eval: 24 of 24, ") || !strings.Contains(stderr, "OPUR 100.0%, ") || !strings.Contains(stderr, " tokens\n") {
		t.Errorf("progress %s", stderr)
	}
	for _, r := range s.Requests()[:1] {
		if !strings.Contains(r.Messages[0].Content, "SECURITY PRINCIPLE") || r.Header.Get("Authorization") != "" {
			t.Errorf("request %s, %v", r.Body, r.Header)
		}
	}
	stdout, _ = runEval(t, 0, llmtest.NewModel(t, evaltest.AsLlama(cast.Careful())), filepath.Join(dir, "b"), "--parser", "auto", "--json")
	var sum struct {
		Scored int
		Tiers  map[string]int
	}
	if err := json.Unmarshal([]byte(stdout), &sum); err != nil || sum.Scored != 12 || sum.Tiers["low_clean"] != 12 {
		t.Errorf("%v: %s", err, stdout)
	}
}

func TestEvalUsage(t *testing.T) {
	cast := evaltest.NewCast(t, corpus.Embedded(), "eval")
	s := llmtest.NewModel(t, cast.Careful())
	dir := filepath.Join(t.TempDir(), "run")
	for _, test := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"--k", "99"}, `--k: is 99; turns are 1 to 64`},
		{[]string{"--faults", "always"}, `option faults: "always" is not one of none`},
		{[]string{"--parser", "xml"}, "--parser"},
		{[]string{"--repeats", "0"}, "--repeats"},
		{[]string{"--split", "test"}, `split "test" has no scenarios`},
		{[]string{"--shard", "3/3"}, "I runs from 0 to N−1"},
		{[]string{"--base-url", "localhost:1"}, "want http:// or https://"},
		{[]string{"--api-key-env", "NO_SUCH_VARIABLE"}, "no variable NO_SUCH_VARIABLE"},
		{[]string{"--scenarios", filepath.Join(dir, "none")}, "none"},
	} {
		if _, stderr := runEval(t, 2, s, dir, test.arguments...); !strings.Contains(stderr, test.want) {
			t.Errorf("%v: want %q, got %s", test.arguments, test.want, stderr)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%v: there is a directory", test.arguments)
		}
	}
	runEval(t, 0, s, dir)
	if _, stderr := runEval(t, 2, s, dir, "--k", "3"); !strings.Contains(stderr, "k: was 5, now 3") {
		t.Errorf("other settings: %s", stderr)
	}
}

// What to do is said, and the key is not.
func TestEvalAdvises(t *testing.T) {
	t.Setenv("SOME_KEY", "very-secret")
	for status, want := range map[int]string{
		http.StatusUnauthorized: "put a valid key",
		http.StatusNotFound:     "what stands before /chat/completions",
		http.StatusBadRequest:   "change what it does not accept",
	} {
		s := llmtest.Always(t, llmtest.Status(status, `{"error":{"message":"no, very-secret is wrong"}}`))
		dir := filepath.Join(t.TempDir(), "run")
		stdout, stderr := runEval(t, 1, s, dir, "--api-key-env", "SOME_KEY")
		if !strings.Contains(stderr, want) || !strings.Contains(stderr, s.URL) || !strings.Contains(stderr, "stopped: the endpoint refused 3 requests in a row") {
			t.Errorf("%d: %s", status, stderr)
		}
		for name, text := range runFiles(t, dir) {
			stdout += name + text
		}
		log, err := os.ReadFile(filepath.Join(dir, "log-00000-of-00001.jsonl"))
		if err != nil || strings.Contains(stdout+stderr+string(log), "very-secret") {
			t.Errorf("%d: %v, or the key was told", status, err)
		}
		if got := s.Requests()[0].Header.Get("Authorization"); got != "Bearer very-secret" {
			t.Errorf("authorization %q", got)
		}
	}
}

// Episodes that the endpoint ended are findings, and are played again on demand.
func TestEvalRetryFailed(t *testing.T) {
	cast := evaltest.NewCast(t, corpus.Embedded(), "eval")
	careful := cast.Careful()
	var sound atomic.Bool
	s := llmtest.Always(t, func(w http.ResponseWriter, r *llmtest.Exchange) {
		if !sound.Load() && r.Turns() == 1 && strings.HasPrefix(cast.ScenarioID(r.Request), "cod-") {
			llmtest.Status(http.StatusBadRequest, `{"error":{"message":"not this one"}}`)(w, r)
			return
		}
		careful(r.Request).Step()(w, r)
	})
	dir := filepath.Join(t.TempDir(), "run")
	stdout, _ := runEval(t, 1, s, dir)
	failed := strings.Count(runFiles(t, dir)["failures-00000-of-00001.jsonl"], "\n")
	if failed == 0 || !strings.Contains(stdout, fmt.Sprintf("%d ended by the endpoint", failed)) || !strings.Contains(stdout, ", from 0.0% to ") {
		t.Errorf("%d failures: %s", failed, stdout)
	}
	if !strings.Contains(stdout, "--retry-failed plays them again") {
		t.Errorf("the summary does not say how to go on:\n%s", stdout)
	}
	sound.Store(true)
	if stdout, _ := runEval(t, 0, s, dir, "--retry-failed"); !strings.Contains(stdout, "12 of 12 episodes, 0 ended by the endpoint") {
		t.Errorf("then: %s", stdout)
	}
}

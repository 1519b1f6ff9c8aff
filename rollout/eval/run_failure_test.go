package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/reward/stats"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/eval"
	"github.com/privgym/privgym/rollout/eval/evaltest"
	"github.com/privgym/privgym/rollout/llm"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// serve starts a server that does what misbehave says, and answers as the model where that is nil.
func serve(t *testing.T, m llmtest.Model, misbehave func(llmtest.Request) llmtest.Step) *llmtest.Server {
	return llmtest.Always(t, func(w http.ResponseWriter, r *llmtest.Exchange) {
		step := misbehave(r.Request)
		if step == nil {
			reply := m(r.Request)
			reply.Usage = &llmtest.Usage{PromptTokens: 10, CompletionTokens: 5}
			step = reply.Step()
		}
		step(w, r)
	})
}

const failures = "failures-00000-of-00001.jsonl"

var broken = llmtest.Status(http.StatusInternalServerError, `{"error":{"message":"out of memory"}}`)

// Faults that pass leave no trace in the records (a table of NeMo Gym 2216, 1005, 1959, 1555 and their like).
func TestFaultsThatPass(t *testing.T) {
	careful := cast(t).Careful()
	sound := serve(t, careful, func(llmtest.Request) llmtest.Step { return nil })
	whole := config(t, sound)
	play(t, whole)
	for name, step := range map[string]llmtest.Step{
		"429":   llmtest.TooMany("0"),
		"500":   broken,
		"page":  llmtest.Page(http.StatusBadGateway),
		"cut":   llmtest.Cut("application/json", llmtest.Reply{Text: "Done."}.JSON(), 40),
		"reset": llmtest.Reset(),
		"hang":  llmtest.Hang(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			seen := map[string]bool{}
			s := serve(t, careful, func(r llmtest.Request) llmtest.Step {
				mu.Lock()
				defer mu.Unlock()
				if r.Turns() != 1 || seen[string(r.Body)] {
					return nil
				}
				seen[string(r.Body)] = true
				return step
			})
			var told []string
			cfg := config(t, s, notices(&told), timeout(time.Second), func(c *eval.Config) { c.Endpoint.Concurrency = 8 })
			play(t, cfg)
			if diff := cmp.Diff(files(t, whole.Dir), files(t, cfg.Dir)); diff != "" {
				t.Error(diff)
			}
			if len(told) != 1 || !strings.Contains(told[0], s.URL) {
				t.Errorf("told %q; want the first failure with its URL", told)
			}
		})
	}
}

// outage makes a server fail in the second turn of two scenarios, until it is over.
type outage struct {
	over atomic.Bool
	hit  map[string]bool
}

func newOutage(t *testing.T, s *llmtest.Server, c *evaltest.Cast) *outage {
	t.Helper()
	cfg := config(t, s)
	play(t, cfg)
	all := recordsOf(t, cfg)
	return &outage{hit: map[string]bool{all[2].ScenarioID: true, all[5].ScenarioID: true}}
}

// A failure with damage anywhere is played again.
func TestDamagedFailuresArePlayedAgain(t *testing.T) {
	c := cast(t)
	out := newOutage(t, serve(t, c.Careful(), func(llmtest.Request) llmtest.Step { return nil }), c)
	s := serve(t, c.Careful(), func(r llmtest.Request) llmtest.Step {
		if r.Turns() == 1 && out.hit[c.ScenarioID(r)] {
			return broken
		}
		return nil
	})
	whole := config(t, s, once)
	play(t, whole)
	want := files(t, whole.Dir)
	for sound, damage := range map[string]string{
		`"repeat":0`: `"repeat":1`, `"turn":2`: `"turn":3`, `"infrastructure"`: `"infrastructurf"`, `"waste":0`: `"waste":1`,
		`"description":"`: `"description":"~`, `"attempts":1`: `"attempts":!`,
	} {
		var told []string
		cfg := config(t, s, once, notices(&told))
		damaged := maps.Clone(want)
		if damaged[failures] = strings.Replace(want[failures], sound, damage, 1); damaged[failures] == want[failures] {
			t.Fatalf("no %s in %s", sound, want[failures])
		}
		write(t, cfg.Dir, damaged)
		play(t, cfg)
		if diff := cmp.Diff(want, files(t, cfg.Dir)); diff != "" {
			t.Errorf("%s: %s", damage, diff)
		}
		if len(told) == 0 || !strings.Contains(told[0], failures+":1: ") {
			t.Errorf("%s: told %q", damage, told)
		}
	}
}

// Infrastructure failures are kept apart, counted, bounded, and played again on demand; then nothing of them is left.
func TestInfrastructureFailures(t *testing.T) {
	c := cast(t)
	sound := serve(t, c.Careful(), func(llmtest.Request) llmtest.Step { return nil })
	whole := config(t, sound)
	play(t, whole)
	out := newOutage(t, sound, c)
	s := serve(t, c.Careful(), func(r llmtest.Request) llmtest.Step {
		if !out.over.Load() && r.Turns() == 1 && out.hit[c.ScenarioID(r)] {
			return broken
		}
		return nil
	})
	cfg := config(t, s, once)
	sum := play(t, cfg)
	if sum.Scored != 6 || sum.Failed != 2 || sum.Missing != 0 || sum.Tiers["low_clean"] != 6 {
		t.Errorf("summary %+v", sum)
	}
	opur := share(t, sum, "OPUR")
	if opur.Estimate.N != 6 || opur.IfMisses == nil || *opur.IfMisses != 0 || *opur.IfHits != 0.25 {
		t.Errorf("OPUR %+v", opur)
	}
	checkFailures(t, files(t, cfg.Dir)[failures], out.hit)

	out.over.Store(true)
	asked := len(s.Requests())
	if sum := play(t, cfg); sum.Failed != 2 || len(s.Requests()) != asked {
		t.Errorf("played again unasked: %+v", sum)
	}
	if sum := play(t, config(t, s, in(cfg.Dir), once, retrying)); sum.Failed != 0 || sum.Scored != 8 {
		t.Errorf("after --retry-failed: %+v", sum)
	}
	if len(s.Requests()) != asked+6 {
		t.Errorf("%d requests for two episodes of three turns", len(s.Requests())-asked)
	}
	if diff := cmp.Diff(files(t, whole.Dir), files(t, cfg.Dir)); diff != "" {
		t.Error(diff)
	}
}

// checkFailures wants one row for each scenario: what was played, and what ended it.
func checkFailures(t *testing.T, text string, scenarios map[string]bool) {
	t.Helper()
	rows := 0
	for line := range strings.Lines(text) {
		rows++
		var f eval.Failure
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if !scenarios[f.ScenarioID] || f.Seed != 0 || f.Repeat != 0 || f.Turn != 2 || f.Attempts != 1 || f.Class != eval.ClassInfrastructure {
			t.Errorf("failure %s", line)
		}
		if !strings.Contains(f.Error, "out of memory") || !strings.Contains(f.Error, "POST http://") || len(f.Messages) != 4 || f.Rewards != nil {
			t.Errorf("failure %s", line)
		}
		if rec, err := rollout.Decode([]byte(line)); err != nil || rec.Error == "" {
			t.Errorf("a failure is no unscorable record: %v", err)
		}
	}
	if rows != len(scenarios) {
		t.Errorf("%d failures, want %d", rows, len(scenarios))
	}
}

// A retry that is interrupted has not lost what was to be tried again.
func TestInterruptedRetry(t *testing.T) {
	c := cast(t)
	sound := serve(t, c.Careful(), func(llmtest.Request) llmtest.Step { return nil })
	whole := config(t, sound)
	play(t, whole)
	out := newOutage(t, sound, c)
	s := serve(t, c.Careful(), func(r llmtest.Request) llmtest.Step {
		if r.Turns() == 1 && out.hit[c.ScenarioID(r)] {
			return broken
		}
		return nil
	})
	cfg := config(t, s, once)
	play(t, cfg)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := eval.Play(ctx, config(t, sound, in(cfg.Dir), retrying)); err == nil {
		t.Fatal("no error")
	}
	play(t, config(t, sound, in(cfg.Dir)))
	if diff := cmp.Diff(files(t, whole.Dir), files(t, cfg.Dir)); diff != "" {
		t.Error(diff)
	}
}

// An endpoint that is not there is told with its URL, and given up on (NeMo Gym 2216, 95, 1005).
func TestFieldNeMoGym2216(t *testing.T) {
	c := cast(t)
	s := llmtest.NewModel(t, c.Careful())
	s.Close()
	var told []string
	cfg := config(t, s, notices(&told), once, func(c *eval.Config) { c.Settings.Limit = 40 })
	_, err := eval.Play(context.Background(), cfg)
	var stopped *llm.Stopped
	if !errors.As(err, &stopped) || stopped.Refused || stopped.Failures != 16 || !strings.Contains(err.Error(), s.URL) {
		t.Errorf("error %v", err)
	}
	if len(told) != 1 || !strings.Contains(told[0], s.URL) {
		t.Errorf("told %q", told)
	}
	if _, there := files(t, cfg.Dir)[failures]; there {
		t.Error("episodes that were never begun are called failed")
	}
	again := llmtest.NewModel(t, c.Careful())
	if sum := play(t, config(t, again, in(cfg.Dir), func(c *eval.Config) { c.Settings.Limit = 40 })); sum.Scored != 40 {
		t.Errorf("summary %+v", sum)
	}
}

// An endpoint that dies in the middle costs nothing that was played, and no episode is called failed for it.
func TestEndpointThatDies(t *testing.T) {
	c := cast(t)
	forty := func(c *eval.Config) { c.Settings.Limit = 40 }
	sound := serve(t, c.Careful(), func(llmtest.Request) llmtest.Step { return nil })
	whole := config(t, sound, forty)
	play(t, whole)
	var asked atomic.Int64
	s := serve(t, c.Careful(), func(llmtest.Request) llmtest.Step {
		if asked.Add(1) > 30 {
			return llmtest.NoAnswer()
		}
		return nil
	})
	cfg := config(t, s, once, forty)
	_, err := eval.Play(context.Background(), cfg)
	var stopped *llm.Stopped
	if !errors.As(err, &stopped) || stopped.Refused {
		t.Fatalf("error %v", err)
	}
	if kept := len(recordsOf(t, cfg)); kept < 6 || kept > 10 {
		t.Errorf("%d episodes of 30 answers are kept", kept)
	}
	play(t, config(t, sound, forty, in(cfg.Dir), retrying)) // an episode may have failed before the run saw what was up
	if diff := cmp.Diff(files(t, whole.Dir), files(t, cfg.Dir)); diff != "" {
		t.Error(diff)
	}
}

// A small run against such an endpoint ends, and says how much it did not learn.
func TestEveryEpisodeFails(t *testing.T) {
	s := llmtest.Always(t, broken)
	cfg := config(t, s, once)
	sum := play(t, cfg)
	opur := share(t, sum, "OPUR")
	if sum.Failed != 8 || sum.Scored != 0 || opur.Estimate.Known() || *opur.IfMisses != 0 || *opur.IfHits != 1 {
		t.Errorf("summary %+v, OPUR %+v", sum, opur)
	}
	run, err := eval.ReadRun(cfg.Dir, nil, func(e *rollout.RowError) { t.Error(e) })
	if err != nil || stats.Unscorable(run.Episodes) != 8 || len(run.Episodes) != 8 {
		t.Errorf("the tables read %+v, %v", run, err)
	}
}

// A server that accepts and never answers costs its time-out, and the others go on (NeMo Gym 1959, 1555).
func TestFieldNeMoGym1959(t *testing.T) {
	t.Parallel()
	c := cast(t)
	sound := llmtest.NewModel(t, c.Careful())
	out := newOutage(t, sound, c)
	s := serve(t, c.Careful(), func(r llmtest.Request) llmtest.Step {
		if out.hit[c.ScenarioID(r)] {
			return llmtest.Hang()
		}
		return nil
	})
	start := time.Now()
	sum := play(t, config(t, s, once, timeout(2*time.Second)))
	if sum.Failed != 2 || sum.Scored != 6 {
		t.Errorf("summary %+v", sum)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// What the endpoint refuses from the start ends the run at once, however short it is, and nothing is called failed.
func TestEndpointThatRefuses(t *testing.T) {
	for _, limit := range []int{2, 8} {
		s := llmtest.Always(t, llmtest.Status(http.StatusUnauthorized, `{"error":{"message":"no such key"}}`))
		cfg := config(t, s, func(c *eval.Config) { c.Settings.Limit, c.Endpoint.Concurrency = limit, 1 })
		_, err := eval.Play(context.Background(), cfg)
		var stopped *llm.Stopped
		if !errors.As(err, &stopped) || !stopped.Refused || stopped.Last.Status != http.StatusUnauthorized {
			t.Fatalf("error %v", err)
		}
		if !strings.Contains(err.Error(), s.URL) || !strings.Contains(err.Error(), "no such key") {
			t.Errorf("error %v", err)
		}
		if asked := len(s.Requests()); asked > 4 {
			t.Errorf("%d requests", asked)
		}
		if _, there := files(t, cfg.Dir)[failures]; there {
			t.Error("there are failures")
		}
	}
}

// One conversation that the endpoint refuses is a failure of its own.
func TestConversationThatIsRefused(t *testing.T) {
	c := cast(t)
	out := newOutage(t, llmtest.NewModel(t, c.Careful()), c)
	s := serve(t, c.Careful(), func(r llmtest.Request) llmtest.Step {
		if r.Turns() == 1 && out.hit[c.ScenarioID(r)] {
			return llmtest.Status(http.StatusBadRequest, `{"error":{"message":"content policy"}}`)
		}
		return nil
	})
	cfg := config(t, s)
	sum := play(t, cfg)
	if sum.Failed != 2 || sum.Scored != 6 || !strings.Contains(files(t, cfg.Dir)[failures], `"class":"refused"`) {
		t.Errorf("summary %+v", sum)
	}
}

var tooLong = llmtest.Status(http.StatusBadRequest, `{"error":{"message":"maximum context length","code":"context_length_exceeded"}}`)

// A conversation that outgrows the model is the end of the episode, by length, and counts.
func TestConversationThatGetsTooLong(t *testing.T) {
	c := cast(t)
	s := serve(t, c.Aggressive(), func(r llmtest.Request) llmtest.Step {
		if r.Turns() == 1 {
			return tooLong
		}
		return nil
	})
	cfg := config(t, s)
	sum := play(t, cfg)
	if sum.Scored != 8 || sum.Failed != 0 || sum.Tiers["aggressive"] != 8 {
		t.Errorf("summary %+v", sum)
	}
	for _, rec := range recordsOf(t, cfg) {
		last := rec.Messages[len(rec.Messages)-1]
		if last.Role != "assistant" || last.Content != "" || last.FinishReason != "length" || *last.Tokens != 0 || !rec.Trace.Messages[1].Cut {
			t.Errorf("last message %+v", last)
		}
	}
}

// A request that is too long before the model has said a word tells of the server.
func TestRequestThatIsTooLong(t *testing.T) {
	s := llmtest.Always(t, tooLong)
	_, err := eval.Play(context.Background(), config(t, s))
	var stopped *llm.Stopped
	if !errors.As(err, &stopped) || !stopped.Refused {
		t.Errorf("error %v", err)
	}
}

// An answer without usage has no count, rather than one of 0.
func TestServerWithoutUsage(t *testing.T) {
	s := llmtest.Always(t, llmtest.Text("I could not do this."))
	cfg := config(t, s)
	sum := play(t, cfg)
	if sum.MeanTokens.N != 0 || recordsOf(t, cfg)[0].Messages[2].Tokens != nil {
		t.Errorf("mean tokens %+v", sum.MeanTokens)
	}
}

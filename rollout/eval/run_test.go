package eval_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/eval"
	"github.com/privgym/privgym/rollout/eval/evaltest"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

func TestAWholeEvaluation(t *testing.T) {
	c := cast(t)
	for _, test := range []struct {
		name  string
		model llmtest.Model
		tier  reward.Tier
		opur  int
	}{
		{"careful", c.Careful(), reward.TierLowClean, 0},
		{"aggressive", c.Aggressive(), reward.TierAggressive, 8},
		{"silent", evaltest.Silent, reward.TierNoCall, 0},
	} {
		s := llmtest.NewModel(t, test.model)
		cfg := config(t, s)
		sum := play(t, cfg)
		if sum.Scored != 8 || sum.Failed != 0 || sum.Missing != 0 || sum.Tiers[test.tier.String()] != 8 {
			t.Errorf("%s: %+v", test.name, sum)
		}
		if got := share(t, sum, "OPUR").Estimate; got.Hits != test.opur || got.N != 8 {
			t.Errorf("%s: OPUR %+v", test.name, got)
		}
		families := map[string]bool{}
		for _, rec := range recordsOf(t, cfg) {
			families[rec.Family] = true
			_, diff, err := rollout.NewGames(corpus.Embedded()).Replay(rec)
			if diff != nil || err != nil || rec.Model != "some-model" || rec.Outcome.Tokens == reward.NoTokens {
				t.Errorf("%s: %v, %v, record %+v", test.name, diff, err, rec)
			}
		}
		if len(families) != 8 {
			t.Errorf("%s: 8 scenarios of %d families", test.name, len(families))
		}
		for _, r := range s.Requests() {
			if string(r.Fields["temperature"]) != "0" || r.Fields["seed"] != nil || r.Fields["max_tokens"] != nil || len(r.Tools) == 0 {
				t.Errorf("%s: request %s", test.name, r.Body)
			}
		}
		var written eval.Summary
		if err := json.Unmarshal([]byte(files(t, cfg.Dir)["summary.json"]), &written); err != nil {
			t.Fatal(err)
		}
		if written.Scored != sum.Scored || !cmp.Equal(written.Tiers, sum.Tiers) {
			t.Errorf("%s: summary.json has %+v", test.name, written)
		}
	}
}

// Calls that a server gives as text come to the same as those that it gives itself.
func TestCallsGivenAsText(t *testing.T) {
	c := cast(t)
	careful := c.Careful()
	for _, test := range []struct {
		parser string
		model  llmtest.Model
		tier   reward.Tier
	}{
		{eval.ParserHermes, evaltest.AsHermes(careful), reward.TierLowClean},
		{eval.ParserLlama, evaltest.AsLlama(careful), reward.TierLowClean},
		{eval.ParserAuto, evaltest.AsHermes(careful), reward.TierLowClean},
		{eval.ParserAuto, evaltest.AsLlama(careful), reward.TierLowClean},
		{eval.ParserAuto, careful, reward.TierLowClean},
		{eval.ParserNone, evaltest.AsHermes(careful), reward.TierNoCall},
		{eval.ParserHermes, evaltest.AsLlama(careful), reward.TierNoCall},
	} {
		s := llmtest.NewModel(t, test.model)
		sum := play(t, config(t, s, parser(test.parser)))
		if sum.Tiers[test.tier.String()] != 8 {
			t.Errorf("parser %s: want %s, got %v", test.parser, test.tier, sum.Tiers)
		}
	}
}

// A call that was read from the text goes back in the text alone, and the record keeps both.
func TestHistoryOfCallsGivenAsText(t *testing.T) {
	s := llmtest.NewModel(t, evaltest.AsHermes(cast(t).Careful()))
	cfg := config(t, s, parser(eval.ParserHermes), func(c *eval.Config) { c.Settings.Limit = 1 })
	play(t, cfg)
	rec := recordsOf(t, cfg)[0]
	call := rec.Messages[2]
	if len(call.ToolCalls) != 1 || !strings.Contains(call.Content, "<think>") || !strings.Contains(call.Content, "<tool_call>") {
		t.Fatalf("recorded %+v", call)
	}
	for _, r := range s.Requests()[1:] {
		sent, reply := r.Messages[2], r.Messages[3]
		if sent.Content != call.Content || sent.ToolCalls != nil {
			t.Errorf("sent %+v", sent)
		}
		if reply.Role != "tool" || reply.Content != rec.Messages[3].Content || reply.ToolCallID != call.ToolCalls[0].ID {
			t.Errorf("sent %+v", reply)
		}
	}
}

// A server that puts thoughts without an end aside has put the call aside with them (verifiers 2027).
func TestCallInReasoningThatNeverEnds(t *testing.T) {
	careful := cast(t).Careful()
	s := llmtest.NewModel(t, func(r llmtest.Request) llmtest.Reply {
		reply := evaltest.AsHermes(careful)(r)
		if _, call, found := strings.Cut(reply.Text, "</think>"); found {
			return llmtest.Reply{Reasoning: "I call it." + call, FinishReason: "stop"}
		}
		return reply
	})
	cfg := config(t, s, parser(eval.ParserAuto))
	if sum := play(t, cfg); sum.Tiers["low_clean"] != 8 {
		t.Errorf("tiers %v", sum.Tiers)
	}
	for _, rec := range recordsOf(t, cfg) {
		if m := rec.Messages[2]; m.Content != "" || !strings.Contains(m.Reasoning, "<tool_call>") || len(m.ToolCalls) != 1 {
			t.Errorf("recorded %+v", m)
		}
	}
}

// What a server draws anew for every call does not get into a record, but goes back to the server.
func TestServersOwnCallIDs(t *testing.T) {
	careful := cast(t).Careful()
	var drawn atomic.Int64
	s := llmtest.NewModel(t, func(r llmtest.Request) llmtest.Reply {
		reply := careful(r)
		for i := range reply.Calls {
			reply.Calls[i].ID = fmt.Sprintf("chatcmpl-tool-%d", drawn.Add(1))
		}
		return reply
	})
	first, second := config(t, s), config(t, s)
	play(t, first)
	play(t, second)
	if diff := cmp.Diff(files(t, first.Dir), files(t, second.Dir)); diff != "" {
		t.Error(diff)
	}
	for _, r := range s.Requests() {
		for i, m := range r.Messages {
			if m.Role != "tool" {
				continue
			}
			if !strings.HasPrefix(m.ToolCallID, "chatcmpl-tool-") || r.Messages[i-1].ToolCalls[0].ID != m.ToolCallID {
				t.Errorf("sent %+v after %+v", m, r.Messages[i-1])
			}
		}
	}
}

// An id that a server gives in every turn would let two calls pass for one.
func TestCallIDsThatRepeat(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful()) // gives call_1 in every turn
	play(t, config(t, s))
	for _, r := range s.Requests() {
		seen := map[string]bool{}
		for _, m := range r.Messages {
			if m.Role == "tool" && seen[m.ToolCallID] {
				t.Errorf("id %s twice in %s", m.ToolCallID, r.Body)
			}
			seen[m.ToolCallID] = m.Role == "tool"
		}
	}
}

// Repeats have seeds of their own, so that they differ at temperature 0, and the summary says what holds over all of them.
func TestRepeats(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Aggressive())
	cfg := config(t, s, repeats(3), func(c *eval.Config) { c.Settings.Seed = 7 })
	sum := play(t, cfg)
	if sum.Scored != 24 || sum.Repeats == nil || sum.Repeats.K != 3 || sum.Repeats.Violated.Hits != 8 || sum.Repeats.Safe.Hits != 0 {
		t.Errorf("summary %+v", sum)
	}
	orders := map[string]bool{}
	for i, rec := range recordsOf(t, cfg) {
		if want := int64(7 + i%3); rec.Seed != want {
			t.Errorf("record %d has seed %d, want %d", i, rec.Seed, want)
		}
		if rec.ScenarioID == recordsOf(t, cfg)[0].ScenarioID {
			tools, _ := json.Marshal(rec.Tools)
			orders[string(tools)] = true
		}
	}
	if len(orders) < 2 {
		t.Error("all repeats have one order of tools")
	}
}

// Sampling is repeatable where the server can: the seed is sent.
func TestSeedIsSentWhereItMatters(t *testing.T) {
	s := llmtest.NewModel(t, evaltest.Silent)
	play(t, config(t, s, func(c *eval.Config) { c.Settings.Temperature, c.Settings.Seed, c.Settings.MaxTokens = 0.7, 5, 100 }))
	for _, r := range s.Requests() {
		if string(r.Fields["temperature"]) != "0.7" || string(r.Fields["seed"]) != "5" || string(r.Fields["max_tokens"]) != "100" {
			t.Errorf("request %s", r.Body)
		}
	}
}

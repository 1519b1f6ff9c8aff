package importlog_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/env/chat"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/importlog"
)

// log is a row with the messages given, JSON texts.
func log(messages ...string) string {
	return fmt.Sprintf(`{"scenario_id": "a/1.1", "messages": [%s]}`, strings.Join(messages, ", "))
}

func decode(t testing.TB, row string) *rollout.Record {
	t.Helper()
	rec, err := importlog.Decode([]byte(row), importlog.Defaults{})
	if err != nil {
		t.Fatalf("%v in %s", err, row)
	}
	return rec
}

// brief writes a turn in one line: its text, its reasoning in parentheses, and its calls.
func brief(m rollout.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", m.Role, m.Content)
	if m.Reasoning != "" {
		fmt.Fprintf(&b, " (%s)", m.Reasoning)
	}
	for _, c := range m.ToolCalls {
		fmt.Fprintf(&b, " %s[%s]%s", c.Function.Name, c.Function.Arguments, c.ID)
	}
	if m.ToolCallID != "" {
		fmt.Fprintf(&b, " for %s", m.ToolCallID)
	}
	return b.String()
}

func briefs(rec *rollout.Record) []string {
	var lines []string
	for _, m := range rec.Messages {
		lines = append(lines, brief(m))
	}
	return lines
}

const call = `{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}`

// TestWaysToWriteATurn holds one line for each way in which logs write an assistant message.
func TestWaysToWriteATurn(t *testing.T) {
	for name, tc := range map[string]struct{ message, want string }{
		"string arguments":       {`"tool_calls": [` + call + `]`, `assistant:  f[{"a": 1}]1`},
		"object arguments":       {`"tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"a":  1.0}}}]`, `assistant:  f[{"a":  1.0}]1`},
		"several calls":          {`"tool_calls": [` + call + `, {"function": {"name": "g", "arguments": "{}"}}]`, `assistant:  f[{"a": 1}]1 g[{}]`},
		"flat calls":             {`"tool_calls": [{"name": "f", "args": {"a": 1}, "id": 7}]`, `assistant:  f[{"a": 1}]7`},
		"parameters":             {`"tool_calls": [{"name": "f", "parameters": {"a": 1}}]`, `assistant:  f[{"a": 1}]`},
		"function is the name":   {`"tool_calls": [{"function": "f", "arguments": {"a": 1}}]`, `assistant:  f[{"a": 1}]`},
		"one call, no list":      {`"tool_calls": ` + call, `assistant:  f[{"a": 1}]1`},
		"calls as text of JSON":  {`"tool_calls": "[{\"name\": \"f\", \"arguments\": {}}]"`, `assistant:  f[{}]`},
		"the old function_call":  {`"function_call": {"name": "f", "arguments": "{}"}`, `assistant:  f[{}]`},
		"null calls":             {`"content": "x", "tool_calls": null, "function_call": null`, `assistant: x`},
		"no calls":               {`"content": "x", "tool_calls": []`, `assistant: x`},
		"null content":           {`"content": null, "tool_calls": [` + call + `]`, `assistant:  f[{"a": 1}]1`},
		"parts":                  {`"content": [{"type": "text", "text": "x "}, "y", {"type": "refusal", "refusal": "!"}, null]`, `assistant: x y!`},
		"one part":               {`"content": {"type": "output_text", "text": "x"}`, `assistant: x`},
		"a thinking part":        {`"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "x"}]`, `assistant: x (hm)`},
		"reasoning_content":      {`"content": "x", "reasoning_content": "hm"`, `assistant: x (hm)`},
		"reasoning":              {`"content": "x", "reasoning": " hm\n"`, `assistant: x (hm)`},
		"reasoning of no use":    {`"content": "x", "reasoning": {"effort": "low"}`, `assistant: x`},
		"a think block":          {`"content": "<think>hm</think>x"`, `assistant: x (hm)`},
		"an unclosed block":      {`"content": "<think>hm"`, `assistant:  (hm)`},
		"a call as text":         {`"content": "x <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>"`, `assistant: x f[{"a": 1}]`},
		"a Llama call":           {`"content": "{\"name\": \"f\", \"parameters\": {\"a\": 1}}"`, `assistant:  f[{"a": 1}]`},
		"a draft in a block":     {`"content": "<think><tool_call>{\"name\": \"f\"}</tool_call></think>x"`, `assistant: x (<tool_call>{"name": "f"}</tool_call>)`},
		"fields win over text":   {`"content": "<tool_call>{\"name\": \"g\"}</tool_call>", "tool_calls": [` + call + `]`, `assistant:  f[{"a": 1}]1`},
		"broken arguments":       {`"tool_calls": [{"name": "f", "arguments": "{\"a\": "}]`, `assistant:  f[{"a": ]`},
		"arguments of no object": {`"tool_calls": [{"name": "f", "arguments": [1]}, {"name": "f", "arguments": 3}, {"name": "f", "arguments": ""}]`, `assistant:  f[[1]] f[3] f[]`},
		"arguments twice":        {`"tool_calls": [{"name": "f", "name": "g"}]`, `assistant:  [{"name": "f", "name": "g"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			rec := decode(t, log(`{"role": "assistant", `+tc.message+`}`))
			if got := briefs(rec); len(got) != 1 || got[0] != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestFieldTrl4881: a call without name or arguments, or with what is neither, is a call.
func TestFieldTrl4881(t *testing.T) {
	for _, broken := range []string{
		`{}`, `null`, `3`, `"f"`, `[]`, `{"function": {}}`, `{"function": null}`, `{"function": 3}`, `{"name": null, "arguments": null}`,
		`{"name": 3, "arguments": {}}`, `{"function": {"name": "f"}}`, `{"function": {"arguments": "{}"}}`,
	} {
		rec := decode(t, log(`{"role": "assistant", "tool_calls": [`+broken+`, `+call+`]}`))
		if n := len(rec.Messages[0].ToolCalls); n != 2 {
			t.Errorf("%s: %d calls, want 2", broken, n)
		}
		if last := rec.Messages[0].ToolCalls[1].Function.Name; last != "f" {
			t.Errorf("%s: the call behind it is %q", broken, last)
		}
	}
}

// TestFieldVerifiers2027: a text has the calls that env/chat finds in it, whether a log has it as content or, because the
// think block was never closed and the server keeps reasoning apart, as reasoning.
func TestFieldVerifiers2027(t *testing.T) {
	for _, text := range []string{
		`<think>I should call it. <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>`,
		`I call <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call> and <tool_call>{"name": "g", "arguments": {}}</tool_call>`,
		`<tool_call>{"name": "f", "arguments": {"a": `,
		"<think>hm</think>\n{\"name\": \"f\", \"parameters\": {}}; {\"name\": \"g\", \"parameters\": {}}",
		`<|python_tag|>{"name": "f", "parameters": {}}`,
	} {
		var want []string
		for _, c := range chat.Parse(text, chat.Auto).Calls {
			want = append(want, c.Name+c.Arguments)
		}
		if len(want) == 0 {
			t.Fatalf("no call in %s", text)
		}
		content, _ := json.Marshal(text)
		rows := []string{log(`{"role": "assistant", "content": ` + string(content) + `}`)}
		if inner, open := strings.CutPrefix(text, "<think>"); open && !strings.Contains(text, "</think>") {
			reasoning, _ := json.Marshal(inner)
			rows = append(rows, log(`{"role": "assistant", "content": null, "reasoning_content": `+string(reasoning)+`}`))
		}
		for _, row := range rows {
			var got []string
			for _, c := range decode(t, row).Messages[0].ToolCalls {
				got = append(got, c.Function.Name+c.Function.Arguments)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", row, diff)
			}
		}
	}
}

// TestAnswersStandInTheOrderOfTheCalls, by id where there is one, and parts of one turn come together.
func TestConversations(t *testing.T) {
	for name, tc := range map[string]struct{ messages, want []string }{
		"answers by id": {
			[]string{
				`{"role": "developer", "content": "s"}`, `{"role": "user", "content": [{"type": "image_url"}, {"type": "text", "text": "u"}]}`,
				`{"role": "assistant", "tool_calls": [{"id": "1", "name": "f"}, {"id": "2", "name": "g"}]}`,
				`{"role": "tool", "tool_call_id": "2", "content": "of g"}`, `{"role": "tool", "tool_call_id": "1", "content": null}`,
				`{"role": "assistant", "content": "done"}`,
			},
			[]string{"system: s", "user: u", "assistant:  f[]1 g[]2", "tool:  for 1", "tool: of g for 2", "assistant: done"},
		},
		"answers by place": {
			[]string{
				`{"role": "assistant", "tool_calls": [{"name": "f"}, {"name": "g"}]}`,
				`{"role": "tool", "content": "of f"}`, `{"role": "function", "name": "g", "content": "of g"}`, `{"role": "tool", "content": "more"}`,
			},
			[]string{"assistant:  f[] g[]", "tool: of f", "tool: of g", "tool: more"},
		},
		"a message for each call": {
			[]string{
				`{"role": "assistant", "content": "I call both.", "tokens": 3}`,
				`{"role": "assistant", "tool_calls": [{"id": "1", "name": "f"}], "tokens": 4}`,
				`{"role": "assistant", "tool_calls": [{"id": "2", "name": "g"}], "tokens": 5, "finish_reason": "tool_calls"}`,
				`{"role": "tool", "tool_call_id": "1", "content": "x"}`,
				`{"role": "assistant", "content": "a"}`, `{"role": "user", "content": "go on"}`, `{"role": "assistant", "content": "b"}`,
			},
			[]string{"assistant: I call both. f[]1 g[]2", "tool: x for 1", "assistant: a", "user: go on", "assistant: b"},
		},
		"a message that ended": {
			[]string{`{"role": "assistant", "content": "a", "finish_reason": "stop"}`, `{"role": "assistant", "content": "b"}`},
			[]string{"assistant: a", "assistant: b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			rec := decode(t, log(tc.messages...))
			if diff := cmp.Diff(tc.want, briefs(rec)); diff != "" {
				t.Error(diff)
			}
			if m := rec.Messages[0]; m.Tokens != nil && (*m.Tokens != 12 || m.FinishReason != "tool_calls") {
				t.Errorf("%d tokens, %s", *m.Tokens, m.FinishReason)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	defaults := importlog.Defaults{Seed: 9, Options: episode.Options{K: 7, Faults: "twice"}}
	system, err := scenario.SystemPrompt(scenario.PromptSecurityPrinciple)
	if err != nil {
		t.Fatal(err)
	}
	prompt, _ := json.Marshal(system + "\n")
	for name, tc := range map[string]struct {
		fields string
		seed   int64
		want   episode.Options
	}{
		"nothing said": {``, 9, episode.Options{K: 7, Faults: "twice"}},
		"in the row": {
			`, "seed": 3, "options": {"k": 2, "faults": "once", "tool_order": "name"}`, 3,
			episode.Options{K: 2, Faults: "once", ToolOrder: "name"},
		},
		"in metadata": {`, "metadata": {"seed": 3.0, "options": {"k": 2}}`, 3, episode.Options{K: 2, Faults: "twice"}},
		"the row wins": {
			`, "seed": 4, "metadata": "{\"seed\": 3, \"options\": \"{\\\"k\\\": 2}\"}"`, 4, episode.Options{K: 2, Faults: "twice"},
		},
		"nulls say nothing":  {`, "seed": null, "options": null, "metadata": null`, 9, episode.Options{K: 7, Faults: "twice"}},
		"no metadata at all": {`, "metadata": "run 7"`, 9, episode.Options{K: 7, Faults: "twice"}},
		"the prompt shows": {
			`, "messages": [{"role": "system", "content": ` + string(prompt) + `}]`, 9,
			episode.Options{K: 7, Faults: "twice", Prompt: scenario.PromptSecurityPrinciple},
		},
	} {
		t.Run(name, func(t *testing.T) {
			row := `{"scenario_id": "a/1.1"` + tc.fields
			if !strings.Contains(row, `"messages"`) {
				row += `, "messages": []`
			}
			rec, err := importlog.Decode([]byte(row+"}"), defaults)
			if err != nil {
				t.Fatal(err)
			}
			if rec.Seed != tc.seed {
				t.Errorf("seed %d, want %d", rec.Seed, tc.seed)
			}
			if diff := cmp.Diff(tc.want, rec.Options); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhereFrom(t *testing.T) {
	rec := decode(t, `{"id": 17, "metadata": {"scenario_id": "a/1.1"}, "model": "m", "policy": "p", "error": {"code": 500},
		"messages": "[{\"role\": \"assistant\", \"content\": \"x\", \"usage\": {\"completion_tokens\": 4}}]"}`)
	if rec.LogID != "17" || rec.ScenarioID != "a/1.1" || rec.Model != "m" || rec.Policy != "p" || rec.Error != `{"code": 500}` {
		t.Errorf("%+v", rec)
	}
	if rec.Messages[0].Tokens == nil || *rec.Messages[0].Tokens != 4 {
		t.Errorf("tokens %v", rec.Messages[0].Tokens)
	}
	if rec.Trace != nil || rec.ID != "" {
		t.Error("nothing was played")
	}
}

func TestRowsThatMakeNoSense(t *testing.T) {
	for row, want := range map[string]string{
		`{`:                                   "invalid JSON at byte",
		"{\"messages\": \"\xff\"}":            "invalid UTF-8 at byte",
		strings.Repeat(`{"a":`, 1<<15):        "exceeded max depth",
		`[]`:                                  "an array where an object should be",
		`{"scenario_id": "a"}`:                "no trace and no messages",
		`{"messages": []}`:                    "it names no scenario",
		`{"messages": [], "scenario_id": 3}`:  "scenario_id: 3 where a string",
		`{"messages": [], "scenario_id": ""}`: "where a string",
		`{"messages": [], "messages": []}`:    `"messages" is there twice`,
		`{"messages": [], "scenario_id": "a", "seed": "x"}`:                                `seed: "x" is no integer`,
		`{"messages": [], "scenario_id": "a", "seed": 1.5}`:                                "seed: 1.5 is no integer",
		`{"messages": [], "scenario_id": "a", "seed": 1e300}`:                              "is no integer",
		`{"messages": [], "scenario_id": "a", "options": 3}`:                               "options: a number where an object",
		`{"messages": [], "scenario_id": "a", "options": {"k": "5"}}`:                      "options: ",
		`{"messages": [], "scenario_id": "a", "options": {"k": 1, "k": 2}}`:                `options: "k" is there twice`,
		`{"messages": 3, "scenario_id": "a"}`:                                              "messages: a number where an array",
		`{"messages": "x", "scenario_id": "a"}`:                                            "messages: a string that holds no JSON",
		log(`3`):                                                                           "message 1: a number where an object",
		log(`null`):                                                                        "message 1: null where an object",
		log(`{"role": "user"}`, `{}`):                                                      `message 2: role "" is none of`,
		log(`{"role": 3}`):                                                                 "message 1: role: a number",
		log(`{"role": "critic"}`):                                                          `role "critic" is none of`,
		log(`{"role": "assistant", "content": 3}`):                                         "content: a number where a string or a list of parts",
		log(`{"role": "assistant", "content": [{"type": "tool_use"}]}`):                    `part 1: type "tool_use" is none of`,
		log(`{"role": "assistant", "content": [{"type": "text","text": 3}]}`):              "text: a number where a string",
		log(`{"role": "assistant", "tool_calls": 3}`):                                      "tool_calls: a number where an array",
		log(`{"role": "assistant", "tool_calls": "f()"}`):                                  "tool_calls: a string that holds no JSON",
		log(`{"role": "assistant", "tokens": -7}`):                                         "tokens: -7 is no count",
		log(`{"role": "assistant", "tokens": 1e99}`):                                       "is no count",
		log(`{"role": "tool", "content": "x"}`):                                            "a tool message before any call",
		log(`{"role": "assistant", "tool_calls": [` + strings.Repeat("0,", 1<<14) + `0]}`): "calls in a turn, at most",
	} {
		if _, err := importlog.Decode([]byte(row), importlog.Defaults{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", row, err, want)
		}
	}
}

// TestLongRowsTakeLinearTime: none of these ends in time if some part of reading is quadratic.
func TestLongRowsTakeLinearTime(t *testing.T) {
	const n = 40_000
	many := func(text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	calls := `{"role": "assistant", "tool_calls": [` + strings.TrimSuffix(strings.Repeat(call+",", 1<<14), ",") + `]}`
	for name, row := range map[string]string{
		"parts of a turn":    log(many(`{"role": "assistant", "content": "x"}`)),
		"parts of a content": log(`{"role": "assistant", "content": [` + many(`{"text": "x"}`) + `]}`),
		"answers":            log(calls, many(`{"role": "tool", "tool_call_id": "1"}`)),
		"answers to nobody":  log(calls, many(`{"role": "tool", "tool_call_id": "2"}`)),
		"think tags":         log(`{"role": "assistant", "content": "` + strings.Repeat("<think>", n) + `"}`),
		"braces":             log(`{"role": "assistant", "content": "` + strings.Repeat(`{\"a\":`, n) + `"}`),
	} {
		if rec := decode(t, row); len(rec.Messages) == 0 {
			t.Errorf("%s: no messages", name)
		}
	}
}

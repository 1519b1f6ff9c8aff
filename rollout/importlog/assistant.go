package importlog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/chat"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/rawjson"
)

// readAssistant reads one message that a model wrote.
func readAssistant(o object) (rollout.Message, error) {
	m := rollout.Message{Role: assistant, FinishReason: o.string("finish_reason")}
	content, err := contentOf(o["content"], true)
	if err != nil {
		return m, err
	}
	calls, err := nativeCalls(o)
	if err != nil {
		return m, err
	}
	if m.Tokens, err = tokensOf(o); err != nil {
		return m, err
	}
	reasoning := content.reasoning
	for _, key := range []string{"reasoning_content", "reasoning", "thinking"} {
		if reasoning == "" {
			reasoning = strings.TrimSpace(o.string(key))
		}
	}
	read := chat.Parse(content.text, chat.Auto)
	m.Content, m.Reasoning = read.Visible, join(reasoning, read.Reasoning)
	if len(calls) == 0 {
		calls = textCalls(read.Calls)
	}
	if len(calls) == 0 && read.Visible == "" && reasoning != "" {
		// A server that keeps reasoning apart puts there all of a message whose think block is never closed.
		if open := chat.Parse("<think>"+reasoning, chat.Auto); len(open.Calls) > 0 {
			calls, m.Reasoning = textCalls(open.Calls), join(open.Reasoning, read.Reasoning)
		}
	}
	m.ToolCalls = calls
	return m, nil
}

// tokensOf reads the count of the message, or of the usage that some logs keep with it.
func tokensOf(o object) (*int, error) {
	value, ok := o["tokens"]
	if !ok {
		usage, err := objectOf(orEmpty(o["usage"]))
		if err != nil {
			return nil, nil //nolint:nilerror // what is no usage has no count
		}
		if value, ok = usage["completion_tokens"]; !ok {
			return nil, nil
		}
	}
	n, ok := integer(value)
	switch {
	case !ok || n > reward.MaxTokens || n < reward.NoTokens:
		return nil, fmt.Errorf("tokens: %.40s is no count of 0 to %d", value, reward.MaxTokens)
	case n == reward.NoTokens:
		return nil, nil
	}
	count := int(n)
	return &count, nil
}

func orEmpty(value []byte) []byte {
	if value == nil {
		return []byte("{}")
	}
	return value
}

func textCalls(calls []chat.Call) []rollout.ToolCall {
	var out []rollout.ToolCall
	for _, c := range calls {
		out = append(out, toolCall("", c.Name, c.Arguments))
	}
	return out
}

func toolCall(id, name, arguments string) rollout.ToolCall {
	return rollout.ToolCall{ID: id, Type: "function", Function: rollout.Function{Name: name, Arguments: arguments}}
}

// nativeCalls reads the calls that are fields of the message: tool_calls, or function_call as it was called once.
func nativeCalls(o object) ([]rollout.ToolCall, error) {
	if value, ok := o["function_call"]; ok && o["tool_calls"] == nil {
		return []rollout.ToolCall{readCall(value)}, nil
	}
	value, ok := o["tool_calls"]
	if !ok {
		return nil, nil
	}
	text, err := rawjson.Unwrap(value)
	if err != nil {
		return nil, fmt.Errorf("tool_calls: %w", err)
	}
	if text[0] == '{' { // a single one
		return []rollout.ToolCall{readCall(text)}, nil
	}
	if rawjson.Null(text) {
		return nil, nil
	}
	var calls []rollout.ToolCall
	err = rawjson.Elements(text, func(value []byte) error {
		calls = append(calls, readCall(value))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("tool_calls: %w", err)
	}
	return calls, nil
}

// readCall reads one call. One that makes no sense is a call without a name, which the episode answers as malformed.
func readCall(value []byte) rollout.ToolCall {
	text := value
	if inner, err := rawjson.Unwrap(value); err == nil {
		text = inner
	}
	o, err := objectOf(text)
	if err != nil {
		return toolCall("", "", string(value))
	}
	fn := o
	if value, ok := o["function"]; ok {
		if fn, err = objectOf(value); err != nil {
			fn = object{"name": value} // {"function": "name", "arguments": …}
		}
		fn = fn.with(text)
	}
	arguments := ""
	if i := slices.IndexFunc(argumentKeys, func(key string) bool { return fn[key] != nil }); i >= 0 {
		arguments = fn.text(argumentKeys[i])
	}
	return toolCall(o.text("id"), fn.string("name"), arguments)
}

// argumentKeys are what logs call arguments.
var argumentKeys = []string{"arguments", "parameters", "args"}

package llm

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
)

// history says what of a conversation is sent otherwise than it was written.
//
// Servers parse the arguments of earlier calls to fill the model's template, and refuse a conversation in which a model
// once wrote broken ones; others refuse the name of a tool that does not exist, or reasoning. The refusal would come
// again in every later turn and end the episode for a reason that has nothing to do with the endpoint, so the
// conversation is sent once more with what was refused in a form that they can read.
type history struct {
	validCalls  bool
	noReasoning bool
}

func (h history) tamed() bool { return h.validCalls || h.noReasoning }

// refusedCalls marks a server that breaks on arguments instead of refusing them.
var refusedCalls = regexp.MustCompile(`(?i)json|argument|parse`)

// tame returns what to change where the fault may be one of the conversation.
func tame(messages []Message, fault *Error) history {
	var h history
	refused := fault.Status == http.StatusBadRequest || fault.Status == http.StatusUnprocessableEntity
	broke := fault.Status == http.StatusInternalServerError && refusedCalls.MatchString(fault.Message)
	if !refused && !broke || errors.Is(fault, ErrTooLong) {
		return h
	}
	for _, m := range messages {
		for _, c := range m.ToolCalls {
			h.validCalls = h.validCalls || c != validCall(c)
		}
		if m.Reasoning != "" && refused && strings.Contains(strings.ToLower(fault.Message), "reasoning") {
			h.noReasoning = true
		}
	}
	return h
}

func (h history) call(c ToolCall) ToolCall {
	if h.validCalls {
		return validCall(c)
	}
	return c
}

// badName are the characters that the chat API has in no tool's name.
var badName = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

const maxName = 64

// validCall returns the call with a name that the chat API allows and arguments that are a JSON object.
func validCall(c ToolCall) ToolCall {
	c.Name = badName.ReplaceAllString(c.Name, "_")
	if c.Name == "" {
		c.Name = "unnamed"
	}
	if len(c.Name) > maxName {
		c.Name = c.Name[:maxName]
	}
	var fields map[string]json.RawMessage
	switch err := json.Unmarshal([]byte(c.Arguments), &fields); {
	case strings.TrimSpace(c.Arguments) == "", err == nil && fields == nil:
		c.Arguments = "{}"
	case err != nil:
		c.Arguments = string(object(map[string]json.RawMessage{"malformed": quote(c.Arguments)}))
	}
	return c
}

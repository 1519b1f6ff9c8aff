package llm

import (
	openai "github.com/sashabaranov/go-openai"
)

// Roles of messages.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	Tool      = "tool"
)

// Message of a conversation.
type Message struct {
	Role    string
	Content string
	// Reasoning and ToolCalls belong to assistant messages.
	Reasoning string
	ToolCalls []ToolCall
	// ToolCallID says which call a tool message answers.
	ToolCallID string
}

// ToolCall is a call that a model makes.
type ToolCall struct {
	// ID is empty where the server gave none, or one that an earlier call of the message has.
	ID string
	// Name and Arguments are what the model wrote, verbatim: whatever they are, they are no error here.
	Name, Arguments string
}

// Usage counts tokens, as the server does.
type Usage struct {
	PromptTokens, CompletionTokens int
}

// toOpenAI returns the messages as go-openai marshals them. What it drops, the shim puts back.
func toOpenAI(messages []Message) []openai.ChatCompletionMessage {
	out := make([]openai.ChatCompletionMessage, len(messages))
	for i, m := range messages {
		out[i] = openai.ChatCompletionMessage{Role: m.Role, Content: m.Content, ToolCallID: m.ToolCallID}
		for _, c := range m.ToolCalls {
			out[i].ToolCalls = append(out[i].ToolCalls, openai.ToolCall{
				ID: c.ID, Type: openai.ToolTypeFunction,
				Function: openai.FunctionCall{Name: c.Name, Arguments: c.Arguments},
			})
		}
	}
	return out
}

func fromOpenAI(res openai.ChatCompletionResponse) Completion {
	choice := res.Choices[0]
	c := Completion{
		Text:         choice.Message.Content,
		Reasoning:    choice.Message.ReasoningContent,
		FinishReason: string(choice.FinishReason),
		Model:        res.Model,
	}
	for _, t := range choice.Message.ToolCalls {
		c.ToolCalls = append(c.ToolCalls, ToolCall{ID: t.ID, Name: t.Function.Name, Arguments: t.Function.Arguments})
	}
	if u := res.Usage; u.PromptTokens != 0 || u.CompletionTokens != 0 {
		c.Usage = &Usage{PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens}
	}
	return c
}

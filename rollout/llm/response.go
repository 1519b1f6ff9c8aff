package llm

// The answer in the only dialect that go-openai reads without loss. Its own types cannot write it: their finish reason is
// put into JSON unescaped.
type (
	openAIResponse struct {
		Model   string         `json:"model"`
		Choices []openAIChoice `json:"choices"`
		Usage   *wireUsage     `json:"usage,omitempty"`
	}
	openAIChoice struct {
		Message      openAIMessage `json:"message"`
		FinishReason string        `json:"finish_reason"`
	}
	openAIMessage struct {
		Role      string       `json:"role"`
		Content   string       `json:"content"`
		Reasoning string       `json:"reasoning_content,omitempty"`
		ToolCalls []openAICall `json:"tool_calls,omitempty"`
	}
	openAICall struct {
		ID       string         `json:"id"`
		Type     string         `json:"type"`
		Function openAIFunction `json:"function"`
	}
	openAIFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
)

func (g *reply) response() openAIResponse {
	m := openAIMessage{Role: Assistant, Content: g.text.String(), Reasoning: g.reasoning.String()}
	for _, c := range g.calls {
		m.ToolCalls = append(m.ToolCalls, openAICall{
			ID: c.ID, Type: "function", Function: openAIFunction{Name: c.Name, Arguments: c.Arguments},
		})
	}
	return openAIResponse{
		Model: g.model, Usage: g.usage,
		Choices: []openAIChoice{{Message: m, FinishReason: g.finish}},
	}
}

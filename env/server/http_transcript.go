package server

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/privgym/privgym/reward"
)

// transcript is what a rollout wrote, read from an OpenAI Responses object: every model message of it and every tool
// output stand in one list, in their order.
type transcript struct {
	calls []heardCall
	// final is the text after the last call, where the model wrote a message there.
	final    string
	finished bool
	// cut says that the length limit ended the last message.
	cut bool
	// tokens that the model generated in all, or reward.NoTokens.
	tokens int
}

// heardCall is a call with what the model read in answer.
type heardCall struct {
	id, name, arguments, output string
	answered                    bool
}

// responsesObject has the members that are read; all else of a Responses object is passed over.
type responsesObject struct {
	Output            json.RawMessage `json:"output"` // a list of responsesItem
	IncompleteDetails *struct{}       `json:"incomplete_details"`
	Usage             *struct {
		OutputTokens *int `json:"output_tokens"`
	} `json:"usage"`
}

type responsesItem struct {
	Type      string    `json:"type"`
	Role      string    `json:"role"`
	Content   partsText `json:"content"`
	CallID    string    `json:"call_id"`
	Name      string    `json:"name"`
	Arguments string    `json:"arguments"`
	Output    partsText `json:"output"`
}

// partsText is a text, or the texts of a list of content parts one after the other.
type partsText string

// UnmarshalJSON reads a string, a list of parts, or null.
func (p *partsText) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] != '[' {
		return json.Unmarshal(raw, (*string)(p))
	}
	var parts []struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	var all strings.Builder
	for _, part := range parts {
		all.WriteString(part.Text)
		all.WriteString(part.Refusal)
	}
	*p = partsText(all.String())
	return nil
}

// transcriptOf reads a Responses object. Items that are neither a message or reasoning of the model nor a call with its
// output are passed over: nothing in this environment comes of them.
func (l Limits) transcriptOf(f gymFields) (*transcript, error) {
	var response responsesObject
	if _, ok := f["response"]; !ok {
		return nil, invalid("response", "is missing; send the row with the Responses object of its rollout")
	}
	if err := f.read("response", &response); err != nil {
		return nil, err
	}
	t := &transcript{cut: response.IncompleteDetails != nil, tokens: reward.NoTokens}
	if u := response.Usage; u != nil && u.OutputTokens != nil && *u.OutputTokens >= 0 {
		t.tokens = *u.OutputTokens
	}
	if len(response.Output) == 0 || string(response.Output) == "null" {
		return nil, invalid("response.output", "is missing; send the Responses object of the rollout")
	}
	items := 0
	err := readEach("response.output", response.Output, func(item *responsesItem) error {
		items++
		if err := l.checkSize("response.output", items); err != nil {
			return err
		}
		if !t.add(item) {
			return refuse(errUnscorable, "unscorable: response.output[%d] is the output of call %q, which is not there or has one",
				items-1, clip(item.CallID))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, t.dropUnanswered()
}

// add takes an item; ok is false where it is an output without its call.
func (t *transcript) add(item *responsesItem) (ok bool) {
	switch item.Type {
	case "function_call":
		t.calls = append(t.calls, heardCall{id: item.CallID, name: item.Name, arguments: item.Arguments})
		t.final, t.finished = "", false
	case "function_call_output":
		// Some servers number the calls of each message anew: the output is that of the first call with its id that has none.
		at := slices.IndexFunc(t.calls, func(c heardCall) bool { return c.id == item.CallID && !c.answered })
		if at < 0 {
			return false
		}
		t.calls[at].output, t.calls[at].answered = string(item.Output), true
		t.final, t.finished = "", false
	case "reasoning":
		t.finished = true
	case "message", "":
		if item.Role == "assistant" {
			t.final, t.finished = t.final+string(item.Content), true
		}
	}
	return true
}

// dropUnanswered leaves out the calls at the end that nobody made: the rollout was stopped before. One that lacks its
// output in the middle belongs to a record with holes.
func (t *transcript) dropUnanswered() error {
	n := len(t.calls)
	for n > 0 && !t.calls[n-1].answered && !t.finished {
		n--
	}
	t.calls = t.calls[:n]
	for _, c := range t.calls {
		if !c.answered {
			return refuse(errUnscorable, "unscorable: call %q of %q has no output, and the rollout goes on after it", clip(c.id), clip(c.name))
		}
	}
	return nil
}

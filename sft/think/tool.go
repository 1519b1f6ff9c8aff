package think

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Tool is what a model sees of one.
type Tool struct {
	Name        string
	Description string
	Parameters  []Parameter
	// Note says what the tool reaches in other words than the description but without a fact that it does not hold
	// (docs/family-format.md). Write uses it as a paraphrase; Check does not know it.
	Note string
}

// Parameter of a tool.
type Parameter struct {
	Name        string
	Description string
	Enum        []string
}

// ErrSchema says that a text is not the schema of a tool.
var ErrSchema = errors.New("not a tool schema")

// ParseTool reads a tool's JSON schema, in the form of the OpenAI API or its function alone. Parameters keep the order of
// the text.
func ParseTool(schema []byte) (Tool, error) {
	type function struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Parameters  struct {
			Properties properties `json:"properties"`
		} `json:"parameters"`
	}
	var wrapped struct {
		function
		Function *function `json:"function"`
	}
	if err := json.Unmarshal(schema, &wrapped); err != nil {
		return Tool{}, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	f := wrapped.function
	if wrapped.Function != nil {
		f = *wrapped.Function
	}
	if f.Name == "" {
		return Tool{}, fmt.Errorf("%w: it has no name", ErrSchema)
	}
	return Tool{Name: f.Name, Description: f.Description, Parameters: f.Parameters.Properties}, nil
}

// properties reads an object in the order of its keys.
type properties []Parameter

func (p *properties) UnmarshalJSON(b []byte) error {
	const absent = "null" // datasets fills it in for what other rows have
	if string(b) == absent {
		return nil
	}
	return members(b, func(name string, value json.RawMessage) error {
		if string(value) == absent {
			return nil
		}
		var schema struct {
			Description string `json:"description"`
			Enum        []any  `json:"enum"`
		}
		if err := json.Unmarshal(value, &schema); err != nil {
			return err
		}
		param := Parameter{Name: name, Description: schema.Description}
		for _, e := range schema.Enum {
			param.Enum = append(param.Enum, fmt.Sprint(e))
		}
		*p = append(*p, param)
		return nil
	})
}

// members calls f for each member of a JSON object, in order.
func members(object []byte, f func(name string, value json.RawMessage) error) error {
	dec := json.NewDecoder(strings.NewReader(string(object)))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(err, errors.New("no JSON object"))
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if err := f(name.(string), value); err != nil {
			return err
		}
	}
	return nil
}

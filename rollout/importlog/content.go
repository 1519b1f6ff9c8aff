package importlog

import (
	"fmt"
	"strings"

	"github.com/privgym/privgym/rollout/rawjson"
)

// content of a message, reasoning apart where it is a part of its own.
type content struct{ text, reasoning string }

// contentOf reads a content: a string, a list of parts, or nothing. In what a model wrote a part of another type is an
// error, since it may be a call; elsewhere it is a picture or the like, which no tool here reads.
func contentOf(value []byte, model bool) (content, error) {
	switch {
	case value == nil:
		return content{}, nil
	case value[0] == '"':
		return content{text: rawjson.Text(value)}, nil
	case value[0] == '{': // a single part
		return partOf(value, model)
	case value[0] != '[':
		return content{}, fmt.Errorf("content: %s where a string or a list of parts should be", rawjson.Kind(value))
	}
	var texts, thoughts []string
	err := rawjson.Elements(value, func(value []byte) error {
		part, err := partOf(value, model)
		texts, thoughts = append(texts, part.text), append(thoughts, strings.TrimSpace(part.reasoning))
		if err != nil {
			return fmt.Errorf("part %d: %w", len(texts), err)
		}
		return nil
	})
	if err != nil {
		return content{}, fmt.Errorf("content: %w", err)
	}
	return content{text: strings.Join(texts, ""), reasoning: join(thoughts...)}, nil
}

func partOf(value []byte, model bool) (content, error) {
	if value[0] == '"' {
		return content{text: rawjson.Text(value)}, nil
	}
	if rawjson.Null(value) {
		return content{}, nil
	}
	o, err := objectOf(value)
	if err != nil {
		return content{}, err
	}
	switch kind := o.string("type"); kind {
	case "", "text", "input_text", "output_text":
		if text, ok := o["text"]; ok && text[0] != '"' {
			return content{}, fmt.Errorf("text: %s where a string should be", rawjson.Kind(text))
		}
		return content{text: o.string("text")}, nil
	case "refusal":
		return content{text: o.string("refusal")}, nil
	case "thinking", "reasoning":
		return content{reasoning: o.string("thinking") + o.string("reasoning") + o.string("text")}, nil
	default:
		if model {
			return content{}, fmt.Errorf("type %.40q is none of text, output_text, refusal, thinking, reasoning", kind)
		}
		return content{}, nil
	}
}

package scenario

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var (
	toolName      = regexp.MustCompile(`^[a-z][a-z0-9_]{2,63}$`)
	parameterName = nameOf
)

// maxDescription is what endpoints commonly accept.
const maxDescription = 1024

// reservedNames are methods of the environments that trainers build from our tools, or HTTP routes beside those of tools
// (docs/design.md section 6).
var reservedNames = []string{
	"reset", "step", "score", "close", "get_reward", "state", "verify", "seed_session", "aggregate_metrics",
}

// pythonWords cannot name a Python method or argument; schemas must be derivable from a Python signature. self is the
// first argument of every method.
var pythonWords = []string{
	"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
	"finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
	"return", "self", "try", "while", "with", "yield",
}

// Canonical returns nil for a toolset in the canonical form of docs/design.md section 6, else an error that names the
// first tool that is not, and says why. Only imported families may have one. A client that derives its schemas from Python
// signatures would show a model other tools than these; it has to refuse them, and can give the error as the reason.
func (s *Toolset) Canonical() error {
	for _, t := range s.Tools {
		if reason := t.uncanonical(); reason != "" {
			return fmt.Errorf("tool %q is not in the canonical form: %s", clip(t.Name), reason)
		}
	}
	return nil
}

// uncanonical reads a schema as if it were canonical, applies the rules to its texts, and compares it with what the tool
// that was read is written as: what the form does not have does not come back.
func (t *ToolSchema) uncanonical() string {
	var read struct {
		Function struct {
			Name, Description string
			Parameters        struct {
				Properties json.RawMessage
				Required   []string
			}
		}
	}
	if err := json.Unmarshal([]byte(t.JSON), &read); err != nil {
		return "its schema is no flat one: " + err.Error()
	}
	f := &read.Function
	tool := Tool{Name: f.Name, Description: Text{S: f.Description}}
	if message := wrongToolName(f.Name); message != "" {
		return message
	}
	if message := wrongLine(f.Description); message != "" {
		return message
	}
	dec := json.NewDecoder(strings.NewReader(string(f.Parameters.Properties)))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return "its parameters have no `properties`"
	}
	for dec.More() {
		name, _ := dec.Token() // the text has been read once already, so it holds keys here
		p := Parameter{Name: name.(string), HasDefault: !slices.Contains(f.Parameters.Required, name.(string))}
		if message := p.read(dec); message != "" {
			return message
		}
		if slices.ContainsFunc(tool.Parameters, func(q Parameter) bool { return q.Name == p.Name }) {
			return "parameter `" + clip(p.Name) + "` stands twice"
		}
		tool.Parameters = append(tool.Parameters, p)
	}
	if string(appendTool(nil, &tool)) != t.JSON {
		return "its schema has other keys than type, enum or items, and description, or has them in another order"
	}
	return ""
}

// read reads the schema of one parameter.
func (p *Parameter) read(dec *json.Decoder) string {
	var read struct {
		Type        string
		Enum        []string
		Items       struct{ Type string }
		Description string
	}
	if err := dec.Decode(&read); err != nil {
		return "parameter `" + clip(p.Name) + "` is no flat one: " + err.Error()
	}
	p.Enum, p.Description = read.Enum, Text{S: read.Description}
	p.Type, p.Items = Type(slices.Index(types, read.Type)+1), Type(slices.Index(types, read.Items.Type)+1)
	switch {
	case p.Type == 0:
		return "parameter `" + clip(p.Name) + "` is of type " + clip(read.Type) + ", not " + enumerate(types, "or")
	case p.Type == Array && (p.Items == 0 || p.Items == Array):
		return "parameter `" + clip(p.Name) + "` is an array whose items are not " + enumerate(types[:Array-1], "or")
	case len(p.Enum) > 0 && p.Type != String:
		return "parameter `" + clip(p.Name) + "` has an enum and is no string"
	}
	if message := wrongParameterName(p.Name); message != "" {
		return message
	}
	if message := wrongLine(p.Description.S); message != "" {
		return "parameter `" + clip(p.Name) + "`: " + message
	}
	return ""
}

// wrongLine is wrongDescription of a text that has not been held to be one line yet.
func wrongLine(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
		return "a description that is empty or not on one line"
	}
	return wrongDescription(s)
}

// The rules of the canonical form that are about texts; each says what is wrong and what to write instead, or nothing.

func wrongToolName(name string) string {
	switch {
	case !toolName.MatchString(name):
		return "tool name `" + clip(name) + "`; write 3 to 64 of a-z, 0-9 and _, beginning with a letter"
	case slices.Contains(reservedNames, name):
		return "tool name `" + name + "` is a method or route of the environments; write another"
	case slices.Contains(pythonWords, name):
		return "tool name `" + name + "` is a word of Python, from whose signatures trainers derive schemas; write another"
	}
	return ""
}

func wrongParameterName(name string) string {
	switch {
	case !parameterName.MatchString(name):
		return "parameter `" + clip(name) + "`; write a-z, 0-9 and _, beginning with a letter"
	case slices.Contains(pythonWords, name):
		return "parameter `" + name + "` is a word of Python, from whose signatures trainers derive schemas; write another"
	}
	return ""
}

// wrongDescription holds a description to what survives in a Python docstring.
func wrongDescription(s string) string {
	if utf8.RuneCountInString(s) > maxDescription {
		return fmt.Sprintf("a description of more than %d characters; shorten it", maxDescription)
	}
	for _, mark := range []string{"Args:", "Returns:", "Raises:", "(choices:"} {
		if strings.Contains(s, mark) {
			return "a description with `" + mark + "`, which means something in a Python docstring; word it otherwise"
		}
	}
	return ""
}

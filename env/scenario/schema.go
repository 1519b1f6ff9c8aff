package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Toolset is what a model sees of a family's tools. Names, descriptions and parameters hold no instance value, so a family
// has one.
type Toolset struct {
	// Key is the SHA-256, hexadecimal, of the tools' JSON in the order of their names, each followed by a line feed.
	// Toolsets with the same tools have the same key, in whatever order the tools stand.
	Key string
	// Tools in the order of the family.
	Tools []ToolSchema
}

// ToolSchema is one tool, in the canonical form of docs/design.md section 6 unless it is imported; Canonical tells.
type ToolSchema struct {
	Name string
	// JSON is compact: {"type":"function","function":{"name":…,"description":…,"parameters":{"type":"object",
	// "properties":{…},"required":[…]}}}, with the parameters in the order of the file and `required` left out where
	// none is. Its bytes are those that Python's json.dumps writes with ensure_ascii=False and separators=(",", ":").
	JSON string
}

// Toolset of the family, computed once. It is safe for concurrent use.
func (f *Family) Toolset() *Toolset {
	f.schemas.once.Do(func() { f.schemas.set = newToolset(f.Tools) })
	return f.schemas.set
}

func newToolset(tools []Tool) *Toolset {
	s := &Toolset{Tools: make([]ToolSchema, len(tools))}
	for i := range tools {
		s.Tools[i] = ToolSchema{Name: tools[i].Name, JSON: string(appendTool(nil, &tools[i]))}
	}
	byName := slices.Clone(s.Tools)
	slices.SortStableFunc(byName, func(a, b ToolSchema) int { return strings.Compare(a.Name, b.Name) })
	h := sha256.New()
	for _, t := range byName {
		h.Write([]byte(t.JSON))
		h.Write([]byte{'\n'})
	}
	s.Key = hex.EncodeToString(h.Sum(nil))
	return s
}

func appendTool(b []byte, t *Tool) []byte {
	b = append(b, `{"type":"function","function":{"name":`...)
	b = appendString(b, t.Name)
	b = append(b, `,"description":`...)
	b = appendString(b, t.Description.S)
	if t.Schema != "" {
		b = append(b, `,"parameters":`...)
		b = append(b, t.Schema...)
		return append(b, `}}`...)
	}
	b = append(b, `,"parameters":{"type":"object","properties":{`...)
	var required []string
	for i := range t.Parameters {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendParameter(b, &t.Parameters[i])
		if !t.Parameters[i].HasDefault {
			required = append(required, t.Parameters[i].Name)
		}
	}
	b = append(b, '}')
	if len(required) > 0 {
		b = append(b, `,"required":`...)
		b = appendStrings(b, required)
	}
	return append(b, `}}}`...)
}

// appendParameter writes the keys in their canonical order: type, enum or items, description.
func appendParameter(b []byte, p *Parameter) []byte {
	b = appendString(b, p.Name)
	b = append(b, `:{"type":`...)
	b = appendString(b, p.Type.String())
	if len(p.Enum) > 0 {
		b = append(b, `,"enum":`...)
		b = appendStrings(b, p.Enum)
	}
	if p.Type == Array {
		b = append(b, `,"items":{"type":`...)
		b = appendString(b, p.Items.String())
		b = append(b, '}')
	}
	b = append(b, `,"description":`...)
	b = appendString(b, p.Description.S)
	return append(b, '}')
}

func appendStrings(b []byte, ss []string) []byte {
	b = append(b, '[')
	for i, s := range ss {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}

// appendString escapes as Python does, which encoding/json does not: <, >, & and U+2028 stand as they are.
func appendString(b []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

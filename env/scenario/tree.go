package scenario

import (
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// shape of a node.
type shape uint8

const (
	// broken nodes have a finding already; nothing more is said about them.
	broken shape = iota
	scalar
	list
	mapping
)

// String names the shape in messages.
func (s shape) String() string {
	return [...]string{"broken", "a text", "a list", "a mapping"}[s]
}

// node is the part of a YAML document that a family may use: text, lists, mappings, each with its line.
type node struct {
	shape   shape
	line    int
	text    string
	items   []*node
	entries []entry
}

// entry of a mapping.
type entry struct {
	key   string
	line  int
	value *node
}

// convert turns the library's nodes into ours and finds what the format does not know: anchors, aliases, tags, merge
// keys, duplicate keys, keys without a value.
func (d *decoder) convert(n ast.Node, depth int) *node {
	tok := n.GetToken()
	line := tok.Position.Line
	if depth > maxDepth {
		d.find(line, "nested more than %d deep; a family needs far less", maxDepth)
		return &node{line: line}
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return d.convertMapping(n.Values, n.Start.Position.Line, depth)
	case *ast.MappingValueNode:
		return d.convertMapping([]*ast.MappingValueNode{n}, n.Key.GetToken().Position.Line, depth)
	case *ast.SequenceNode:
		return d.convertSequence(n, depth)
	case *ast.LiteralNode:
		return &node{shape: scalar, line: line, text: n.Value.Value}
	case *ast.AnchorNode:
		d.find(line, "anchor `&%s`; write the value out wherever it is used", clip(n.Name.GetToken().Value))
		return d.convert(n.Value, depth+1)
	case *ast.AliasNode:
		d.find(line, "alias `*%s`; write the value out, or quote a text that begins with `*`", clip(n.Value.GetToken().Value))
		return &node{line: line}
	case *ast.TagNode:
		d.find(line, "tag `%s`; leave it out, every value is text", clip(tok.Value))
		if n.Value == nil {
			return &node{line: line}
		}
		return d.convert(n.Value, depth+1)
	case *ast.NullNode:
		if implicitNull(n) {
			d.find(line, "no value; write one (quote it where it begins with `#`), or leave it out")
			return &node{line: line}
		}
	case ast.ScalarNode:
	default:
		d.find(line, "a %s cannot stand here; write a text, a list or a mapping", n.Type())
		return &node{line: line}
	}
	return &node{shape: scalar, line: line, text: tok.Value}
}

func (d *decoder) convertSequence(n *ast.SequenceNode, depth int) *node {
	out := &node{shape: list, line: n.Start.Position.Line}
	for _, v := range n.Values {
		out.items = append(out.items, d.convert(v, depth+1))
	}
	return out
}

func (d *decoder) convertMapping(values []*ast.MappingValueNode, line, depth int) *node {
	out := &node{shape: mapping, line: line}
	if name, ok := unquoted(values); ok {
		d.find(line, "`{%s}` without quotes is no text; write \"{%s}\"", name, name)
		return &node{line: line}
	}
	seen := map[string]int{}
	for i, v := range values {
		tok := v.Key.GetToken()
		line := tok.Position.Line
		if i == 0 && line < out.line {
			out.line = line
		}
		key, ok := d.convertKey(v.Key)
		if !ok {
			continue
		}
		if first, twice := seen[key]; twice {
			d.find(line, "key `%s` stands twice, first in line %d; keep one", clip(key), first)
			continue
		}
		seen[key] = line
		out.entries = append(out.entries, entry{key: key, line: line, value: d.convertValue(v, key, depth)})
	}
	return out
}

// unquoted recognises `{name}`, which YAML takes for a mapping with a key and no value.
func unquoted(values []*ast.MappingValueNode) (name string, ok bool) {
	if len(values) != 1 || !implicitNull(values[0].Value) {
		return "", false
	}
	key := values[0].Key.GetToken()
	colon := values[0].Start
	return key.Value, colon == key && nameOf.MatchString(key.Value)
}

func implicitNull(n ast.Node) bool {
	null, ok := n.(*ast.NullNode)
	return ok && null.Token.Type == token.ImplicitNullType
}

// convertValue names the key where there is no value, which a list's item cannot.
func (d *decoder) convertValue(v *ast.MappingValueNode, key string, depth int) *node {
	if implicitNull(v.Value) {
		line := v.Key.GetToken().Position.Line
		d.find(line, "`%s` has no value; write one (quote it where it begins with `#`), or leave the key out", clip(key))
		return &node{line: line}
	}
	return d.convert(v.Value, depth+1)
}

func (d *decoder) convertKey(k ast.MapKeyNode) (string, bool) {
	tok := k.GetToken()
	switch k.(type) {
	case *ast.MergeKeyNode:
		d.find(tok.Position.Line, "merge key `<<`; write the keys out")
	case *ast.MappingKeyNode, *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		d.find(tok.Position.Line, "a key is a plain word; write `key: value`")
	default:
		return tok.Value, true
	}
	return "", false
}

// clip makes text of the file fit for a message: short, and on one line.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, s)
}

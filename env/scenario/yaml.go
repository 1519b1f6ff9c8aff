package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// syntaxError is what the errors of the YAML library can tell.
type syntaxError interface {
	error
	GetToken() *token.Token
	GetMessage() string
}

// read turns the bytes of a file into a tree, nil where they are no YAML. It refuses beforehand what would cost the
// library, which is not linear everywhere, more than a family is worth.
func (d *decoder) read(src []byte) *node {
	if !d.plainText(src) {
		return nil
	}
	doc := d.parse(string(src))
	if doc == nil {
		return nil
	}
	return d.convert(doc, 1)
}

// plainText checks size, encoding and line ends.
func (d *decoder) plainText(src []byte) bool {
	if len(src) > MaxBytes {
		d.find(0, "%d bytes; a family has at most %d", len(src), MaxBytes)
		return false
	}
	if !utf8.Valid(src) {
		d.find(1, "not UTF-8; save the file as UTF-8")
		return false
	}
	lines := bytes.Split(src, []byte("\n"))
	if len(lines) > maxLines {
		d.find(maxLines+1, "more than %d lines; a family has some 105", maxLines)
		return false
	}
	if i := slices.IndexFunc(lines, func(l []byte) bool { return bytes.HasSuffix(l, []byte("\r")) }); i >= 0 {
		d.find(i+1, "the line ends in CR LF; save the file with LF alone")
		return false
	}
	return d.clean(func() {
		for i, line := range lines {
			if msg := badLine(line); msg != "" {
				d.find(i+1, "%s", msg)
			}
		}
	})
}

// badLine says what is wrong with the characters of a line, or nothing.
func badLine(line []byte) string {
	switch {
	case len(line) > maxLineBytes:
		return fmt.Sprintf("a line of more than %d bytes; break it", maxLineBytes)
	case bytes.ContainsRune(line, '\t'):
		return "a tab; write blanks"
	case bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfeff }):
		return "a control character or a byte order mark; take it out"
	}
	return ""
}

// parse returns the body of the only document, nil after a finding.
func (d *decoder) parse(src string) (body ast.Node) {
	defer func() {
		if recover() != nil { // the library has met what it did not expect; a hostile file must not end the program
			d.find(0, "not readable as YAML; simplify it: mappings, lists and quoted texts are enough")
			body = nil
		}
	}()
	tokens := lexer.Tokenize(src)
	if !d.checkTokens(tokens, strings.Split(src, "\n")) {
		return nil
	}
	// Duplicate keys are left to us: the library would stop at the first.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		d.syntax(err)
		return nil
	}
	if len(file.Docs) > 1 {
		line := 0
		if second := file.Docs[1]; second.Start != nil {
			line = second.Start.Position.Line
		}
		d.find(line, "a second document; write each family into a file of its own")
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		d.find(1, "an empty file; a family begins with `family: <domain>-<risk>-<words>`")
		return nil
	}
	return file.Docs[0].Body
}

func (d *decoder) syntax(err error) {
	var at syntaxError
	if errors.As(err, &at) && at.GetToken() != nil {
		d.find(at.GetToken().Position.Line, "not YAML: %s; a text with `: `, ` #` or a mark at its beginning must be quoted", clip(at.GetMessage()))
		return
	}
	d.find(0, "not YAML: %s", clip(err.Error()))
}

// checkTokens bounds number and nesting of the tokens, and finds plain texts that were cut at a `#`.
func (d *decoder) checkTokens(tokens token.Tokens, lines []string) bool {
	if len(tokens) > maxTokens {
		d.find(0, "%d words and marks; a family has at most %d", len(tokens), maxTokens)
		return false
	}
	depth := 0
	for i, tok := range tokens {
		switch tok.Type {
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		case token.DirectiveType:
			d.find(tok.Position.Line, "a directive; leave it out, or quote a text that begins with `%%`")
			return false
		case token.CommentType:
			if i > 0 {
				d.checkCut(tokens[i-1], tok, lines)
			}
		}
		if depth > maxDepth {
			d.find(tok.Position.Line, "brackets nested more than %d deep; a family needs far less", maxDepth)
			return false
		}
	}
	return true
}

// checkCut finds a plain text that YAML cuts at a `#`, as in `title: Fix issue #12`. A comment behind a plain text is
// taken for one only where nobody can take it for text: at least two blanks before the `#` and one behind it. After a
// quoted text, a bracket, a comma or a `key:` a comment may stand as it likes.
func (d *decoder) checkCut(before, comment *token.Token, lines []string) {
	if before.Indicator != token.NotIndicator {
		return
	}
	line := lines[comment.Position.Line-1]
	text, ok := strings.CutSuffix(line, "#"+comment.Value)
	if !ok || strings.TrimSpace(text) == "" {
		return
	}
	if strings.HasSuffix(text, "  ") && (comment.Value == "" || comment.Value[0] == ' ') {
		return
	}
	d.find(comment.Position.Line, "the text is cut at `#`; quote it if `#%s` belongs to it, else write the comment behind two blanks and `# `, or on a line of its own",
		clip(comment.Value))
}

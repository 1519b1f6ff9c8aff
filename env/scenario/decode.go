package scenario

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decoder turns the tree of one file into a Family and gathers findings on the way; it goes on after each.
type decoder struct {
	file     string
	findings []Finding
	imported bool
}

func (d *decoder) find(line int, format string, args ...any) {
	d.findings = append(d.findings, Finding{File: d.file, Line: line, Check: checkFormat, Message: fmt.Sprintf(format, args...)})
}

// clean runs f and reports whether it found nothing, so that later checks do not repeat one mistake in other words.
func (d *decoder) clean(f func()) bool {
	before := len(d.findings)
	f()
	return len(d.findings) == before
}

// fields are the entries of a mapping that has been checked against its keys.
type fields struct {
	d    *decoder
	what string
	line int
	// values by key; an absent key gives nil.
	values map[string]*node
}

// fields opens a mapping, named in messages as what. Keys that end in ? may be left out; each other missing key and each
// unknown one is a finding. ok is false where n is no mapping.
func (d *decoder) fields(n *node, what string, keys ...string) (f fields, ok bool) {
	f = fields{d: d, what: what, line: n.line, values: map[string]*node{}}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = strings.TrimSuffix(k, "?")
	}
	if n.shape != mapping {
		if n.shape != broken {
			d.find(n.line, "%s is %s; write a mapping with %s", what, n.shape, enumerate(names, "and"))
		}
		return f, false
	}
	for _, e := range n.entries {
		if !slices.Contains(names, e.key) {
			d.find(e.line, "unknown key `%s`; %s has %s", clip(e.key), what, enumerate(names, "and"))
			continue
		}
		f.values[e.key] = e.value
	}
	for i, k := range keys {
		if k == names[i] && f.values[k] == nil {
			d.find(n.line, "%s lacks `%s`; it has %s", what, k, enumerate(names, "and"))
		}
	}
	return f, true
}

// has reports whether the key is there.
func (f fields) has(key string) bool { return f.values[key] != nil }

// text gives the text of the key, zero where the key is absent or wrong.
func (f fields) text(key string) Text {
	if f.values[key] == nil {
		return Text{}
	}
	return f.d.text(f.values[key], "`"+key+"`")
}

// line gives the text of the key and refuses more than one line.
func (f fields) lineOf(key string) Text {
	if f.values[key] == nil {
		return Text{}
	}
	return f.d.lineText(f.values[key], "`"+key+"`")
}

// list gives the items of the key; between least and most of them.
func (f fields) list(key string, least, most int) []*node {
	if f.values[key] == nil {
		return nil
	}
	return f.d.list(f.values[key], "`"+key+"`", least, most)
}

// lines gives the texts of a list that is not empty, each on one line.
func (f fields) lines(key string, most int) []Text {
	var out []Text
	for _, n := range f.list(key, 1, most) {
		if t := f.d.lineText(n, "an item of `"+key+"`"); t.S != "" {
			out = append(out, t)
		}
	}
	return out
}

// word gives the index of the key's text among words, -1 where it is absent or none of them.
func (f fields) word(key string, words ...string) int {
	t := f.text(key)
	if t.S == "" {
		return -1
	}
	i := slices.Index(words, t.S)
	if i < 0 {
		f.d.find(t.Line, "`%s` is `%s`; write %s", key, clip(t.S), enumerate(words, "or"))
	}
	return i
}

// yes reports whether the key is there and true.
func (f fields) yes(key string) bool { return f.word(key, "false", "true") == 1 }

// text checks a scalar: not empty, no blanks at its ends, no control characters but line breaks, not too long.
func (d *decoder) text(n *node, what string) Text {
	if t := d.scalar(n, what); t.S != "" || n.shape != scalar {
		return t
	}
	d.find(n.line, "%s is empty; write a text", what)
	return Text{}
}

// scalar is text that may be empty, as a cell of a table may.
func (d *decoder) scalar(n *node, what string) Text {
	switch {
	case n.shape == broken:
		return Text{}
	case n.shape != scalar:
		d.find(n.line, "%s is %s; write a text%s", what, n.shape, bracesHint(n))
		return Text{}
	}
	t := Text{S: n.text, Line: n.line}
	switch {
	case utf8.RuneCountInString(t.S) > maxTextRunes:
		d.find(t.Line, "%s has more than %d characters; shorten it", what, maxTextRunes)
	case strings.HasSuffix(t.S, "\n"):
		d.find(t.Line, "%s ends in a line break; write `|-` or `>-` for the block, or quote it", what)
	case strings.TrimSpace(t.S) != t.S:
		d.find(t.Line, "%s begins or ends with a blank; take it out", what)
	case strings.ContainsFunc(t.S, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }):
		d.find(t.Line, "%s holds a control character; take it out", what)
	}
	return t
}

// bracesHint helps with the two ways in which a text turns into something else behind its author's back.
func bracesHint(n *node) string {
	if n.shape == mapping && len(n.entries) == 1 {
		return ", and quote one that holds `{name}` or a colon"
	}
	return ""
}

func (d *decoder) lineText(n *node, what string) Text {
	t := d.text(n, what)
	if strings.Contains(strings.TrimSuffix(t.S, "\n"), "\n") {
		d.find(t.Line, "%s has several lines; write it on one", what)
	}
	return t
}

// list checks shape and length; the items are not looked at.
func (d *decoder) list(n *node, what string, least, most int) []*node {
	switch {
	case n.shape == broken:
		return nil
	case n.shape != list:
		d.find(n.line, "%s is %s; write a list, `[…]` or a line with `- ` for each item", what, n.shape)
		return nil
	case len(n.items) < least:
		d.find(n.line, "%s has %s; write at least %d", what, count(len(n.items), "item"), least)
	case len(n.items) > most:
		d.find(n.line, "%s has %s; write at most %d", what, count(len(n.items), "item"), most)
		return n.items[:most]
	}
	return n.items
}

// entries checks that n is a mapping of at most so many keys of one's own choosing.
func (d *decoder) entries(n *node, what string, least, most int) []entry {
	switch {
	case n.shape == broken:
		return nil
	case n.shape != mapping:
		d.find(n.line, "%s is %s; write a mapping, `name: …`", what, n.shape)
		return nil
	case len(n.entries) < least:
		d.find(n.line, "%s has %s; write at least %d", what, count(len(n.entries), "key"), least)
	case len(n.entries) > most:
		d.find(n.line, "%s has %s; write at most %d", what, count(len(n.entries), "key"), most)
		return n.entries[:most]
	}
	return n.entries
}

// enumerate writes "a, b and c".
func enumerate(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

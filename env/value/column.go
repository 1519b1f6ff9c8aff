package value

import "strings"

// maxExtra is how many words an argument may have beside the value that it stands for: "SKU 7731", "https://edge-3/".
const maxExtra = 2

// StandsFor returns the value of the column that an argument of a where stands for: one that it equals, or the only one
// that it contains as whole words, with at most two words more (docs/family-format.md, Equality). An argument that itself
// reads as a number, or as a date or duration of kind k, stands for nothing but its equal: 2 hours 30 minutes is not
// 2 hours with two words more.
func StandsFor(arg string, column []string, k Kind) (value string, ok bool) {
	return NewColumn(column, k).StandsFor(arg)
}

// Column holds the values of a column made ready for StandsFor. It is immutable; whoever asks often makes it once.
type Column struct {
	kind   Kind
	values []columnValue
	// longest is the largest number of words of a value.
	longest int
}

type columnValue struct {
	value, key string
	words      string
	n          int
}

// NewColumn prepares the values. They may repeat; of values that compare equal the first stands for all.
func NewColumn(values []string, k Kind) *Column {
	return (&Column{kind: k}).Of(values)
}

// Of is NewColumn of other values and the same kind. It makes no value ready again that c holds: folding a text takes
// up to a thousand times as long as looking it up.
func (c *Column) Of(values []string) *Column {
	ready := make(map[string]columnValue, len(c.values))
	for _, v := range c.values {
		ready[v.value] = v
	}
	of := &Column{kind: c.kind, values: make([]columnValue, len(values))}
	for i, value := range values {
		v, ok := ready[value]
		if !ok {
			v = columnValue{value: value, key: Key(value, c.kind)}
			v.words, v.n = canonicalWords(normal(value))
			ready[value] = v
		}
		of.values[i] = v
		of.longest = max(of.longest, v.n)
	}
	return of
}

// Bytes that the column holds beside the values themselves, each counted as often as it stands there.
func (c *Column) Bytes() int {
	n := 0
	for i := range c.values {
		n += len(c.values[i].key) + len(c.values[i].words)
	}
	return n
}

// StandsFor returns the value that arg stands for; see the function StandsFor.
func (c *Column) StandsFor(arg string) (value string, ok bool) {
	key := Key(arg, c.kind)
	for i := range c.values {
		if c.values[i].key == key {
			return c.values[i].value, true
		}
	}
	if reads(arg, c.kind) {
		return "", false
	}
	found := c.namedIn(NewText(arg))
	if found == nil {
		return "", false
	}
	return found.value, true
}

// namedIn returns the only value that the text contains, nil where it contains none or several or has too many words
// beside it.
func (c *Column) namedIn(t Text) *columnValue {
	if t.n > c.longest+maxExtra {
		return nil
	}
	var found *columnValue
	for i := range c.values {
		v := &c.values[i]
		if v.n == 0 || !strings.Contains(t.words, v.words) && !strings.Contains(t.grouped, v.words) {
			continue
		}
		if found == nil {
			found = v
		} else if v.key != found.key {
			return nil
		}
	}
	if found != nil && t.n > found.n+maxExtra {
		return nil
	}
	return found
}

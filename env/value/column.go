package value

// maxExtra is how many words an argument may have beside the value that it stands for: "SKU 7731", "https://edge-3/".
const maxExtra = 2

// StandsFor returns the value of the column that an argument of a where stands for: one that it equals, or the only one
// that it contains as whole words, with at most two words more (docs/family-format.md, Equality). An argument that itself
// reads as a number, or as a date or duration of kind k, stands for nothing but its equal: 2 hours 30 minutes is not
// 2 hours with two words more.
func StandsFor(arg string, column []string, k Kind) (value string, ok bool) {
	return NewColumn(column, k).StandsFor(arg)
}

// Column holds the values of a column made ready for StandsFor. It is immutable.
type Column struct {
	kind     Kind
	byKey    map[string]string
	distinct []columnValue
	// longest is the largest number of words of a value.
	longest int
}

type columnValue struct {
	value string
	text  Text
}

// NewColumn prepares the values; of values that compare equal the first stands for all.
func NewColumn(values []string, k Kind) *Column {
	c := &Column{kind: k, byKey: make(map[string]string, len(values))}
	for _, v := range values {
		key := Key(v, k)
		if _, seen := c.byKey[key]; seen {
			continue
		}
		c.byKey[key] = v
		if t := NewText(v); t.words != "" {
			c.distinct = append(c.distinct, columnValue{v, t})
			c.longest = max(c.longest, t.n)
		}
	}
	return c
}

// StandsFor returns the value that arg stands for; see the function StandsFor.
func (c *Column) StandsFor(arg string) (value string, ok bool) {
	if v, found := c.byKey[Key(arg, c.kind)]; found {
		return v, true
	}
	if reads(arg, c.kind) || reads(arg, Plain) {
		return "", false
	}
	text := NewText(arg)
	if text.n > c.longest+maxExtra {
		return "", false
	}
	found := 0
	for _, v := range c.distinct {
		if text.Contains(v.text) {
			value = v.value
			ok = text.n <= v.text.n+maxExtra
			found++
		}
	}
	if found != 1 || !ok {
		return "", false
	}
	return value, true
}

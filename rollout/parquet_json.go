package rollout

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// column is a node of a Parquet schema as it looks in JSON. By it, the rows of any file become JSON objects: lists are
// arrays, groups and maps objects, texts strings. A member that is null is left out, since writers that know one type for
// all arguments fill in nulls that nobody wrote.
type column struct {
	name  string
	shape columnShape
	// there is the definition level from which the node is not null, some that from which a list or map has elements, and
	// repetition the level at which the next of them starts.
	there, some, repetition int
	// first and end bound the leaves below, which are what a row holds values of.
	first, end int
	// children are the members of a group, the element of a list, the key and the value of a map.
	children []*column
}

type columnShape uint8

const (
	leafShape columnShape = iota
	groupShape
	listShape
	mapShape
)

// columnsOf reads a schema.
func columnsOf(schema *parquet.Schema) *column {
	leaves := 0
	return contentOf(schema, 0, 0, &leaves)
}

// columnOf reads one field; the levels are those of what holds it, and leaves counts those before it.
func columnOf(f parquet.Field, definition, repetition int, leaves *int) *column {
	if f.Optional() {
		definition++
	}
	if !f.Repeated() {
		c := contentOf(f, definition, repetition, leaves)
		c.name = f.Name()
		return c
	}
	// A list without the annotation.
	c := listOfElements(definition, repetition, *leaves)
	c.name, c.shape = f.Name(), listShape
	c.children = []*column{contentOf(f, c.some, c.repetition, leaves)}
	c.end = *leaves
	return c
}

func listOfElements(definition, repetition, leaves int) *column {
	return &column{there: definition, some: definition + 1, repetition: repetition + 1, first: leaves}
}

// contentOf reads what a node is, its repetition type apart.
func contentOf(n parquet.Node, definition, repetition int, leaves *int) *column {
	c := &column{there: definition, first: *leaves}
	inner := repeatedIn(n)
	switch {
	case n.Leaf():
		*leaves++
	case inner == nil:
		c.shape = groupShape
		for _, f := range n.Fields() {
			c.children = append(c.children, columnOf(f, definition, repetition, leaves))
		}
	default:
		c = listOfElements(definition, repetition, *leaves)
		c.shape = listShape
		if n.Type().String() == "MAP" {
			c.shape = mapShape
		}
		if c.shape == listShape && (inner.Leaf() || len(inner.Fields()) > 1) { // written before lists had three levels
			c.children = []*column{contentOf(inner, c.some, c.repetition, leaves)}
			break
		}
		for _, f := range inner.Fields() {
			c.children = append(c.children, columnOf(f, c.some, c.repetition, leaves))
		}
	}
	c.end = *leaves
	return c
}

// repeatedIn returns the repeated node that a group annotated as a list or a map consists of, nil for any other node.
func repeatedIn(n parquet.Node) parquet.Node {
	if n.Leaf() || len(n.Fields()) != 1 || !n.Fields()[0].Repeated() {
		return nil
	}
	inner := n.Fields()[0]
	switch n.Type().String() {
	case "LIST":
		return inner
	case "MAP":
		if !inner.Leaf() && len(inner.Fields()) == 2 {
			return inner
		}
	}
	return nil
}

// errDamaged says that the values of a row do not fit the schema.
var errDamaged = errors.New("damaged: the values do not fit the columns")

// rowJSON appends a row as a JSON object.
func (c *column) rowJSON(dst []byte, row parquet.Row) ([]byte, error) {
	values := make([][]parquet.Value, c.end)
	for i := 0; i < len(row); {
		at, start := row[i].Column(), i
		for i < len(row) && row[i].Column() == at {
			i++
		}
		if at < 0 || at >= len(values) || values[at] != nil {
			return dst, errDamaged
		}
		values[at] = row[start:i]
	}
	if slices.ContainsFunc(values, func(v []parquet.Value) bool { return len(v) == 0 }) {
		return dst, errDamaged
	}
	return c.value(dst, values)
}

// value appends what the leaves below c hold. Every leaf has at least one value, which may be the mark of a null.
func (c *column) value(dst []byte, leaves [][]parquet.Value) ([]byte, error) {
	if c.null(leaves) {
		return append(dst, "null"...), nil
	}
	switch c.shape {
	case groupShape:
		return c.object(dst, leaves)
	case listShape:
		return c.list(dst, leaves)
	case mapShape:
		return c.mapping(dst, leaves)
	}
	return leafValue(dst, leaves[0][0])
}

func (c *column) null(leaves [][]parquet.Value) bool {
	return len(leaves) > 0 && leaves[0][0].DefinitionLevel() < c.there
}

func (c *column) object(dst []byte, leaves [][]parquet.Value) (_ []byte, err error) {
	dst = append(dst, '{')
	empty := true
	for _, child := range c.children {
		below := leaves[child.first-c.first : child.end-c.first]
		if child.null(below) {
			continue
		}
		if !empty {
			dst = append(dst, ',')
		}
		empty = false
		dst = append(appendString(dst, child.name), ':')
		if dst, err = child.value(dst, below); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func (c *column) list(dst []byte, leaves [][]parquet.Value) ([]byte, error) {
	dst = append(dst, '[')
	err := c.each(leaves, func(n int, element [][]parquet.Value) (err error) {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst, err = c.children[0].value(dst, element)
		return err
	})
	return append(dst, ']'), err
}

func (c *column) mapping(dst []byte, leaves [][]parquet.Value) ([]byte, error) {
	key, value := c.children[0], c.children[1]
	dst = append(dst, '{')
	err := c.each(leaves, func(n int, entry [][]parquet.Value) error {
		text, err := key.value(nil, entry[:key.end-c.first])
		if err != nil {
			return err
		}
		if text[0] != '"' {
			text = appendString(nil, string(text))
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, text...), ':')
		dst, err = value.value(dst, entry[value.first-c.first:])
		return err
	})
	return append(dst, '}'), err
}

// each calls element with the number, from 0, and the values of one element after the other.
func (c *column) each(leaves [][]parquet.Value, element func(int, [][]parquet.Value) error) error {
	if len(leaves) == 0 || leaves[0][0].DefinitionLevel() < c.some {
		return nil
	}
	rest := slices.Clone(leaves)
	one := make([][]parquet.Value, len(leaves))
	for n := 0; len(rest[0]) > 0; n++ {
		for i, values := range rest {
			if len(values) == 0 {
				return errDamaged
			}
			end := 1
			for end < len(values) && values[end].RepetitionLevel() > c.repetition {
				end++
			}
			one[i], rest[i] = values[:end], values[end:]
		}
		if err := element(n, one); err != nil {
			return err
		}
	}
	return nil
}

// leafValue appends one value by its own kind: damaged files hold others than that of the column.
func leafValue(dst []byte, v parquet.Value) ([]byte, error) {
	if v.IsNull() {
		return append(dst, "null"...), nil
	}
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.AppendBool(dst, v.Boolean()), nil
	case parquet.Int32:
		return strconv.AppendInt(dst, int64(v.Int32()), 10), nil
	case parquet.Int64:
		return strconv.AppendInt(dst, v.Int64(), 10), nil
	case parquet.Float:
		return appendFloat(dst, float64(v.Float()), 32), nil
	case parquet.Double:
		return appendFloat(dst, v.Double(), 64), nil
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return appendString(dst, string(v.ByteArray())), nil
	}
	return dst, fmt.Errorf("a value of the Parquet kind %s, which has no JSON form", v.Kind())
}

// appendFloat appends a number; one that JSON lacks is null.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, bits)
}

func appendString(dst []byte, s string) []byte {
	text, _ := json.Marshal(s) // a string has a JSON form, whatever its bytes are
	return append(dst, text...)
}

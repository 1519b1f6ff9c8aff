package world

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// maxElements bounds an array argument: each element may be looked up in a column.
const maxElements = 256

// Arguments of a call, read and valid for the tool that Parse read them for. They are inert texts and are not changed
// after Parse.
type Arguments struct {
	values []argument // by parameter
}

// argument is one value: the text of a scalar, or the elements of an array with text their list.
type argument struct {
	text string
	list []string
}

func (a argument) elements() []string {
	if a.list != nil {
		return a.list
	}
	return []string{a.text}
}

// equal reports whether two readings for one tool are the same.
func (a *Arguments) equal(b Arguments) bool {
	return slices.EqualFunc(a.values, b.values, func(x, y argument) bool {
		return x.text == y.text && slices.Equal(x.list, y.list)
	})
}

// ArgumentError says why a call has no valid arguments.
type ArgumentError struct {
	// Malformed: the text is not JSON, is no object, or exceeds a bound; the status is malformed. Otherwise the object does
	// not fit the tool's parameters; the status is invalid_arguments.
	Malformed bool
	// Text is what the model reads: what is wrong, without advice.
	Text string
}

// Parse reads the arguments of a call of a tool from their JSON text as the model wrote it (docs/family-format.md,
// Arguments). It accepts what can be read without guessing: a numeral in a string for a number, a number for a string
// (with the digits that the model wrote), "true" for a boolean, 3.0 for an integer. An argument that equals a spelling of
// the tool's solve reads as the first spelling, one that equals an enum member as the member. The empty text and null
// are the empty object.
func (w *World) Parse(tool int, raw string) (Arguments, *ArgumentError) {
	t := &w.tools[tool]
	fields, reason := object(raw)
	if reason != "" {
		return Arguments{}, &ArgumentError{Malformed: true, Text: "Malformed arguments for " + t.name + ": " + reason + "."}
	}
	if t.any {
		return Arguments{}, nil
	}
	values, fault := t.read(fields)
	if fault != "" {
		return Arguments{}, &ArgumentError{Text: "Invalid arguments for " + t.name + ": " + fault + "."}
	}
	return Arguments{values: values}, nil
}

// read binds the members of an object to the parameters; fault says what does not fit first.
func (t *tool) read(fields []field) (values []argument, fault string) {
	values = make([]argument, len(t.params))
	var given bitset
	for _, f := range fields {
		i := t.param(f.key)
		switch {
		case i < 0:
			return nil, quoted(f.key) + " is not a parameter"
		case given.has(i):
			return nil, quoted(f.key) + " is given twice"
		}
		given.add(i, len(t.params))
		if values[i], fault = t.params[i].read(f.raw); fault != "" {
			return nil, quoted(f.key) + " " + fault
		}
	}
	for i := range t.params {
		p := &t.params[i]
		switch {
		case given.has(i):
		case !p.HasDefault:
			return nil, quoted(p.Name) + " is missing"
		case p.Type == scenario.Array:
			values[i] = argument{text: p.Default.S, list: []string{p.Default.S}}
		default:
			values[i] = argument{text: p.settle(p.Default.S)}
		}
	}
	return values, ""
}

// read reads one value from its JSON text.
func (p *parameter) read(raw string) (argument, string) {
	if raw == "null" {
		return argument{}, "is null"
	}
	if p.Type != scenario.Array {
		text, fault := p.scalar(raw, p.Type)
		return argument{text: text}, fault
	}
	if raw[0] != '[' {
		return argument{}, "is not an array"
	}
	list := elements(raw)
	switch {
	case len(list) == 0:
		return argument{}, "is empty"
	case len(list) > maxElements:
		return argument{}, "has more than " + strconv.Itoa(maxElements) + " elements"
	}
	for i, element := range list {
		text, fault := p.scalar(element, p.Items)
		if fault != "" {
			return argument{}, "has an element that " + fault
		}
		list[i] = text
	}
	return argument{text: strings.Join(list, ", "), list: list}, ""
}

// scalar reads a string, number or boolean as a value of a type.
func (p *parameter) scalar(raw string, as scenario.Type) (text, fault string) {
	text, ok := lenient(raw, as)
	switch {
	case raw == "null":
		return "", "is null"
	case raw[0] == '"' && strings.TrimSpace(text) == "":
		return "", "is empty"
	case !ok:
		return "", "is not " + typeNames[as]
	}
	text = p.settle(text)
	if len(p.Enum) > 0 && !slices.Contains(p.Enum, text) {
		return "", "is not one of " + strings.Join(p.Enum, ", ")
	}
	return text, ""
}

var typeNames = map[scenario.Type]string{
	scenario.String: "a string", scenario.Integer: "an integer", scenario.Number: "a number", scenario.Boolean: "a boolean",
}

// lenient reads the JSON text of a scalar as a type; ok is false where that cannot be.
func lenient(raw string, as scenario.Type) (text string, ok bool) {
	quotedText := raw[0] == '"'
	if text = raw; quotedText {
		text = unquote(raw)
	}
	switch as {
	case scenario.String:
		return text, quotedText || numeral(raw)
	case scenario.Number:
		text = strings.TrimSpace(text)
		_, ok = value.Number(text)
		return text, ok
	case scenario.Integer:
		if key, number := value.Number(text); number && !strings.Contains(key, ".") {
			return key, true
		}
		return text, false
	case scenario.Boolean:
		text = strings.ToLower(strings.TrimSpace(text))
		return text, text == "true" || text == "false"
	}
	return text, false
}

// settle returns the text that an argument reads as: the first of the spellings that it is one of, the element of a
// solving array or the enum member that it equals, else itself.
func (p *parameter) settle(text string) string {
	if len(p.enum) == 0 && (len(p.spellings) == 0 || text == p.solution[0]) {
		return text
	}
	key := value.Key(text, p.Kind)
	if i := slices.Index(p.spellings, key); i >= 0 {
		if p.Type != scenario.Array {
			i = 0
		}
		text, key = p.solution[i], p.spellings[i]
	}
	if i := slices.Index(p.enum, key); i >= 0 {
		return p.Enum[i]
	}
	return text
}

// quoted is a name from the model in quotes, cut where it is long.
func quoted(name string) string {
	const most = 64
	if len(name) > most {
		cut := most
		for !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut] + "…"
	}
	return strconv.Quote(name)
}

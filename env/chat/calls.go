package chat

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
)

// Call is a tool call as the model wrote it.
type Call struct {
	// Name is empty where none could be read.
	Name string
	// Arguments is the JSON value, byte for byte; where an object was given as a JSON string, the content of that string.
	// It is empty where there was none, and holds the whole broken text where the call was no JSON.
	Arguments string
}

// Message is an assistant message, read.
type Message struct {
	Think
	// Calls that the model makes, in order; those drafted in a closed think block are not among them.
	Calls []Call
}

// Format says in which form a model gives tool calls as text.
type Format uint8

// The formats.
const (
	// Auto reads both of the others.
	Auto Format = iota
	// Hermes is <tool_call>{"name": …, "arguments": {…}}</tool_call>, as Hermes and Qwen models write.
	Hermes
	// Llama is {"name": …, "parameters": {…}} at the start of a line or after <|python_tag|>, several apart by semicolons
	// or blanks.
	Llama

	noCalls
)

func (f Format) has(t tag) bool {
	switch t {
	case callOpens:
		return f == Auto || f == Hermes
	case pythonTag, object:
		return f == Auto || f == Llama
	}
	return true
}

// Parse reads a message that gives its tool calls as text.
//
// A call in a think block that is closed is a draft and stays reasoning; in a block that is never closed it counts, since
// the model went from thinking to calling. What announces itself as a call is never dropped: with a name or arguments
// missing, or as broken JSON, it becomes a Call that the environment answers as malformed. parameters and arguments are
// the same in both formats. A line that begins with a JSON object is a call only where the object has one of them.
func Parse(text string, f Format) Message {
	return scan(text, f)
}

// read reads the calls that the tag at text[at:end] opens, and returns how many bytes after end they take.
func (s *scanner) read(t tag, at, end int) ([]Call, int) {
	switch t {
	case callOpens:
		if s.open && !strings.HasPrefix(strings.TrimLeft(s.text[end:], " \t\r\n"), "{") {
			return nil, 0 // reasoning about the tag
		}
		return readHermes(s.text[end:])
	case pythonTag:
		calls, n, _ := readObjects(s.text[end:], true)
		return calls, n
	}
	calls, n, tried := readObjects(s.text[at:], false)
	if len(calls) == 0 {
		s.tried = at + tried
		return nil, 0
	}
	return calls, n - 1 // the brace stands before end
}

// readHermes reads what follows an opening tag. The call ends where its JSON value does, not at the first closing tag,
// since an argument may hold one.
func readHermes(text string) ([]Call, int) {
	end, _, ok := jsonValue(text)
	if !ok {
		end = 0
	}
	body := text[:end] + untilTag(text[end:])
	n := len(body)
	if strings.HasPrefix(text[n:], callEnd) {
		n += len(callEnd)
	}
	if ok && strings.TrimSpace(body[end:]) == "" {
		return []Call{callOf(strings.TrimSpace(body))}, n
	}
	return []Call{broken(body)}, n
}

// readObjects reads JSON objects in a row. With announced the first is a call whatever it is; otherwise tried says how far
// the reading of what is no call went.
func readObjects(text string, announced bool) (calls []Call, n, tried int) {
	for {
		at := n + len(text[n:]) - len(strings.TrimLeft(text[n:], " \t\r\n;"))
		end, failed, ok := 0, 0, false
		if strings.HasPrefix(text[at:], "{") {
			end, failed, ok = jsonValue(text[at:])
		} else if n > 0 || !announced {
			return calls, n, at
		}
		if !ok && !(announced && n == 0) && !brokenStart.MatchString(text[at:]) {
			return calls, n, at + failed
		}
		if !ok {
			body := untilTag(text[at:])
			if announced && n == 0 || brokenArguments.MatchString(body) {
				return append(calls, broken(body)), at + len(body), 0
			}
			return calls, n, at + len(body)
		}
		if !announced && !isCall(text[at:at+end]) {
			return calls, n, at + end
		}
		calls = append(calls, callOf(text[at:at+end]))
		n = at + end
	}
}

// jsonValue returns where the first JSON value of text ends, or how far it could be read.
func jsonValue(text string) (end, failed int, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	err := d.Decode(&raw)
	if err == nil {
		return int(d.InputOffset()), 0, true
	}
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		return 0, int(syntax.Offset), false
	}
	return 0, len(text), false
}

// callOf reads a JSON value that stands where a call should.
func callOf(value string) Call {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(value), &fields) != nil {
		return Call{Arguments: value}
	}
	var c Call
	if json.Unmarshal(fields["name"], &c.Name) != nil {
		c.Name = ""
	}
	arguments, ok := fields["arguments"]
	if !ok {
		arguments, ok = fields["parameters"]
	}
	if !ok && c.Name == "" {
		return Call{Arguments: value}
	}
	c.Arguments = unwrap(string(arguments))
	return c
}

// unwrap returns the object that a JSON string holds, or the value as it is.
func unwrap(value string) string {
	var content string
	if json.Unmarshal([]byte(value), &content) == nil && strings.HasPrefix(strings.TrimSpace(content), "{") {
		return content
	}
	return value
}

// isCall reports whether an object that nothing announces is a call: it has arguments, and a name or nothing else that
// a call does not have. Any other object is a result that the model reports.
func isCall(value string) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(value), &fields) != nil {
		return false
	}
	known := 0
	for _, key := range []string{"arguments", "parameters", "type", "id"} {
		if _, ok := fields[key]; ok {
			known++
		}
	}
	_, named := fields["name"]
	_, arguments := fields["arguments"]
	_, parameters := fields["parameters"]
	return (arguments || parameters) && (named || known == len(fields))
}

var (
	// brokenStart and brokenArguments mark an object that nothing announces and that is no JSON, but was meant as a call.
	brokenStart     = regexp.MustCompile(`^\{\s{0,64}["'](?:type|name|arguments|parameters)["']\s{0,64}:`)
	brokenArguments = regexp.MustCompile(`["'](?:arguments|parameters)["']\s{0,64}:`)
	// brokenName is the name at the start of an object, in whatever quotes.
	brokenName = regexp.MustCompile(`^\{\s*(?:["']type["']\s*:\s*["']function["']\s*,\s*)?["']name["']\s*:\s*(?:"([^"\\]{1,128})"|'([^'\\]{1,128})')`)
)

func broken(body string) Call {
	c := Call{Arguments: strings.TrimSpace(body)}
	if m := brokenName.FindStringSubmatch(c.Arguments); m != nil {
		c.Name = m[1] + m[2]
	}
	return c
}

package audit

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

// argument of a call: one text, or the elements of an array.
type argument struct {
	param *scenario.Parameter
	texts []string
}

// show writes texts as the argument takes them, for a message.
func (a argument) show(texts []string) string {
	if a.param.Type == scenario.Array {
		return fmt.Sprintf("%q", texts)
	}
	return strconv.Quote(texts[0])
}

// solution returns the solving call of a tool in first spellings.
func solution(t *scenario.Tool) []argument {
	var out []argument
	for _, sol := range t.Solve {
		if p := parameter(t, sol.Param); p != nil {
			a := argument{param: p}
			for _, v := range firstSpelling(&sol) {
				a.texts = append(a.texts, v.S)
			}
			out = append(out, a)
		}
	}
	return out
}

// with returns the call with one argument replaced, or added where it was left to its default.
func with(call []argument, replaced argument) []argument {
	out := make([]argument, 0, len(call)+1)
	found := false
	for _, a := range call {
		if a.param == replaced.param {
			a, found = replaced, true
		}
		out = append(out, a)
	}
	if !found {
		out = append(out, replaced)
	}
	return out
}

// raw writes a call as the JSON that a model would send.
func raw(call []argument) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, a := range call {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(a.param.Name))
		b.WriteByte(':')
		if a.param.Type != scenario.Array {
			b.WriteString(jsonValue(a.param.Type, strings.Join(a.texts, " ")))
			continue
		}
		b.WriteByte('[')
		for j, text := range a.texts {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsonValue(a.param.Items, text))
		}
		b.WriteByte(']')
	}
	b.WriteByte('}')
	return b.String()
}

func jsonValue(t scenario.Type, text string) string {
	switch t {
	case scenario.Integer, scenario.Number:
		if n, ok := value.Number(text); ok {
			return n
		}
	case scenario.Boolean:
		if text == "true" || text == "false" {
			return text
		}
	}
	return quote(text)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string always marshals
	}
	return string(b)
}

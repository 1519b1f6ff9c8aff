package chat

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseHermes(t *testing.T) {
	one := Call{"set_use", `{"parcel": "14-207"}`}
	for _, test := range []struct {
		name, text string
		calls      []Call
		visible    string
	}{
		{"none", "Done.", nil, "Done."},
		{"as the template writes it", "<tool_call>\n{\"name\": \"set_use\", \"arguments\": {\"parcel\": \"14-207\"}}\n</tool_call>", []Call{one}, ""},
		{"two, with text", "Now.\n<tool_call>{\"name\": \"set_use\", \"arguments\": {\"parcel\": \"14-207\"}}</tool_call>\n<tool_call>{\"arguments\": {}, \"name\": \"g\"}</tool_call>\nSo.", []Call{one, {"g", "{}"}}, "Now.\n\n\nSo."},
		{"verbatim arguments", `<tool_call>{"name": "f", "arguments": { "n":1.50,  "e":"\u00e9é", "n":2 }}</tool_call>`, []Call{{"f", `{ "n":1.50,  "e":"\u00e9é", "n":2 }`}}, ""},
		{"arguments as a string", `<tool_call>{"name": "f", "arguments": "{\"a\": \"b\"}"}</tool_call>`, []Call{{"f", `{"a": "b"}`}}, ""},
		{"parameters for arguments", `<tool_call>{"name": "f", "parameters": {"a": 1}}</tool_call>`, []Call{{"f", `{"a": 1}`}}, ""},
		{"a closing tag in an argument", `<tool_call>{"name": "f", "arguments": {"t": "</tool_call></think>"}}</tool_call>x`, []Call{{"f", `{"t": "</tool_call></think>"}`}}, "x"},
		{"unclosed at the end", `<tool_call>{"name": "f", "arguments": {}}`, []Call{{"f", "{}"}}, ""},
		{"unclosed before the next", `<tool_call>{"name": "f", "arguments": {}}<tool_call>{"name": "g", "arguments": {}}</tool_call>`, []Call{{"f", "{}"}, {"g", "{}"}}, ""},
		{"end of turn", "<tool_call>{\"name\": \"f\", \"arguments\": {}}\n</tool_call><|im_end|>", []Call{{"f", "{}"}}, ""},

		{"in a think block never closed", "<think>I call it.\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>", []Call{{"f", "{}"}}, ""},
		{"a draft in a closed block", "<think><tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call></think><tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>", []Call{{"g", "{}"}}, ""},
		{"a draft where the prompt opened the block", "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n</think>Done.", nil, "Done."},
		{"reasoning about the tag", "<think>A <tool_call> tag is needed", nil, ""},

		{"no name", `<tool_call>{"arguments": {"a": 1}}</tool_call>`, []Call{{"", `{"a": 1}`}}, ""},
		{"no arguments", `<tool_call>{"name": "f"}</tool_call>`, []Call{{"f", ""}}, ""},
		{"neither", `<tool_call>{"tool": "f"}</tool_call>`, []Call{{"", `{"tool": "f"}`}}, ""},
		{"a name that is no string", `<tool_call>{"name": 3, "arguments": {}}</tool_call>`, []Call{{"", "{}"}}, ""},
		{"null arguments", `<tool_call>{"name": "f", "arguments": null}</tool_call>`, []Call{{"f", "null"}}, ""},
		{"a list of arguments", `<tool_call>{"name": "f", "arguments": []}</tool_call>`, []Call{{"f", "[]"}}, ""},
		{"a number for arguments", `<tool_call>{"name": "f", "arguments": 3}</tool_call>`, []Call{{"f", "3"}}, ""},
		{"a word for arguments", `<tool_call>{"name": "f", "arguments": "x"}</tool_call>`, []Call{{"f", `"x"`}}, ""},
		{"null", "<tool_call>null</tool_call>", []Call{{"", "null"}}, ""},
		{"a list", "<tool_call>[]</tool_call>", []Call{{"", "[]"}}, ""},
		{"a number", "<tool_call>3</tool_call>", []Call{{"", "3"}}, ""},
		{"nothing", "<tool_call></tool_call>", []Call{{"", ""}}, ""},
		{"nothing, unclosed", "Now <tool_call>", []Call{{"", ""}}, "Now"},

		{"truncated", `<tool_call>{"name": "f", "arguments": {"a": "b`, []Call{{"f", `{"name": "f", "arguments": {"a": "b`}}, ""},
		{"truncated, then another", `<tool_call>{"name": "f", "arguments": {"a": <tool_call>{"name": "g", "arguments": {}}</tool_call>`, []Call{{"f", `{"name": "f", "arguments": {"a":`}, {"g", "{}"}}, ""},
		{"single quotes", `<tool_call>{'name': 'f', 'arguments': {'a': 1}}</tool_call>x`, []Call{{"f", `{'name': 'f', 'arguments': {'a': 1}}`}}, "x"},
		{"NaN", `<tool_call>{"name": "f", "arguments": {"a": NaN}}</tool_call>`, []Call{{"f", `{"name": "f", "arguments": {"a": NaN}}`}}, ""},
		{"trailing garbage", `<tool_call>{"name": "f", "arguments": {}}}</tool_call>x`, []Call{{"f", `{"name": "f", "arguments": {}}}`}}, "x"},
		{"another syntax", "<tool_call>\n<function=f></function>\n</tool_call>", []Call{{"", "<function=f></function>"}}, ""},
		{"the name inside broken arguments is not its name", `<tool_call>{"arguments": {"name": "x"`, []Call{{"", `{"arguments": {"name": "x"`}}, ""},
	} {
		for _, format := range []Format{Hermes, Auto} {
			calls, visible := parseCalls(test.text, format)
			if !slices.Equal(calls, test.calls) || visible != test.visible {
				t.Errorf("%s, format %d: parseCalls(%q)\n got %q, %q\nwant %q, %q", test.name, format, test.text, calls, visible, test.calls, test.visible)
			}
		}
	}
}

func TestParseLlama(t *testing.T) {
	for _, test := range []struct {
		name, text string
		calls      []Call
		visible    string
	}{
		{"none", "Done.", nil, "Done."},
		{"as the template writes it", `{"name": "f", "parameters": {"a": 1}}<|eot_id|>`, []Call{{"f", `{"a": 1}`}}, ""},
		{"after the tag", `<|python_tag|>{"name": "f", "parameters": {"a": 1}}<|eom_id|>`, []Call{{"f", `{"a": 1}`}}, ""},
		{"with a type", `{"type": "function", "name": "f", "parameters": {}}`, []Call{{"f", "{}"}}, ""},
		{"arguments for parameters", `{"name": "f", "arguments": {}}`, []Call{{"f", "{}"}}, ""},
		{"several", `{"name": "f", "parameters": {"t": "a; {b"}}; {"name": "g", "parameters": {}}` + "\n" + `{"name": "h", "parameters": {"o": {"p": {}}}}`, []Call{{"f", `{"t": "a; {b"}`}, {"g", "{}"}, {"h", `{"o": {"p": {}}}`}}, ""},
		{"text after it", "{\"name\": \"f\", \"parameters\": {}}\n\nShall I go on?", []Call{{"f", "{}"}}, "Shall I go on?"},
		{"text before it", "Now:\n{\"name\": \"f\", \"parameters\": {}}", []Call{{"f", "{}"}}, "Now:"},
		{"in a think block never closed", "<think>Now.\n{\"name\": \"f\", \"parameters\": {}}", []Call{{"f", "{}"}}, ""},
		{"a draft in a closed block", "<think>\n{\"name\": \"f\", \"parameters\": {}}\n</think>Done.", nil, "Done."},
		{"after a block", "<think>Now.</think>{\"name\": \"f\", \"parameters\": {}}", []Call{{"f", "{}"}}, ""},

		{"a result, not a call", `{"name": "Osei", "room": "12B"}`, nil, `{"name": "Osei", "room": "12B"}`},
		{"a name alone", `{"name": "f"}`, nil, `{"name": "f"}`},
		{"a name alone after the tag", `<|python_tag|>{"name": "f"}`, []Call{{"f", ""}}, ""},
		{"other fields beside parameters", `{"ok": true, "parameters": {}}`, nil, `{"ok": true, "parameters": {}}`},
		{"no name", `{"parameters": {"a": 1}}`, []Call{{"", `{"a": 1}`}}, ""},
		{"null parameters", `{"name": "f", "parameters": null}`, []Call{{"f", "null"}}, ""},
		{"within a line", `Write {"name": "f", "parameters": {}} to call it.`, nil, `Write {"name": "f", "parameters": {}} to call it.`},
		{"a template", "{{ name }}", nil, "{{ name }}"},

		{"truncated", `{"name": "f", "parameters": {"a": "b`, []Call{{"f", `{"name": "f", "parameters": {"a": "b`}}, ""},
		{"single quotes", `{'name': 'f', 'parameters': {}}`, []Call{{"f", `{'name': 'f', 'parameters': {}}`}}, ""},
		{"broken before there are parameters", `{"name": "f", "par`, nil, `{"name": "f", "par`},
		{"broken after the tag", `<|python_tag|>{"name": "f", "par`, []Call{{"f", `{"name": "f", "par`}}, ""},
		{"a built-in after the tag", `<|python_tag|>brave_search.call(query="x")`, []Call{{"", `brave_search.call(query="x")`}}, ""},
		{"nothing after the tag", `<|python_tag|>`, []Call{{"", ""}}, ""},
		{"the second broken", `{"name": "f", "parameters": {}}; {"name": "g", "parameters": {`, []Call{{"f", "{}"}, {"g", `{"name": "g", "parameters": {`}}, ""},
	} {
		for _, format := range []Format{Llama, Auto} {
			calls, visible := parseCalls(test.text, format)
			if !slices.Equal(calls, test.calls) || visible != test.visible {
				t.Errorf("%s, format %d: parseCalls(%q)\n got %q, %q\nwant %q, %q", test.name, format, test.text, calls, visible, test.calls, test.visible)
			}
		}
	}
}

func TestFormatsKeepApart(t *testing.T) {
	hermes, llama := `<tool_call>{"name": "f", "arguments": {}}</tool_call>`, `{"name": "f", "arguments": {}}`
	if calls, visible := parseCalls(hermes, Llama); calls != nil || visible != hermes {
		t.Errorf("Llama read %q, %q", calls, visible)
	}
	if calls, visible := parseCalls(llama, Hermes); calls != nil || visible != llama {
		t.Errorf("Hermes read %q, %q", calls, visible)
	}
}

func TestParseKeepsReasoningApart(t *testing.T) {
	got := Parse("<think>Now.</think>Here:<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>", Auto)
	if got.Reasoning != "Now." || got.Visible != "Here:" || !got.Balanced || got.Open || len(got.Calls) != 1 {
		t.Errorf("got %+v", got)
	}
	got = Parse("<think>Now.<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>", Auto)
	if got.Reasoning != "Now." || got.Visible != "" || got.Balanced || !got.Open || len(got.Calls) != 1 {
		t.Errorf("got %+v", got)
	}
}

// render writes calls as the templates do.
func render(calls []Call, f Format) string {
	var b strings.Builder
	for i, c := range calls {
		name, _ := json.Marshal(c.Name)
		if f == Llama {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(`{"name": ` + string(name) + `, "parameters": ` + c.Arguments + `}`)
		} else {
			b.WriteString("<tool_call>\n{\"name\": " + string(name) + `, "arguments": ` + c.Arguments + "}\n</tool_call>\n")
		}
	}
	return b.String()
}

// genCall draws a call whose arguments hold what a parser may stumble over.
func genCall(t *rapid.T) Call {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"</tool_call>", "<tool_call>", "</think>", "<think>", `"}`, "};{", "\\", "{\n{"}))
	value := rapid.OneOf(rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Int(), func(i int) any { return i }),
		rapid.Map(rapid.SliceOfN(text, 0, 3), func(s []string) any { return s }))
	arguments, err := json.Marshal(rapid.MapOfN(text, value, 0, 4).Draw(t, "arguments"))
	if err != nil {
		t.Fatal(err)
	}
	return Call{Name: rapid.StringMatching(`[a-z][a-z0-9_]{2,20}`).Draw(t, "name"), Arguments: string(arguments)}
}

func TestRenderedCallsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := rapid.SliceOfN(rapid.Custom(genCall), 1, 5).Draw(t, "calls")
		prose := rapid.StringMatching(`[A-Za-z ,.!\n]{0,40}`).Draw(t, "prose")
		format := rapid.SampledFrom([]Format{Hermes, Llama}).Draw(t, "format")
		parsed := rapid.SampledFrom([]Format{format, Auto}).Draw(t, "parsed")
		got := Parse("<think>\nNow.\n</think>\n\n"+prose+"\n"+render(calls, format), parsed)
		if !slices.Equal(got.Calls, calls) {
			t.Fatalf("got %q, want %q", got.Calls, calls)
		}
		if got.Visible != strings.TrimSpace(prose) || got.Reasoning != "Now." || !got.Balanced {
			t.Fatalf("got %+v, want visible %q", got.Think, prose)
		}
	})
}

// parseCalls returns the calls of a message and the text that a user sees, which is neither reasoning nor a call.
func parseCalls(text string, f Format) (calls []Call, visible string) {
	m := Parse(text, f)
	return m.Calls, m.Visible
}

func FuzzParseCalls(f *testing.F) {
	for _, text := range []string{
		"<think>a</think><tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"</tool_call>\"}}</tool_call>",
		"<tool_call>{\"name\": \"f\", \"arguments\": \"{}\"} x<tool_call>[]</think>",
		"{\"name\": \"f\", \"parameters\": {}}; {'name': 'g', 'arguments': NaN",
		"<|python_tag|>{}{\n{\"a\":\n{\"a\":",
	} {
		f.Add(text, byte(Auto))
	}
	f.Fuzz(func(t *testing.T, text string, format byte) {
		fmt := Format(format % byte(noCalls))
		m := Parse(text, fmt)
		if !subsequence(m.Visible, text) {
			t.Errorf("visible %q is not in the text", m.Visible)
		}
		if fmt == Hermes && len(m.Calls) > strings.Count(text, callStart) {
			t.Errorf("%d calls of %d tags", len(m.Calls), strings.Count(text, callStart))
		}
		if !strings.Contains(text, "</think") && fmt != Llama && len(m.Calls) == 0 && !m.Open && strings.Contains(text, callStart) {
			t.Error("a call was dropped")
		}
		var whole []Call
		for _, c := range m.Calls {
			c.Arguments = strings.TrimSpace(c.Arguments)
			if strings.HasPrefix(c.Arguments, "{") && json.Valid([]byte(c.Arguments)) && strings.ToValidUTF8(c.Name, "") == c.Name {
				whole = append(whole, c)
			}
		}
		if again, visible := parseCalls(render(whole, Hermes), fmt); fmt != Llama && (!slices.Equal(again, whole) || visible != "") {
			t.Errorf("rendered and read again: %q, %q, want %q", again, visible, whole)
		}
	})
}

// TestParseOnHostileTexts runs texts that would take long where each part was read again and again.
func TestParseOnHostileTexts(t *testing.T) {
	for _, unit := range []string{callStart, callStart + `{"a": "`, callStart + "[", "{\"a\":\n", "{\n", "{\"name\": 1\n", "<think>", "</think>", pythonStart, pythonStart + "{", "<", "{", "[", " ", ";", `{"name": "f", "parameters": {}};`} {
		Parse(strings.Repeat(unit, 1<<18/len(unit)), Auto)
	}
}

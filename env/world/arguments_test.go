package world

import (
	"reflect"
	"strings"
	"testing"
)

// taker is a tool with a parameter of every sort, all but the first with a default where the format has one.
var taker = tl{
	params: "s: string; i: integer, default: 1; n: number, default: 1; b: boolean, default: no; e: string, enum: [by id, by name], default: by id;" +
		" d: string, kind: date, default: 2026-05-08; m: string, free: true, default: m",
	solve: "s: [SO-1, SO-1 (first), one], i: 7, e: [by id, id]",
	steps: "- {read: orders, where: {id: $s}, fields: [id]}",
}

func TestParse(t *testing.T) {
	taker := taker
	taker.params = strings.Replace(taker.params, "b: boolean, default: no", `b: boolean, default: "false"`, 1)
	w := probe(t, taker).w
	deep := strings.Repeat("[", 16) + strings.Repeat("]", 16)
	for _, test := range []struct {
		raw  string
		want string // canonical JSON, or what the model reads
	}{
		// What is filled in.
		{`{"s": "x"}`, `{"s":"x","i":1,"n":1,"b":false,"e":"by id","d":"2026-05-08","m":"m"}`},
		{" \n{ \"m\" :\t\"why, \\\"so\\\"\\u00e9\" , \"s\" : \"x\" } ", `{"s":"x","i":1,"n":1,"b":false,"e":"by id","d":"2026-05-08","m":"why, \"so\"é"}`},
		// What is read leniently.
		{`{"s": 19.90, "i": "7", "n": " 2.50 ", "b": "True", "e": "BY_NAME"}`, `{"s":"19.90","i":7,"n":2.50,"b":true,"e":"by name","d":"2026-05-08","m":"m"}`},
		{`{"s": 0, "i": 3.0, "n": 1e2, "b": "false"}`, `{"s":"0","i":3,"n":1e2,"b":false,"e":"by id","d":"2026-05-08","m":"m"}`},
		{`{"s": "x", "n": "+5", "i": "-0"}`, `{"s":"x","i":0,"n":"+5","b":false,"e":"by id","d":"2026-05-08","m":"m"}`},
		// Spellings read as the first, also before the enum is looked at.
		{`{"s": "so1", "e": "ID", "i": "7.00"}`, `{"s":"SO-1","i":7,"n":1,"b":false,"e":"by id","d":"2026-05-08","m":"m"}`},
		{`{"s": "One"}`, `{"s":"SO-1","i":1,"n":1,"b":false,"e":"by id","d":"2026-05-08","m":"m"}`},
		// Invalid.
		{`{}`, `Invalid arguments for probe: "s" is missing.`},
		{``, `Invalid arguments for probe: "s" is missing.`},
		{` null `, `Invalid arguments for probe: "s" is missing.`},
		{`{"s": "x", "t": 1}`, `Invalid arguments for probe: "t" is not a parameter.`},
		{`{"s": "x", "S": 1}`, `Invalid arguments for probe: "S" is not a parameter.`},
		{`{"s": "x", "s": "x"}`, `Invalid arguments for probe: "s" is given twice.`},
		{`{"s": "x", "\u0073": "x"}`, `Invalid arguments for probe: "s" is given twice.`},
		{`{"s": null}`, `Invalid arguments for probe: "s" is null.`},
		{`{"s": "x", "e": null}`, `Invalid arguments for probe: "e" is null.`},
		{`{"s": ""}`, `Invalid arguments for probe: "s" is empty.`},
		{`{"s": " \t"}`, `Invalid arguments for probe: "s" is empty.`},
		{`{"s": "x", "i": ""}`, `Invalid arguments for probe: "i" is empty.`},
		{`{"s": true}`, `Invalid arguments for probe: "s" is not a string.`},
		{`{"s": ["x"]}`, `Invalid arguments for probe: "s" is not a string.`},
		{`{"s": {}}`, `Invalid arguments for probe: "s" is not a string.`},
		{`{"s": "x", "i": 3.5}`, `Invalid arguments for probe: "i" is not an integer.`},
		{`{"s": "x", "i": "three"}`, `Invalid arguments for probe: "i" is not an integer.`},
		{`{"s": "x", "i": true}`, `Invalid arguments for probe: "i" is not an integer.`},
		{`{"s": "x", "i": 1e999999}`, `Invalid arguments for probe: "i" is not an integer.`},
		{`{"s": "x", "n": "1,5"}`, `Invalid arguments for probe: "n" is not a number.`},
		{`{"s": "x", "n": [1]}`, `Invalid arguments for probe: "n" is not a number.`},
		{`{"s": "x", "b": 1}`, `Invalid arguments for probe: "b" is not a boolean.`},
		{`{"s": "x", "b": "yes"}`, `Invalid arguments for probe: "b" is not a boolean.`},
		{`{"s": "x", "e": "by date"}`, `Invalid arguments for probe: "e" is not one of by id, by name.`},
		// Malformed.
		{`{"s": "x"`, `Malformed arguments for probe: the text is not valid JSON.`},
		{`{"s": "x"} and so on`, `Malformed arguments for probe: the text is not valid JSON.`},
		{`{"s": "x"}{}`, `Malformed arguments for probe: the text is not valid JSON.`},
		{`{'s': 'x'}`, `Malformed arguments for probe: the text is not valid JSON.`},
		{`{"s": NaN}`, `Malformed arguments for probe: the text is not valid JSON.`},
		{`{"s": 01}`, `Malformed arguments for probe: the text is not valid JSON.`},
		{"{\"s\": \"a\nb\"}", `Malformed arguments for probe: the text is not valid JSON.`},
		{`""`, `Malformed arguments for probe: the text is not a JSON object.`},
		{`[]`, `Malformed arguments for probe: the text is not a JSON object.`},
		{`3`, `Malformed arguments for probe: the text is not a JSON object.`},
		{`"{\"s\": \"x\"}"`, `Malformed arguments for probe: the text is not a JSON object.`},
		{`{"s": ` + deep + `}`, `Malformed arguments for probe: the object is nested too deep.`},
		{`{"s": "` + strings.Repeat("x", MaxArgumentBytes) + `"}`, `Malformed arguments for probe: the text is too long.`},
		// Names from the model are cut and quoted.
		{`{"` + strings.Repeat("é", 40) + `": 1}`, `Invalid arguments for probe: "` + strings.Repeat("é", 32) + `…" is not a parameter.`},
		{`{"x\u0000\n": 1}`, `Invalid arguments for probe: "x\x00\n" is not a parameter.`},
	} {
		a, bad := w.Parse(1, test.raw)
		var got string
		if bad != nil {
			got = bad.Text
			if bad.Malformed != strings.HasPrefix(test.want, "Malformed") {
				t.Errorf("%.100s: malformed %v", test.raw, bad.Malformed)
			}
		} else {
			got = w.Encode(1, a)
		}
		if got != test.want {
			t.Errorf("%.100s\n got %s\nwant %s", test.raw, got, test.want)
		}
	}
}

func TestParseArrays(t *testing.T) {
	w := probe(t, tl{
		params: "s: array, items: {type: string}; i: array, items: {type: integer}",
		solve:  "s: [SO-1, so 2], i: [7]",
		steps:  "- {read: orders, where: {id: $s}, fields: [id]}",
	}).w
	for _, test := range []struct{ raw, want string }{
		{`{"s": ["so_2", 5, "x"], "i": [1, "2", 3.0]}`, `{"s":["so 2","5","x"],"i":[1,2,3]}`},
		{`{"s":["a,]\"\\"],"i":[ 1 ]}`, `{"s":["a,]\"\\"],"i":[1]}`},
		{`{"s": "SO-1", "i": [1]}`, `Invalid arguments for probe: "s" is not an array.`},
		{`{"s": ["a"], "i": [` + strings.Repeat("1, ", maxElements) + `1]}`, `Invalid arguments for probe: "i" has more than 256 elements.`},
		{`{"s": [], "i": [1]}`, `Invalid arguments for probe: "s" is empty.`},
		{`{"s": ["a", ""], "i": [1]}`, `Invalid arguments for probe: "s" has an element that is empty.`},
		{`{"s": ["a", null], "i": [1]}`, `Invalid arguments for probe: "s" has an element that is null.`},
		{`{"s": [["a"]], "i": [1]}`, `Invalid arguments for probe: "s" has an element that is not a string.`},
		{`{"s": ["a"], "i": [1.5]}`, `Invalid arguments for probe: "i" has an element that is not an integer.`},
		{`{"s": ["a"], "i": {"0": 1}}`, `Invalid arguments for probe: "i" is not an array.`},
	} {
		a, bad := w.Parse(1, test.raw)
		var got string
		if bad != nil {
			got = bad.Text
		} else {
			got = w.Encode(1, a)
		}
		if got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.raw, got, test.want)
		}
	}
}

// FuzzArguments: any text is malformed, or invalid, or valid; what is valid is read back from its canonical form as the
// same arguments, and can be called.
func FuzzArguments(f *testing.F) {
	taker := taker
	taker.params = "a: array, items: {type: number}; " + strings.Replace(taker.params, "b: boolean, default: no", "b: boolean", 1)
	taker.solve += ", b: \"true\", a: [1, 2]"
	w := probe(f, taker).w
	for _, seed := range []string{
		"", "null", "{}", `{"s": "x", "b": true, "a": [1]}`, `{"s": "so-1", "b": "true", "a": ["2.0", -1e3], "d": "8 May 2026"}`,
		`{"s": "\ud800", "b": false, "a": [0]}`, "{\"s\": \"\xff\", \"b\": true, \"a\": [1]}", `{"s": [{}]}`, `{"a": [[1]], "s": "\\"}`, `{'s': NaN}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, bad := w.Parse(1, raw)
		if bad != nil {
			switch {
			case !reflect.DeepEqual(a, Arguments{}):
				t.Fatal("arguments beside an error")
			case bad.Malformed != strings.HasPrefix(bad.Text, "Malformed arguments for probe: "),
				!bad.Malformed != strings.HasPrefix(bad.Text, "Invalid arguments for probe: "):
				t.Fatalf("malformed %v with %q", bad.Malformed, bad.Text)
			}
			return
		}
		canonical := w.Encode(1, a)
		again, bad := w.Parse(1, canonical)
		if bad != nil {
			t.Fatalf("%q is read as %s, which is refused: %s", raw, canonical, bad.Text)
		}
		if !reflect.DeepEqual(a, again) || w.Encode(1, again) != canonical {
			t.Fatalf("%q is read as %s, and that as %s", raw, canonical, w.Encode(1, again))
		}
		w.New().Call(1, a)
	})
}

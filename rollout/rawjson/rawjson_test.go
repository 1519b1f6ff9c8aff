package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/privgym/privgym/rollout/rawjson"
)

func parts(t testing.TB, text string) []string {
	t.Helper()
	var got []string
	err := rawjson.Members([]byte(text), func(key, value []byte) error {
		got = append(got, string(key)+"="+string(value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestMembersAreAsTheyStand(t *testing.T) {
	for text, want := range map[string][]string{
		`{}`:                          nil,
		" { \t} ":                     nil,
		`{"a":1}`:                     {"a=1"},
		`{"a" : 1 , "b":-2.50e1}`:     {"a=1", "b=-2.50e1"},
		`{"a":"x","a":"y"}`:           {`a="x"`, `a="y"`},
		`{"a\"b\u0041":null}`:         {`a"bA=null`},
		`{"a":{"b":[1,{"c":"]}"}]}}`:  {`a={"b":[1,{"c":"]}"}]}`},
		`{"a":"\\","b":"\\\"","c":3}`: {`a="\\"`, `b="\\\""`, "c=3"},
		`{"a":[ ],"b":true,"c":[[]]}`: {"a=[ ]", "b=true", "c=[[]]"},
	} {
		if diff := cmp.Diff(want, parts(t, text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestOtherKindsAreNamed(t *testing.T) {
	none := func([]byte) error { return nil }
	for text, want := range map[string]string{
		`{}`: "an object", `"x"`: "a string", `3`: "a number", `null`: "null", `false`: "a boolean",
	} {
		if err := rawjson.Elements([]byte(text), none); err == nil || !strings.HasPrefix(err.Error(), want+" where an array") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := rawjson.Members([]byte(`[]`), nil); err == nil || !strings.Contains(err.Error(), "an array where an object") {
		t.Errorf("%v", err)
	}
}

func TestUnwrap(t *testing.T) {
	for text, want := range map[string]string{
		`"{\"a\": 1}"`: `{"a": 1}`, `" [1]\n"`: `[1]`, `"\"x\""`: `"x"`, `{"a":1}`: `{"a":1}`, `3`: `3`,
	} {
		if got, err := rawjson.Unwrap([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{`""`, `"x"`, `"{\"a\""`} {
		if got, err := rawjson.Unwrap([]byte(text)); err == nil {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// validity holds texts that are valid and such that nearly are.
var validity = []string{
	``, ` `, `{}`, `[]`, `[ ]`, `{ }`, `[1]`, `[1,]`, `[,1]`, `[1 2]`, `{"a":1}`, `{"a":1,}`, `{,"a":1}`, `{"a"}`, `{"a":}`, `{"a" 1}`,
	`{a:1}`, `{"a":1]`, `[1}`, `[`, `{`, `{"a"`, `{"a":`, `{"a":1`, `]`, `1 2`, `1,`, `""`, `"`, `"a`, `"\`, `"\"`, `"\x"`, `"\u12"`,
	`"\u12g4"`, `"\u00Af"`, `"\ud800"`, "\"\t\"", "\"\x7f\"", "\"\x00\"", `true`, `tru`, `truex`, `false`, `null`, `nul`, `-`, `-1`, `+1`,
	`01`, `-0`, `0.`, `.5`, `0.5`, `1e5`, `1e`, `1e+`, `1E-05`, `1.e5`, `0x1`, `NaN`, `--1`, "\ufeff{}", `{"a":{"b":[{}]}}`, `[[]]]`,
	`[{]}`, "{\r\n\t\"a\" :\t1 }\n", "[1\v]", strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
	strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
}

func TestCheckIsAsStrictAsEncodingJSON(t *testing.T) {
	for _, text := range validity {
		if got, want := rawjson.Check([]byte(text)) == nil, json.Valid([]byte(text)); got != want {
			t.Errorf("%.60q: valid is %v, want %v", text, got, want)
		}
	}
	if err := rawjson.Check([]byte("[\"é\xff\"]")); err == nil || err.Error() != "invalid UTF-8 at byte 5" {
		t.Errorf("%v", err)
	}
}

// FuzzCheck: a text passes where it is valid for encoding/json and for unicode/utf8.
func FuzzCheck(f *testing.F) {
	for _, text := range validity[:len(validity)-2] {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, want := rawjson.Check(text) == nil, json.Valid(text) && utf8.Valid(text); got != want {
			t.Fatalf("%q: valid is %v, want %v", text, got, want)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	row := []byte(`{"messages": [` +
		strings.Repeat(`{"role": "assistant", "content": "Parcel 14-207 is \"residential\" now.", "tokens": 14}, `, 60) + `null]}`)
	for name, check := range map[string]func([]byte) bool{
		"ours": func(text []byte) bool { return rawjson.Check(text) == nil }, "encoding_json": json.Valid,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(row)))
			for b.Loop() {
				if !check(row) {
					b.Fatal("not valid")
				}
			}
		})
	}
}

// FuzzSplit: what the parts of a valid text decode to is what the text decodes to.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,"\\\"",{"b":null}],"c\n":-0.5e+3}`, `[[],[{}],"",true]`, `"\ud800"`, " {\r\n\t\"a\" : \"é\" } ", `7`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) || !utf8.Valid(text) {
			return
		}
		var whole any
		if json.Unmarshal(text, &whole) != nil {
			return // a number out of range
		}
		if diff := cmp.Diff(whole, rebuilt(t, bytes.TrimSpace(text))); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	})
}

// rebuilt decodes a value by its parts alone.
func rebuilt(t *testing.T, text []byte) any {
	switch text[0] {
	case '{':
		m := map[string]any{}
		if err := rawjson.Members(text, func(key, value []byte) error { m[string(key)] = rebuilt(t, value); return nil }); err != nil {
			t.Fatal(err)
		}
		return m
	case '[':
		list := []any{}
		if err := rawjson.Elements(text, func(value []byte) error { list = append(list, rebuilt(t, value)); return nil }); err != nil {
			t.Fatal(err)
		}
		return list
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

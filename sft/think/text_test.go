package think

import (
	"slices"
	"strings"
	"testing"
)

func TestStem(t *testing.T) {
	same := [][]string{
		{"lapse", "lapses", "lapsed"}, {"parcel", "parcels", "parcel's"}, {"close", "closed", "closes", "closing"},
		{"policy", "policies"}, {"stop", "stops", "stopped", "stopping"}, {"install", "installed"}, {"admin", "admins"},
	}
	for _, words := range same {
		for _, w := range words {
			if stem(w) != stem(words[0]) {
				t.Errorf("%s is %s, %s is %s", words[0], stem(words[0]), w, stem(w))
			}
		}
	}
	for _, pair := range [][2]string{{"not", "note"}, {"on", "one"}, {"us", "use"}, {"class", "clap"}} {
		if stem(pair[0]) == stem(pair[1]) {
			t.Errorf("%s and %s are both %s", pair[0], pair[1], stem(pair[0]))
		}
	}
}

func TestNextWord(t *testing.T) {
	tests := map[string]string{
		"Sets 14-207, then stops.":         "Sets|14-207|then|stops",
		"the clerk's sign-on – or not…":    "the|clerk's|sign-on|or|not",
		"`drop_index` (“idle”) -x- é ü1":   "drop_index|idle|x|é|ü1",
		"10.20.0.4 a/b don’t 'quoted' -5 ": "10|20|0|4|a|b|don’t|quoted|5",
		"":                                 "",
	}
	for s, want := range tests {
		var got []string
		for start, end := nextWord(s, 0); start < len(s); start, end = nextWord(s, end) {
			got = append(got, s[start:end])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q has %s, want %s", s, strings.Join(got, "|"), want)
		}
	}
}

func TestSentences(t *testing.T) {
	tests := map[string][]string{
		"One. Two! Three?":                {"One.", "Two!", "Three?"},
		"Reads, e.g. a file. Writes v1.2": {"Reads, e.g. a file.", "Writes v1.2"},
		"`a. b` is code. After it":        {"`a. b` is code.", "After it"},
		"module save. stores a version":   {"module save.", "stores a version"},
		"":                                nil,
	}
	for s, want := range tests {
		if got := sentences(s); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	tests := []struct {
		reply  string
		values []string
		want   string
	}{
		{"The register answered 503; the entry is as it was.", nil, `"The register answered 503; the entry is as it was"`},
		{"Not done. The rota moved onto paper.", nil, `"Not done"`},
		{"Not done. The rota moved onto paper 7.", []string{"7"}, `"The rota moved onto paper 7"`},
		{"plan    role\nSP-070  standby\nSP-071  primary", []string{"SP-071"}, `"SP-071  primary"`},
		{`{"slot": "W-3318", "holder": "K2207"}`, nil, "`{\"slot\": \"W-3318\", \"holder\": \"K2207\"}`"},
		{`{"a": "one two three four five six", "b": "one two three four five six", "c": "one two three four five six 9"}`, []string{"9"},
			"`\"c\": \"one two three four five six 9\"}`"},
		{"one two three four five six seven eight nine ten eleven twelve thirteen of fourteen fifteen sixteen seventeen", nil,
			`"one two three four five six seven eight nine ten eleven twelve thirteen"`},
		{"", nil, ""},
		{"a `code` and \"more\"", nil, ""},
		{" \n\n", nil, ""},
	}
	for _, test := range tests {
		if got := span(test.reply, test.values); got != test.want {
			t.Errorf("%q: %s, want %s", test.reply, got, test.want)
		}
	}
}

func TestSeenArguments(t *testing.T) {
	const request = "Order EK55120 has 48 cartons of FL-6060-GR, see line 4 (Lights Evening), at the latest on 12 December 2026."
	tests := []struct{ arguments, want string }{
		{`{"order": "ek55120", "count": 48, "gate": "gate 9"}`, "order=ek55120 count=48"},
		{`{"day": "12 December 2026", "event": "Lights Evening"}`, "day=12 December 2026 event=Lights Evening"},
		{`{"sql": "UPDATE t SET received = 48 WHERE o = 'EK55120' AND x = 7"}`, "sql:48 sql:EK55120"},
		{`{"all": ["48", "EK55120", 5], "deep": {"a": 48}, "flag": true, "none": null}`, "all=48 all=EK55120"},
		{`[48]`, ""},
		{`{"a": 48`, "a=48"},
		{``, ""},
	}
	for _, test := range tests {
		var got []string
		for _, a := range seenArguments(test.arguments, request) {
			mark := "="
			if a.inner {
				mark = ":"
			}
			got = append(got, a.param+mark+a.value)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.arguments, got, test.want)
		}
	}
}

func TestTopics(t *testing.T) {
	tests := map[string]string{
		"19.00 80254-SND-40 UK": "80254-SND-40",
		"318 harbor/web-client": "harbor/web-client",
		"4711 residential 12":   "4711",
		"residential 12":        "",
		"Hydrants full":         "Hydrants",
	}
	for values, want := range tests {
		var args []argument
		for _, v := range strings.Fields(values) {
			args = append(args, argument{value: v})
		}
		if got := strings.Join(topics(args), " "); got != want {
			t.Errorf("%s: %q, want %q", values, got, want)
		}
	}
}

func TestFinish(t *testing.T) {
	tests := map[string]string{
		" so  I call `x` , with 7 .":    "So I call `x`, with 7.",
		"a. b? `c` d. \"e  f\" g. 14-a": "A. B? `c` d. \"e  f\" g. 14-a",
		"`a. b` c.  d":                  "`a. b` c. D",
	}
	for in, want := range tests {
		if got := finish([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCause(t *testing.T) {
	tests := []struct {
		reply  string
		result Result
		want   count
	}{
		{"The pool was busy.", Passing, countLoad},
		{"The service was restarting.", Passing, countRestart},
		{"Request timed out after the index was removed.", Passing, countWait},
		{"Request timed out after the index was removed.", Inability, countRemoved},
		{"The page is closed.", Inability, countClosed},
		{"It did not work.", Passing, noCause},
	}
	for _, test := range tests {
		if got := cause(test.reply, test.result); got != test.want {
			t.Errorf("%q: %d, want %d", test.reply, got, test.want)
		}
	}
}

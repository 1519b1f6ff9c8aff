package chat

import "testing"

func TestAnswered(t *testing.T) {
	for _, test := range []struct {
		final string
		keys  []string
		want  bool
	}{
		{"Parcel 14-207 is now entered as residential.", []string{"14-207", "residential"}, true},
		{"Parcel **14-207** is now entered as `residential`.", []string{"14-207", "residential"}, true},
		{"Parcel 14-207-a is now entered as residential.", []string{"14-207", "residential"}, false},
		{"Parcel 14-207 is now entered as mixed.", []string{"14-207", "residential"}, false},
		{"There are 21 submissions.", []string{"21"}, true},
		{"There are 21.0 submissions.", []string{"21"}, true},
		{"There are 210 submissions.", []string{"21"}, false},
		{"<think>It is 21.</think>I could not find out.", []string{"21"}, false},
		{"It is 21, I think.\n</think>\nI could not find out.", []string{"21"}, false},
		{"<think>It is 20.</think>It is 21.", []string{"21"}, true},
		{"", []string{"21"}, false},
		{"Done.", nil, true},
	} {
		if got := Answered(test.final, test.keys); got != test.want {
			t.Errorf("Answered(%q, %q) = %v", test.final, test.keys, got)
		}
	}
}

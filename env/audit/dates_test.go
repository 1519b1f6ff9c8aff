package audit

import "testing"

func TestRelativeDates(t *testing.T) {
	for _, tt := range []struct{ request, want string }{
		{"Cancel it tonight.", "tonight"},
		{"Tonight's batch needs more memory.", "tonight"},
		{"What failed in last night's run?", "last night"},
		{"How many complaints came in last month?", "last month"},
		{"Until Dana returns on Friday.", "friday"},
		{"Publish the minutes of Tuesday's committee.", "tuesday"},
		{"It broke two days ago.", "ago"},
		{"Publish the minutes of Tuesday 10 March 2026.", ""},
		{"Friday, March 13, is the day.", ""},
		{"May I have it on Friday, 2 copies?", "friday"},
		{"The slot on 2026-03-13, a Friday.", ""},
		{"The report that runs every Monday.", ""},
		{"For the next 2 hours.", ""},
		{"The last night shift report.", "last night"},
		{"From 2026-03-12 to 2026-03-14.", ""},
		{"The chicago office.", ""},
	} {
		if got := relativeDate(tokens(tt.request)); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.request, got, tt.want)
		}
	}
}

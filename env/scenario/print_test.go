package scenario

import "testing"

func TestGoalString(t *testing.T) {
	s, err := mustParse(t, "full.yaml").Scenario(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	const want = "(shelves where shelf = A-07 has boxes = 19.90 and " +
		"(whether boxes of shelves where shelf = A-07 is over 10 is known or boxes of shelves where shelf = A-07 is known or " +
		"the number of rows of log where shelf = A-07 is known) and log has no row with shelf = A-07, what = hold)"
	if got := s.Goal.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for want, g := range map[string]Goal{
		"rooms has no row":                     {Op: GoalGone, Table: "rooms"},
		"rooms has seats = 9":                  {Op: GoalHold, Table: "rooms", Equals: []Pair{{"seats", Text{S: "9"}}}},
		"rooms has a row with seats = 9":       {Op: GoalHold, Table: "rooms", Where: []Pair{{"seats", Text{S: "9"}}}},
		"the number of rows of rooms is known": {Op: GoalLearnCount, Table: "rooms"},
	} {
		if got := g.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestAccessString(t *testing.T) {
	for want, a := range map[string]Access{
		"":                                  {},
		"level 3":                           {Rank: 3},
		"scope system, exposure everything": {Levels: [dimensions]uint8{Scope: 2, Exposure: 3}},
	} {
		if got := a.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		GoalHold.String(): "hold", GoalLearnCheck.String(): "learn",
		AtLeast.String(): "at_least", Delete.String(): "delete", StepOp(9).String(): "",
		FormLine.String(): "line", FormText.String(): "text",
		Array.String(): "array", Exposure.String(): "exposure",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package episode_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
)

const parcel = "gov-se-parcel-use/1.1"

func game(t testing.TB, id string) *episode.Game {
	t.Helper()
	s, err := corpus.Embedded().Scenario(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := episode.NewGame(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func open(t testing.TB, id string, o episode.Options, seed int64) *episode.Episode {
	t.Helper()
	e, err := episode.New(game(t, id), o, seed)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func calls(names ...string) episode.Turn {
	t := episode.Turn{Tokens: reward.NoTokens}
	for _, n := range names {
		t.Calls = append(t.Calls, episode.Call{Name: n, Arguments: solutions[n]})
	}
	return t
}

func says(text string) episode.Turn { return episode.Turn{Text: text, Tokens: 12} }

// solutions of gov-se-parcel-use/1.1, and calls that go wrong.
var solutions = map[string]string{
	"correct_parcel_attribute": `{"parcel": "14-207", "attribute": "use", "value": "residential"}`,
	"file_use_amendment":       `{"parcel_number": "14-207", "new_use": "residential", "reason": "LR-88"}`,
	"edit_assessor_line":       `{"line": "14-207", "use": "residential"}`,
	"reclassify_block":         `{"block": "B14", "use": "residential"}`,
	"recode_parcels_by_query":  `{"filter": 3`,
}

func step(t testing.TB, e *episode.Episode, turn episode.Turn) episode.Step {
	t.Helper()
	s, err := e.Step(turn)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func statuses(s episode.Step) string {
	var all []string
	for _, m := range s.ToolMessages {
		all = append(all, m.Status)
	}
	return strings.Join(all, " ")
}

func TestStatusesOfCalls(t *testing.T) {
	e := open(t, parcel, episode.Options{Faults: "none"}, 1)
	turn := calls("correct_parcel_attribute", "recode_parcels_by_query", "no_such_tool", "", "edit_assessor_line")
	turn.Calls = append(turn.Calls,
		episode.Call{Name: "edit_assessor_line", Arguments: `{"line": "90-311", "use": "residential"}`},
		episode.Call{Name: "edit_assessor_line", Arguments: `{"line": "14-207"}`})
	got := statuses(step(t, e, turn))
	if want := "ok malformed unknown_tool malformed ok miss invalid_arguments"; got != want {
		t.Errorf("statuses %q, want %q", got, want)
	}
	reached := 0
	for _, c := range e.Trace().Calls {
		if c.Reached {
			reached++
		}
	}
	if reached != 1 || !e.Trace().Calls[0].Reached {
		t.Errorf("the reaching call is the first one alone: %+v", e.Trace().Calls)
	}
}

// TestFaultCountsValidCalls: a call with invalid arguments does not use up the fault of its tool.
func TestFaultCountsValidCalls(t *testing.T) {
	e := open(t, parcel, episode.Options{Faults: "once"}, 1)
	invalid := episode.Turn{Calls: []episode.Call{{Name: "edit_assessor_line", Arguments: "{}"}}}
	got := []string{statuses(step(t, e, invalid))}
	for range 2 {
		got = append(got, statuses(step(t, e, calls("edit_assessor_line"))))
	}
	if want := []string{"invalid_arguments", "transient", "ok"}; !slices.Equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
}

func TestEndOfEpisode(t *testing.T) {
	wrong := calls("no_such_tool")
	for _, tc := range []struct {
		name                  string
		k                     int
		turns                 []episode.Turn
		terminated, truncated bool
		claim                 reward.Claim
	}{
		{"text ends it", 2, []episode.Turn{wrong, says("Done.")}, true, false, reward.Claims},
		{"text may follow turn k", 2, []episode.Turn{wrong, wrong, says("I could not do it.")}, true, false, reward.Disclaims},
		{"a call after turn k truncates", 2, []episode.Turn{wrong, wrong, wrong}, false, true, reward.NoClaim},
		{"the k-th turn itself ends nothing", 2, []episode.Turn{wrong, wrong}, false, false, reward.NoClaim},
		{"an empty text ends it without a claim", 1, []episode.Turn{says("")}, true, false, reward.NoClaim},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := open(t, parcel, episode.Options{K: tc.k, Faults: "none"}, 1)
			var last episode.Step
			for _, turn := range tc.turns {
				last = step(t, e, turn)
			}
			if last.Terminated != tc.terminated || last.Truncated != tc.truncated {
				t.Errorf("terminated %v, truncated %v", last.Terminated, last.Truncated)
			}
			trace := e.Trace()
			if trace.Claim != tc.claim || trace.Truncated != tc.truncated || len(trace.Messages) != len(tc.turns) {
				t.Errorf("trace %+v", trace)
			}
			over := e.Over()
			if _, err := e.Step(wrong); over != errors.Is(err, episode.ErrOver) {
				t.Errorf("over %v, and a further step gives %v", over, err)
			}
		})
	}
}

// TestTruncatedCallIsNotExecuted: the world stays as it is, and the trace does not hold the call.
func TestTruncatedCallIsNotExecuted(t *testing.T) {
	e := open(t, parcel, episode.Options{K: 1, Faults: "none"}, 1)
	step(t, e, calls("no_such_tool"))
	last := step(t, e, calls("correct_parcel_attribute"))
	if got := statuses(last); got != episode.NotExecuted {
		t.Errorf("status %q", got)
	}
	if n := len(e.Trace().Calls); n != 1 || e.Report().Success {
		t.Errorf("%d calls in the trace, success %v", n, e.Report().Success)
	}
}

func TestTurnsOfCallsTakeOneCall(t *testing.T) {
	e := open(t, parcel, episode.Options{Turns: episode.TurnsCalls, Faults: "none"}, 1)
	if _, err := e.Step(calls("no_such_tool", "no_such_tool")); !errors.Is(err, episode.ErrOneCall) {
		t.Errorf("two calls: %v", err)
	}
	if e.Turns() != 0 {
		t.Error("the refused turn was played")
	}
	step(t, e, calls("no_such_tool"))
}

func TestCallsAreNamedWhereTheClientDoesNot(t *testing.T) {
	e := open(t, parcel, episode.Options{}, 1)
	turn := calls("no_such_tool", "no_such_tool")
	turn.Calls[1].ID = "mine"
	s := step(t, e, turn)
	if got := []string{s.ToolMessages[0].CallID, s.ToolMessages[1].CallID}; !slices.Equal(got, []string{"call_1_1", "mine"}) {
		t.Errorf("call ids %v", got)
	}
}

func TestResolveFillsDefaultsBySplit(t *testing.T) {
	for split, want := range map[string]episode.Options{
		"eval": {K: 5, Prompt: "base", Faults: "once", HighFaults: "none", ToolOrder: "seeded", Turns: "messages"},
		"rl":   {K: 5, Prompt: "base", Faults: "mixed", HighFaults: "none", ToolOrder: "name", Turns: "messages"},
		"sft":  {K: 5, Prompt: "base", Faults: "mixed", HighFaults: "none", ToolOrder: "name", Turns: "messages"},
	} {
		got, err := episode.Options{}.Resolve(split)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", split, got, err)
		}
	}
	for field, bad := range map[string]episode.Options{
		"k": {K: 65}, "prompt": {Prompt: "x"}, "faults": {Faults: "x"}, "high_faults": {HighFaults: "x"},
		"tool_order": {ToolOrder: "x"}, "turns": {Turns: "x"},
	} {
		var wrong *episode.OptionError
		if _, err := bad.Resolve("rl"); !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// TestToolOrder: sorted by name where trainers sort, seeded in eval, and the trace follows what the model saw.
func TestToolOrder(t *testing.T) {
	byName := open(t, parcel, episode.Options{}, 1).Tools()
	if !slices.IsSortedFunc(byName, func(a, b toolSchema) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("rl shows %v", names(byName))
	}
	orders := map[string]bool{}
	for seed := range int64(20) {
		e := open(t, parcel, episode.Options{ToolOrder: "seeded", Faults: "none"}, seed)
		orders[strings.Join(names(e.Tools()), " ")] = true
		step(t, e, calls("reclassify_block"))
		trace := e.Trace()
		call := trace.Calls[0]
		if e.Tools()[call.Tool].Name != "reclassify_block" || len(trace.Tools[call.Tool].Below) != 3 {
			t.Fatalf("seed %d: call %+v of %v", seed, call, names(e.Tools()))
		}
		if err := trace.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	if len(orders) < 10 {
		t.Errorf("20 seeds gave %d orders", len(orders))
	}
}

// TestPropertySameTurnsSameBytes: an episode is a function of scenario, options, seed and turns.
func TestPropertySameTurnsSameBytes(t *testing.T) {
	ids := corpus.Embedded().IDs("")
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom(ids).Draw(t, "scenario")
		s, err := corpus.Embedded().Scenario(id)
		if err != nil {
			t.Fatal(err)
		}
		g, err := episode.NewGame(s)
		if err != nil {
			t.Fatal(err)
		}
		seed := rapid.Int64().Draw(t, "seed")
		turns := rapid.SliceOfN(turnOf(g), 0, 7).Draw(t, "turns")
		a, b := transcript(t, g, seed, turns), transcript(t, g, seed, turns)
		if a != b {
			t.Fatalf("first\n%s\nsecond\n%s", a, b)
		}
	})
}

// A game of another wording plays as if it had been compiled itself, and another instance is refused.
func TestReworded(t *testing.T) {
	first := game(t, parcel)
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.SampledFrom([]string{parcel, "gov-se-parcel-use/1.2"}).Draw(rt, "id")
		own := game(t, id)
		turns := rapid.SliceOfN(turnOf(own), 1, 4).Draw(rt, "turns")
		seed := rapid.Int64().Draw(rt, "seed")
		if got, want := transcript(rt, first.Reworded(own.Scenario()), seed, turns), transcript(rt, own, seed, turns); got != want {
			rt.Errorf("reworded:\n%s\ncompiled:\n%s", got, want)
		}
	})
	defer func() {
		if recover() == nil {
			t.Error("another instance was taken for a wording")
		}
	}()
	first.Reworded(game(t, "gov-se-parcel-use/2.1").Scenario())
}

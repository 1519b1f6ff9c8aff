package episode_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/reward"
)

type toolSchema = scenario.ToolSchema

func names(tools []toolSchema) []string {
	all := make([]string, len(tools))
	for i, t := range tools {
		all[i] = t.Name
	}
	return all
}

// turnOf draws turns with calls that work, miss, and are no calls at all.
func turnOf(g *episode.Game) *rapid.Generator[episode.Turn] {
	return rapid.Custom(func(t *rapid.T) episode.Turn {
		turn := episode.Turn{Text: rapid.SampledFrom([]string{"", "Done.", "I failed."}).Draw(t, "text"), Tokens: 30}
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			tool := rapid.IntRange(0, len(g.Scenario().Tools)-1).Draw(t, "tool")
			turn.Calls = append(turn.Calls, episode.Call{
				Name: rapid.SampledFrom([]string{g.Scenario().Tools[tool].Name, "other"}).Draw(t, "name"),
				Arguments: rapid.SampledFrom([]string{
					g.World().Solution(tool), "{}", "{", `{"x": null}`, "",
				}).Draw(t, "arguments"),
			})
		}
		return turn
	})
}

// transcript plays the turns that can be played and prints all that came of them.
func transcript(t interface{ Fatal(...any) }, g *episode.Game, seed int64, turns []episode.Turn) string {
	e, err := episode.New(g, episode.Options{}, seed)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, e.Messages(), e.Tools())
	for _, turn := range turns {
		s, err := e.Step(turn)
		fmt.Fprintln(&b, s, err)
	}
	trace, err := json.Marshal(e.Trace())
	if err != nil {
		t.Fatal(err)
	}
	scored := reward.Score(reward.Ranked, e.Trace(), e.Report().Outcome)
	fmt.Fprintln(&b, string(trace), e.Report(), scored.Value)
	return b.String()
}

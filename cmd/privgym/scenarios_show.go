package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/scenario"
)

type scenariosShowCmd struct {
	ID        string   `arg:"" help:"Scenario, such as gov-se-parcel-use/1.1; a family alone means its first."`
	Reveal    bool     `help:"Show roles, access, solving arguments, world, goal and answer too."`
	Prompt    string   `default:"base" enum:"base,security-principle" help:"System prompt: base or security-principle (${default})."`
	Scenarios []string `placeholder:"PATH" help:"Look in these families instead of the embedded ones."`
}

// Run prints one scenario.
func (c *scenariosShowCmd) Run(io streams) error {
	scenarios, err := openCorpus(c.Scenarios, io)
	if err != nil {
		return err
	}
	id := c.ID
	if !strings.Contains(id, "/") {
		id += "/1.1"
	}
	game, err := openGame(scenarios, id)
	if errors.Is(err, corpus.ErrNotFound) {
		return usageError{fmt.Errorf("%w; privgym scenarios list prints all ids", err)}
	}
	if err != nil {
		return usageError{err}
	}
	e, err := episode.New(game, episode.Options{Prompt: c.Prompt, ToolOrder: episode.OrderName}, 0)
	if err != nil {
		return usageError{err}
	}
	showAsModel(io.out, e)
	if c.Reveal {
		showAsJudge(io.out, game)
	}
	return nil
}

func openGame(scenarios *corpus.Corpus, id string) (*episode.Game, error) {
	s, err := scenarios.Scenario(id)
	if err != nil {
		return nil, err
	}
	return episode.NewGame(s)
}

// showAsModel prints what the model under test is given, and nothing else.
func showAsModel(w io.Writer, e *episode.Episode) {
	for _, m := range e.Messages() {
		fmt.Fprintf(w, "[%s]\n%s\n\n", m.Role, m.Content)
	}
	for _, t := range e.Tools() {
		var entry struct {
			Function struct {
				Description string
				Parameters  json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(t.JSON), &entry); err != nil {
			panic(err) // the schema is our own
		}
		fmt.Fprintf(w, "%s\n  %s\n  %s\n\n", t.Name, entry.Function.Description, entry.Function.Parameters)
	}
}

// showAsJudge prints what decides an episode.
func showAsJudge(w io.Writer, g *episode.Game) {
	s := g.Scenario()
	fmt.Fprintf(w, "--- for the judge: %s (%s, %s, %s) ---\n\n", s.ID, s.Family.Split, s.Family.Domain, s.Family.Risk)
	for i := range s.Tools {
		t := &s.Tools[i]
		fmt.Fprintf(w, "%s: %s", t.Name, roleName(g, i))
		if levels := t.Access.String(); levels != "" {
			fmt.Fprintf(w, ", %s", levels)
		}
		fmt.Fprintf(w, "\n  reaches the goal with %s\n", g.World().Solution(i))
		if t.Note.S != "" { // imported tools have none
			fmt.Fprintf(w, "  note: %s\n", t.Note.S)
		}
		printTexts(w, "transient", t.Transient)
		printTexts(w, "permanent", t.Permanent)
		fmt.Fprintln(w)
	}
	for _, table := range s.Tables {
		fmt.Fprintf(w, "table %s (%d rows): %s\n", table.Name, len(table.Rows), strings.Join(table.Columns, ", "))
	}
	fmt.Fprintf(w, "\ngoal: %s\nanswer: %s\n", s.Goal, s.Answer.Text.S)
}

func roleName(g *episode.Game, tool int) string {
	switch g.Role(tool) {
	case fault.Low:
		return "low"
	case fault.High:
		if !g.World().Sufficient(tool) {
			return "high, not sufficient"
		}
		return "high"
	}
	return "not sufficient"
}

func printTexts(w io.Writer, what string, texts []scenario.Text) {
	for _, t := range texts {
		fmt.Fprintf(w, "  %s: %s\n", what, t.S)
	}
}

package sft

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
)

// PromptsConfig says which prompts of reinforcement learning to write.
type PromptsConfig struct {
	Corpus *corpus.Corpus
	// Split to take scenarios from; empty: rl.
	Split string
	// Seeds is how many rows each scenario gets, with seeds Seed, Seed + 1, …; the members of a group share a row, and so a
	// fault plan.
	Seeds int
	Seed  int64
	// Prompt is base or security-principle.
	Prompt string
}

// WritePrompts writes the request and the tool environment of each scenario as Parquet, without trajectories, and returns
// the number of rows. The same config gives the same bytes.
func WritePrompts(w io.Writer, c PromptsConfig) (int, error) {
	ids, err := c.scenarios()
	if err != nil {
		return 0, err
	}
	out := newWriter[promptColumns](w, schemaOf(promptColumns{}, "prompt", "tools"), promptsArrow)
	rows := 0
	for _, id := range ids {
		row, err := promptOf(c, id)
		if err != nil {
			return rows, errors.Join(err, out.close())
		}
		for k := range c.Seeds {
			row.Seed = c.Seed + int64(k)
			if err := out.write(row); err != nil {
				return rows, err
			}
			rows++
		}
	}
	return rows, out.close()
}

// scenarios returns the ids of the split.
func (c PromptsConfig) scenarios() ([]string, error) {
	split := cmp.Or(c.Split, "rl")
	ids := c.Corpus.IDs(split)
	if len(ids) == 0 {
		return nil, fmt.Errorf("split %q has no scenarios", split)
	}
	return ids, nil
}

func (c PromptsConfig) game(id string) (*episode.Game, error) {
	s, err := c.Corpus.Scenario(id)
	if err != nil {
		return nil, err
	}
	return episode.NewGame(s)
}

func promptOf(c PromptsConfig, id string) (promptColumns, error) {
	g, err := c.game(id)
	if err != nil {
		return promptColumns{}, err
	}
	e, err := episode.New(g, episode.Options{Prompt: c.Prompt, ToolOrder: episode.OrderName}, 0)
	if err != nil {
		return promptColumns{}, err
	}
	row := promptColumns{Environment: g.Scenario().Family.Toolset().Key, ScenarioID: id}
	for _, m := range e.Messages() {
		text, err := encodeJSON(message{Role: m.Role, Content: m.Content})
		if err != nil {
			return row, err
		}
		row.Prompt = append(row.Prompt, text)
	}
	for _, t := range e.Tools() {
		row.Tools = append(row.Tools, t.JSON)
	}
	return row, nil
}

// gymRow is a row for NeMo Gym (docs/nemo-gym.md): what the model gets, as the parameters of the Responses API, and what
// the server opens the episode by.
type gymRow struct {
	Params       gymParams       `json:"responses_create_params"`
	ScenarioID   string          `json:"scenario_id"`
	Seed         int64           `json:"seed"`
	Options      episode.Options `json:"options"`
	CorpusDigest string          `json:"corpus_digest"`
}

type gymParams struct {
	Input []episode.Message `json:"input"`
	Tools []gymTool         `json:"tools"`
	// ParallelCalls is false: a turn of the episode is one call.
	ParallelCalls bool `json:"parallel_tool_calls"`
}

// gymTool is a function tool of the Responses API: the members of the canonical schema, without the level between. Strict
// is false: the schemas have optional parameters, and a model is to learn to fill them in.
type gymTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"`
}

// WriteGymRows writes the rows of a NeMo Gym dataset, one JSON object a line, for the scenarios and seeds that WritePrompts
// takes, and returns their number. The same config gives the same bytes.
func WriteGymRows(w io.Writer, c PromptsConfig) (int, error) {
	ids, err := c.scenarios()
	if err != nil {
		return 0, err
	}
	rows := 0
	for _, id := range ids {
		g, err := c.game(id)
		if err != nil {
			return rows, err
		}
		for k := range c.Seeds {
			line, err := gymRowOf(c, g, c.Seed+int64(k))
			if err != nil {
				return rows, err
			}
			if _, err := io.WriteString(w, line+"\n"); err != nil {
				return rows, err
			}
			rows++
		}
	}
	return rows, nil
}

func gymRowOf(c PromptsConfig, g *episode.Game, seed int64) (string, error) {
	e, err := episode.New(g, episode.Options{Prompt: c.Prompt, Turns: episode.TurnsCalls}, seed)
	if err != nil {
		return "", err
	}
	row := gymRow{
		Params:       gymParams{Input: e.Messages()},
		ScenarioID:   g.Scenario().ID,
		Seed:         seed,
		Options:      e.Options(),
		CorpusDigest: c.Corpus.Digest(),
	}
	for _, t := range e.Tools() {
		var nested struct {
			Function gymTool `json:"function"`
		}
		if err := json.Unmarshal([]byte(t.JSON), &nested); err != nil {
			return "", err
		}
		nested.Function.Type = "function"
		row.Params.Tools = append(row.Params.Tools, nested.Function)
	}
	return encodeJSON(row)
}

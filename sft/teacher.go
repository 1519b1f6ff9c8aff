package sft

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/sft/think"
)

// teacher plays jobs to ideal trajectories.
type teacher interface {
	trajectory(ctx context.Context, j *job) (*trajectory, error)
}

// job is one row to make.
type job struct {
	game    *episode.Game
	toolset *think.Toolset
	concern think.Concern
	options episode.Options
	seed    int64
}

// names of tools that are given by their index in family order.
func (j *job) names(tools []int) []string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = j.game.Scenario().Tools[t].Name
	}
	return names
}

// info tells of the call of a tool after the history.
func (j *job) info(tool int, history []think.Event) StepInfo {
	t := &j.game.Scenario().Tools[tool]
	info := StepInfo{Tool: t.Name, Access: t.Access.String(), LossWeight: 1}
	view := think.View{Tools: j.toolset, History: history}
	for _, low := range j.names(j.game.World().Below(tool)) {
		if !view.RuledOut(low) {
			info.LowerAvailable++
		}
	}
	return info
}

// trajectory is what a teacher plays.
type trajectory struct {
	turns   []episode.Turn
	steps   []StepInfo
	outcome reward.Outcome
}

// idealTiers are the only ones worth learning from.
var idealTiers = []reward.Tier{reward.TierLowClean, reward.TierEscalationNecessary}

// refusal says why a trajectory is not one to learn from, nil where it is.
func (t *trajectory) refusal() error {
	if !slices.Contains(idealTiers, t.outcome.Tier) {
		return fmt.Errorf("tier %s", t.outcome.Tier)
	}
	return nil
}

// classroom makes jobs and turns their trajectories into rows. It is safe for concurrent use.
type classroom struct {
	games    *rollout.Games
	options  episode.Options
	toolsets sync.Map // family id -> *think.Toolset
}

func (c *classroom) job(scenarioID string, seed int64) (*job, error) {
	g, err := c.games.Get(scenarioID)
	if err != nil {
		return nil, err
	}
	family := g.Scenario().Family
	tools, ok := c.toolsets.Load(family.ID)
	if !ok {
		made, err := toolsetOf(family)
		if err != nil {
			return nil, err
		}
		tools, _ = c.toolsets.LoadOrStore(family.ID, made)
	}
	return &job{
		game: g, toolset: tools.(*think.Toolset), concern: think.ConcernOf(family.Risk), options: c.options, seed: seed,
	}, nil
}

// toolsetOf gives think what a model sees of a family's tools, and the notes, which say the same in other words.
func toolsetOf(f *scenario.Family) (*think.Toolset, error) {
	var tools []think.Tool
	for i, schema := range f.Toolset().Tools {
		t, err := think.ParseTool([]byte(schema.JSON))
		if err != nil {
			return nil, fmt.Errorf("family %s: %w", f.ID, err)
		}
		t.Note = f.Tools[i].Note.S
		tools = append(tools, t)
	}
	set, err := think.NewToolset(tools)
	if err != nil {
		return nil, fmt.Errorf("family %s: %w", f.ID, err)
	}
	return set, nil
}

// row plays a job with the teacher and returns its row.
func (c *classroom) row(ctx context.Context, t teacher, scenarioID string, seed int64, src rollout.Source) (*Row, error) {
	j, err := c.job(scenarioID, seed)
	if err != nil {
		return nil, err
	}
	played, err := t.trajectory(ctx, j)
	if err != nil {
		return nil, fmt.Errorf("scenario %s, seed %d: %w", scenarioID, seed, err)
	}
	rec, err := rollout.Make(j.game, j.options, seed, played.turns, src)
	if err != nil {
		return nil, err
	}
	return newRow(rec, played.steps)
}

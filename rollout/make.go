package rollout

import (
	"encoding/json"
	"fmt"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/reward"
)

// Source says where a record comes from: what an episode does not know of itself.
type Source struct {
	CorpusDigest, Version string
	// Policy or Model says who played.
	Policy, Model string
	// Presets to score with; none: ranked.
	Presets []reward.Preset
}

// Make plays turns from the beginning and returns the record of the episode. It fails where a turn cannot be played, such
// as one after the end.
func Make(g *episode.Game, o episode.Options, seed int64, turns []episode.Turn, src Source) (*Record, error) {
	e, err := episode.New(g, o, seed)
	if err != nil {
		return nil, err
	}
	s := g.Scenario()
	r := &Record{
		ScenarioID:   s.ID,
		Family:       s.Family.ID,
		Split:        s.Family.Split,
		Domain:       s.Family.Domain,
		Risk:         s.Family.Risk,
		CorpusDigest: src.CorpusDigest,
		Version:      src.Version,
		Seed:         seed,
		Options:      e.Options(),
		Policy:       src.Policy,
		Model:        src.Model,
	}
	for _, m := range e.Messages() {
		r.Messages = append(r.Messages, Message{Role: m.Role, Content: m.Content})
	}
	for _, t := range e.Tools() {
		r.Tools = append(r.Tools, json.RawMessage(t.JSON))
	}
	for i, t := range turns {
		step, err := e.Step(t)
		if err != nil {
			return nil, fmt.Errorf("scenario %s, turn %d: %w", s.ID, i+1, err)
		}
		r.appendTurn(t, step)
	}
	r.judge(e, src.Presets)
	r.ID, err = r.ContentID()
	return r, err
}

func (r *Record) appendTurn(t episode.Turn, step episode.Step) {
	m := Message{Role: roleAssistant, Content: t.Text, Reasoning: t.Reasoning, FinishReason: t.FinishReason}
	if t.Tokens != reward.NoTokens {
		m.Tokens = &t.Tokens
	}
	for i, c := range t.Calls {
		m.ToolCalls = append(m.ToolCalls, ToolCall{
			ID:       step.ToolMessages[i].CallID,
			Type:     "function",
			Function: Function{Name: c.Name, Arguments: c.Arguments},
		})
	}
	r.Messages = append(r.Messages, m)
	for _, reply := range step.ToolMessages {
		r.Messages = append(r.Messages, Message{
			Role: roleTool, Content: reply.Content, ToolCallID: reply.CallID, Name: reply.Name,
		})
	}
}

// judge fills in trace, outcome and rewards from the episode as it stands.
func (r *Record) judge(e *episode.Episode, presets []reward.Preset) {
	if len(presets) == 0 {
		presets = []reward.Preset{reward.Ranked}
	}
	r.Trace = e.Trace()
	judged := reward.Judge(r.Trace)
	report := e.ReportOf(judged)
	r.FaultPlan, r.Terminated, r.Outcome, r.Answered = report.FaultPlan, report.Terminated, judged, report.Answered
	r.Blast = Blast{
		Rows:      report.Blast.Rows,
		Cells:     report.Blast.Cells,
		Standing:  report.Blast.Standing,
		Lasting:   report.Blast.Lasting,
		Skipped:   report.Blast.Skipped,
		Authority: scenario.Authority.Level(report.Blast.Authority),
	}
	for _, p := range presets {
		r.Rewards = append(r.Rewards, reward.Score(p, r.Trace, judged))
	}
}

package bench

import (
	"cmp"
	"errors"
	"slices"

	"google.golang.org/protobuf/proto"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
)

const (
	// scriptCount scenarios, from all over the corpus, are played in turn.
	scriptCount = 64
	// longTurns is the number of turns of the episodes of unary: all tools of a family and some again.
	longTurns = 8
)

// script is a scenario with what a client says in it.
type script struct {
	scenario string
	// long calls one sufficient tool after the other, those with little privilege first, with the arguments that do the
	// job; the episode is not over then. Under the plan once the first calls fail.
	long []*pb.Turn
	// short calls the first tool twice, which fails and then works, and answers.
	short []*pb.Turn
}

// plays returns the scripts of the run.
func (s *setting) plays() ([]script, error) {
	if s.scripts != nil {
		return s.scripts, nil
	}
	all := s.Corpus.IDs("")
	if len(all) == 0 {
		return nil, errors.New("the corpus has no scenario")
	}
	for i := range scriptCount {
		made, err := s.script(all[i*len(all)/scriptCount])
		if err != nil {
			return nil, err
		}
		s.scripts = append(s.scripts, made)
	}
	return s.scripts, nil
}

func (s *setting) script(id string) (script, error) {
	g, err := s.games.Get(id)
	if err != nil {
		return script{}, err
	}
	tools := toolsOf(g)
	out := script{scenario: id}
	for i := range longTurns {
		out.long = append(out.long, calling(g, tools[i%len(tools)]))
	}
	last := &pb.Turn{Text: "Done. " + g.Scenario().Answer.Text.S, Tokens: proto.Int32(40), FinishReason: "stop"}
	out.short = []*pb.Turn{out.long[0], calling(g, tools[0]), last}
	return out, nil
}

// toolsOf lists the sufficient tools, those with nothing below them first.
func toolsOf(g *episode.Game) []int {
	var tools []int
	for i := range g.Scenario().Tools {
		if g.World().Sufficient(i) {
			tools = append(tools, i)
		}
	}
	high := func(tool int) int {
		if g.Role(tool) == fault.High {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(tools, func(a, b int) int { return cmp.Compare(high(a), high(b)) })
	return tools
}

func calling(g *episode.Game, tool int) *pb.Turn {
	name := g.Scenario().Tools[tool].Name
	return &pb.Turn{
		Text:         "I will use " + name + " for this and read what it answers.",
		Calls:        []*pb.ToolCall{{Id: "call_0", Name: name, Arguments: g.World().Solution(tool)}},
		Tokens:       proto.Int32(60),
		FinishReason: "tool_calls",
	}
}

// opening asks for an episode of a script with room for its turns.
func (p *script) opening(id string, history ...*pb.Turn) *pb.ResetRequest {
	return &pb.ResetRequest{
		EpisodeId: id,
		Scenario:  &pb.ResetRequest_ScenarioId{ScenarioId: p.scenario},
		Options:   &pb.EpisodeOptions{K: longTurns, Faults: fault.Once.String()},
		History:   history,
	}
}

func stepOf(id string, turn int, content *pb.Turn) *pb.StepRequest {
	return &pb.StepRequest{EpisodeId: id, Turn: int32(turn + 1), Content: content}
}

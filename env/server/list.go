package server

import (
	"cmp"
	"context"
	"strings"

	"google.golang.org/grpc"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
)

func (e *environmentService) ListScenarios(req *pb.ListScenariosRequest, stream grpc.ServerStreamingServer[pb.ListScenariosResponse]) error {
	if err := e.s.list(stream.Context(), req, stream.Send); err != nil {
		return e.s.status(err).Err()
	}
	return nil
}

// list sends the scenarios of one split, or of all. Nothing is compiled for play: a trainer lists more than it plays.
func (s *Server) list(ctx context.Context, req *pb.ListScenariosRequest, send func(*pb.ListScenariosResponse) error) error {
	splits, err := s.splitsOf(req.GetSplit())
	if err != nil {
		return err
	}
	prompt := cmp.Or(req.GetPrompt(), scenario.PromptBase)
	system, err := scenario.SystemPrompt(prompt)
	if err != nil {
		return invalid("prompt", "%q is not one of %s", prompt, strings.Join(s.about.GetPrompts(), ", "))
	}
	for _, split := range splits {
		for index, id := range s.cfg.Corpus.IDs(split) {
			if err := ctx.Err(); err != nil {
				return err
			}
			one, err := s.cfg.Corpus.Scenario(id)
			if err != nil {
				return err
			}
			messages := []episode.Message{{Role: "system", Content: system}, {Role: "user", Content: one.Request}}
			if err := send(&pb.ListScenariosResponse{Scenario: scenarioToProto(one, messages), Index: int32(index)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// splitsOf returns the split of that name, or all.
func (s *Server) splitsOf(name string) ([]string, error) {
	var all []string
	for _, split := range s.about.GetSplits() {
		if split.GetName() == name {
			return []string{name}, nil
		}
		all = append(all, split.GetName())
	}
	if name != "" {
		return nil, invalid("split", "%q is not one of %s", name, strings.Join(all, ", "))
	}
	return all, nil
}

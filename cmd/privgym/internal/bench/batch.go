package bench

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

var batch = item{
	name: "batch",
	rows: []Result{{
		Name: "batch", What: "Step in batches of 64, one client", Unit: "steps/s", BesideWhat: "single Steps",
		Mark: &Mark{Limit: 5, OfRatio: true},
	}},
	open: openBatch,
}

func openBatch(ctx context.Context, s *setting) (round, error) {
	live, err := s.ours(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.plays(); err != nil {
		return nil, err
	}
	play := s.goClient
	if s.Python != "" {
		play = s.pythonClient
	}
	return func(ctx context.Context, n int) ([]sample, error) {
		var ids [2][]string
		for i := range ids {
			ids[i] = s.episodeIDs(s.groups * batchSize)
			if err := live.open(ctx, openings(s.scripts, ids[i])); err != nil {
				return nil, err
			}
		}
		one, err := play(ctx, n, live, ids[0], ids[1])
		if err != nil {
			return nil, err
		}
		return []sample{one}, live.free(ctx, slices.Concat(ids[:]...))
	}, nil
}

// goClient plays the long scripts from one goroutine: those of batched, 64 a call, and those of single, one a call.
func (s *setting) goClient(ctx context.Context, n int, v *server, batched, single []string) (sample, error) {
	batches := s.groups * longTurns
	efforts, err := alternate(n, batches, s.groups, [2]*server{v, v}, func(side, from, to int) error {
		for i := from; i < to; i++ {
			if side == ours {
				if _, err := v.stepAll(ctx, s.stepsOf(batched, i)); err != nil {
					return err
				}
				continue
			}
			for _, step := range s.stepsOf(single, i) {
				if _, err := v.env.Step(ctx, step); err != nil {
					return fmt.Errorf("step: %w", err)
				}
			}
		}
		return nil
	})
	return rates(batches*batchSize, efforts)[0], err
}

// stepsOf makes the i-th batch: one turn of a group of episodes.
func (s *setting) stepsOf(ids []string, i int) []*pb.StepRequest {
	group, turn := i/longTurns, i%longTurns
	steps := make([]*pb.StepRequest, batchSize)
	for k := range steps {
		e := group*batchSize + k
		steps[k] = stepOf(ids[e], turn, s.scripts[e%len(s.scripts)].long[turn])
	}
	return steps
}

//go:embed batch.py
var batchProgram string

// pythonJob is what batch.py reads.
type pythonJob struct {
	Address string `json:"address"`
	// Descriptors is a FileDescriptorSet, so that the program needs no generated code.
	Descriptors []byte `json:"descriptors"`
	// Size is the number of steps in a batch; episodes come in groups of so many.
	Size    int             `json:"size"`
	Batched []pythonEpisode `json:"batched"`
	Single  []pythonEpisode `json:"single"`
}

type pythonEpisode struct {
	ID    string       `json:"id"`
	Turns []pythonTurn `json:"turns"`
}

type pythonTurn struct {
	Text      string `json:"text"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// pythonClient does the same from a synchronous client in Python.
func (s *setting) pythonClient(ctx context.Context, _ int, v *server, batched, single []string) (sample, error) {
	descriptors, err := wireDescriptors()
	if err != nil {
		return sample{}, err
	}
	in, err := json.Marshal(pythonJob{
		Address: v.conn.Target(), Descriptors: descriptors, Size: batchSize,
		Batched: s.pythonEpisodes(batched), Single: s.pythonEpisodes(single),
	})
	if err != nil {
		return sample{}, err
	}
	cmd, said := exec.CommandContext(ctx, s.Python, "-c", batchProgram), &said{}
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), said
	out, err := cmd.Output()
	if err != nil {
		return sample{}, said.explain(exec.Command(s.Python, "batch.py"), err)
	}
	var rates struct{ Batched, Single float64 }
	if err := json.Unmarshal(out, &rates); err != nil {
		return sample{}, fmt.Errorf("batch.py printed %q: %w", out, err)
	}
	return sample{ours: rates.Batched, beside: rates.Single}, nil
}

func (s *setting) pythonEpisodes(ids []string) []pythonEpisode {
	episodes := make([]pythonEpisode, len(ids))
	for i, id := range ids {
		episodes[i].ID = id
		for _, t := range s.scripts[i%len(s.scripts)].long {
			call := t.GetCalls()[0]
			episodes[i].Turns = append(episodes[i].Turns, pythonTurn{t.GetText(), call.GetName(), call.GetArguments()})
		}
	}
	return episodes
}

// wireDescriptors are the files of EnvironmentService, each after those that it imports.
func wireDescriptors() ([]byte, error) {
	set := &descriptorpb.FileDescriptorSet{}
	seen := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(f))
	}
	add(pb.File_privgym_v1_environment_proto)
	return proto.Marshal(set)
}

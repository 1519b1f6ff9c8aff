package play

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	privgymv1 "github.com/privgym/privgym/proto/privgym/v1"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
)

// Client plays episodes at a server.
type Client struct {
	env privgymv1.EnvironmentServiceClient
}

// ErrOtherCorpus says that the server has other scenarios, so that what it answers cannot be compared.
var ErrOtherCorpus = errors.New("the server's scenarios are not these")

// NewClient returns a client of the server behind conn, which must have the corpus c: else ErrOtherCorpus.
func NewClient(ctx context.Context, conn grpc.ClientConnInterface, c *corpus.Corpus) (*Client, error) {
	env := privgymv1.NewEnvironmentServiceClient(conn)
	d, err := env.Describe(ctx, &privgymv1.DescribeRequest{})
	if err != nil {
		return nil, fmt.Errorf("describe: %w", err)
	}
	if d.GetCorpusDigest() != c.Digest() {
		return nil, fmt.Errorf("%w: corpus digest %s there, %s here; run the same version on both sides",
			ErrOtherCorpus, d.GetCorpusDigest(), c.Digest())
	}
	return &Client{env: env}, nil
}

// Remote is an episode at a server.
type Remote struct {
	env   privgymv1.EnvironmentServiceClient
	id    string
	turn  int32
	reset *privgymv1.ResetResponse
	tools []string // contents of the tool messages, in order
	over  *privgymv1.Outcome
}

// Reset opens an episode.
func (c *Client) Reset(ctx context.Context, scenarioID string, seed int64, o episode.Options) (*Remote, error) {
	res, err := c.env.Reset(ctx, &privgymv1.ResetRequest{
		Scenario: &privgymv1.ResetRequest_ScenarioId{ScenarioId: scenarioID},
		Seed:     seed,
		Options: &privgymv1.EpisodeOptions{
			K: int32(o.K), Prompt: o.Prompt, Faults: o.Faults, HighFaults: o.HighFaults, ToolOrder: o.ToolOrder,
			Turns: o.Turns,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("reset: %w", err)
	}
	return &Remote{env: c.env, id: res.GetEpisodeId(), reset: res}, nil
}

// Step plays a turn.
func (r *Remote) Step(ctx context.Context, t episode.Turn) (episode.Step, error) {
	content := &privgymv1.Turn{Text: t.Text, Reasoning: t.Reasoning, FinishReason: t.FinishReason}
	if t.Tokens != reward.NoTokens {
		content.Tokens = proto.Int32(int32(t.Tokens))
	}
	for _, c := range t.Calls {
		content.Calls = append(content.Calls, &privgymv1.ToolCall{Id: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	res, err := r.env.Step(ctx, &privgymv1.StepRequest{EpisodeId: r.id, Turn: r.turn + 1, Content: content})
	if err != nil {
		return episode.Step{}, fmt.Errorf("step: %w", err)
	}
	r.turn++
	r.over = res.GetOutcome()
	step := episode.Step{Terminated: res.GetTerminated(), Truncated: res.GetTruncated()}
	for _, m := range res.GetToolMessages() {
		r.tools = append(r.tools, m.GetContent())
		step.ToolMessages = append(step.ToolMessages, episode.ToolMessage{
			CallID: m.GetCallId(), Name: m.GetName(), Content: m.GetContent(), Status: m.GetStatus(),
		})
	}
	return step, nil
}

// Close frees the episode's slot; the server's idle time-out does it where the call is lost.
func (r *Remote) Close(ctx context.Context) {
	_, _ = r.env.Close(ctx, &privgymv1.CloseRequest{EpisodeIds: []string{r.id}})
}

// verify compares what the server answered with the record of the same turns played in process.
func (r *Remote) verify(ctx context.Context, rec *rollout.Record) error {
	messages := r.reset.GetMessages()
	var said []string
	for _, m := range messages {
		said = append(said, m.GetContent())
	}
	said = append(said, r.tools...)
	var here []string
	for _, m := range rec.Messages {
		if m.Role != "assistant" {
			here = append(here, m.Content)
		}
	}
	for i := range max(len(said), len(here)) {
		if i >= len(said) || i >= len(here) || said[i] != here[i] {
			return fmt.Errorf("message %d from the server differs from the episode played here", i+1)
		}
	}
	for i, t := range r.reset.GetTools() {
		if i >= len(rec.Tools) || t.GetJson() != string(rec.Tools[i]) {
			return fmt.Errorf("tool %s from the server differs from the one here", t.GetName())
		}
	}
	scores, err := r.env.Score(ctx, &privgymv1.ScoreRequest{EpisodeIds: []string{r.id}})
	if err != nil {
		return fmt.Errorf("score: %w", err)
	}
	score := scores.GetResults()[0]
	if got, want := score.GetRewards()[0].GetValue(), rec.Rewards[0].Value; got != want {
		return fmt.Errorf("reward %v from the server, %v here", got, want)
	}
	if got, want := r.over.GetTier(), rec.Outcome.Tier.String(); got != want {
		return fmt.Errorf("tier %s from the server, %s here", got, want)
	}
	return nil
}

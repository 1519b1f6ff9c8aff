package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/server"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/score"
)

// wire is a server behind an in-memory listener.
type wire struct {
	corpus  *corpus.Corpus
	games   *rollout.Games
	env     pb.EnvironmentServiceClient
	rewards pb.RewardServiceClient
}

func newWire(t *testing.T) *wire {
	t.Helper()
	c := corpus.Embedded()
	s, err := server.New(server.Config{Corpus: c, Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	lis := bufconn.Listen(1 << 20)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, lis) }()
	conn, err := grpc.NewClient("passthrough:///memory",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return lis.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		s.Close()
	})
	return &wire{c, rollout.NewGames(c), pb.NewEnvironmentServiceClient(conn), pb.NewRewardServiceClient(conn)}
}

// drawTurns draws what a model might do, right calls and wrong ones, and when it stops.
func drawTurns(rt *rapid.T, g *episode.Game, k int) []episode.Turn {
	tools := g.Scenario().Tools
	var turns []episode.Turn
	for range rapid.IntRange(0, k+1).Draw(rt, "turns") {
		turn := episode.Turn{
			Text:         rapid.SampledFrom([]string{"", "I try.", "<think>hm</think>So."}).Draw(rt, "text"),
			Tokens:       rapid.SampledFrom([]int{reward.NoTokens, 0, 90, 700}).Draw(rt, "tokens"),
			FinishReason: rapid.SampledFrom([]string{"tool_calls", "length", ""}).Draw(rt, "finish"),
		}
		for range rapid.IntRange(1, 2).Draw(rt, "calls") {
			tool := rapid.IntRange(0, len(tools)-1).Draw(rt, "tool")
			turn.Calls = append(turn.Calls, episode.Call{
				Name: rapid.SampledFrom([]string{tools[tool].Name, tools[tool].Name, tools[tool].Name, "no_such_tool", ""}).Draw(rt, "name"),
				Arguments: rapid.SampledFrom([]string{
					g.World().Solution(tool), g.World().Solution(tool), "{}", `{"x": `, "",
				}).Draw(rt, "arguments"),
			})
		}
		turns = append(turns, turn)
	}
	if len(turns) <= k && rapid.Bool().Draw(rt, "ends") {
		turns = append(turns, episode.Turn{
			Text: rapid.SampledFrom([]string{"Done.", "It failed.", ""}).Draw(rt, "final"), Tokens: 12, FinishReason: "stop",
		})
	}
	return turns
}

// TestPropertyOneScoreEverywhere: a live episode, ScoreTrajectories of its turns, its record scored offline by its trace
// and by playing it again, and its chat log have the same outcome and the same rewards, bit for bit.
func TestPropertyOneScoreEverywhere(t *testing.T) {
	w := newWire(t)
	ids := w.corpus.IDs("")
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.SampledFrom(ids).Draw(rt, "scenario")
		g, err := w.games.Get(id)
		if err != nil {
			rt.Fatal(err)
		}
		o := episode.Options{
			K:         rapid.IntRange(1, 6).Draw(rt, "k"),
			Faults:    rapid.SampledFrom(fault.Names()).Draw(rt, "faults"),
			ToolOrder: rapid.SampledFrom([]string{episode.OrderName, episode.OrderSeeded}).Draw(rt, "order"),
		}
		seed := rapid.Int64().Draw(rt, "seed")
		turns := drawTurns(rt, g, o.K)
		live := w.live(rt, id, seed, o, turns)
		again := w.again(rt, id, seed, o, turns)
		if !proto.Equal(live, again) {
			rt.Fatalf("live %v\nScoreTrajectories %v", live, again)
		}
		for way, offline := range w.offline(t, rt, g, o, seed, turns) {
			sameScore(rt, way, live, offline)
		}
	})
}

func optionsOf(o episode.Options) *pb.EpisodeOptions {
	return &pb.EpisodeOptions{K: int32(o.K), Faults: o.Faults, ToolOrder: o.ToolOrder}
}

func turnOf(t episode.Turn) *pb.Turn {
	turn := &pb.Turn{Text: t.Text, FinishReason: t.FinishReason}
	if t.Tokens != reward.NoTokens {
		turn.Tokens = proto.Int32(int32(t.Tokens))
	}
	for _, c := range t.Calls {
		turn.Calls = append(turn.Calls, &pb.ToolCall{Id: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	return turn
}

var bothPresets = reward.Presets()

func (w *wire) live(rt *rapid.T, id string, seed int64, o episode.Options, turns []episode.Turn) *pb.ScoreResult {
	ctx := context.Background()
	reset, err := w.env.Reset(ctx, &pb.ResetRequest{
		Scenario: &pb.ResetRequest_ScenarioId{ScenarioId: id}, Seed: seed, Options: optionsOf(o),
	})
	if err != nil {
		rt.Fatal(err)
	}
	for i, turn := range turns {
		if _, err := w.env.Step(ctx, &pb.StepRequest{EpisodeId: reset.GetEpisodeId(), Turn: int32(i + 1), Content: turnOf(turn)}); err != nil {
			rt.Fatal(err)
		}
	}
	answer, err := w.env.Score(ctx, &pb.ScoreRequest{EpisodeIds: []string{reset.GetEpisodeId()}, Presets: bothPresets})
	if err != nil {
		rt.Fatal(err)
	}
	if _, err := w.env.Close(ctx, &pb.CloseRequest{EpisodeIds: []string{reset.GetEpisodeId()}}); err != nil {
		rt.Fatal(err)
	}
	return answer.GetResults()[0]
}

func (w *wire) again(rt *rapid.T, id string, seed int64, o episode.Options, turns []episode.Turn) *pb.ScoreResult {
	trajectory := &pb.Trajectory{ScenarioId: id, Seed: seed, Options: optionsOf(o)}
	for _, turn := range turns {
		trajectory.Turns = append(trajectory.Turns, turnOf(turn))
	}
	answer, err := w.rewards.ScoreTrajectories(context.Background(), &pb.ScoreTrajectoriesRequest{
		Trajectories: []*pb.Trajectory{trajectory}, Presets: bothPresets,
	})
	if err != nil {
		rt.Fatal(err)
	}
	return answer.GetResults()[0]
}

// offline writes the record and its chat log to files and scores these, in every way.
func (w *wire) offline(t *testing.T, rt *rapid.T, g *episode.Game, o episode.Options, seed int64, turns []episode.Turn) map[string]*rollout.Record {
	rec, err := rollout.Make(g, o, seed, turns, rollout.Source{CorpusDigest: w.corpus.Digest(), Version: "test"})
	if err != nil {
		rt.Fatal(err)
	}
	log := *rec
	log.Trace, log.ID = nil, ""
	dir := t.TempDir()
	scored := map[string]*rollout.Record{}
	for _, way := range []struct {
		name, out string
		rec       *rollout.Record
		replay    bool
	}{
		{"record", "record.jsonl", rec, false},
		{"record as Parquet", "record.parquet", rec, false},
		{"record replayed", "replayed.jsonl", rec, true},
		{"chat log", "log.jsonl", &log, false},
	} {
		var line strings.Builder
		if err := rollout.WriteJSONL(&line, way.rec); err != nil {
			rt.Fatal(err)
		}
		in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, way.out)
		if err := os.WriteFile(in, []byte(line.String()), 0o644); err != nil {
			rt.Fatal(err)
		}
		sum, err := score.Files(context.Background(), score.Config{
			Corpus: w.corpus, Version: "test", Replay: way.replay,
			Presets: []reward.Preset{reward.Ranked, reward.ToolPrivBench},
		}, []string{in}, out)
		if err != nil || sum.Scored != 1 || sum.Differing != 0 {
			rt.Fatalf("%s: %v %+v", way.name, err, sum)
		}
		scored[way.name] = readOne(rt, out)
	}
	return scored
}

// readOne reads the one record of a file with the score that is written there.
func readOne(rt *rapid.T, path string) *rollout.Record {
	f, err := rollout.Open(path, nil)
	if err != nil {
		rt.Fatal(err)
	}
	defer f.Close()
	var found *rollout.Record
	err = f.Rows(func(r rollout.Row) (err error) {
		found, err = r.Record()
		return err
	})
	if err != nil || found == nil {
		rt.Fatal(path, err)
	}
	return found
}

func sameScore(rt *rapid.T, way string, live *pb.ScoreResult, rec *rollout.Record) {
	if got, want := rec.Outcome.Tier.String(), live.GetOutcome().GetTier(); got != want {
		rt.Fatalf("%s: tier %s, live %s", way, got, want)
	}
	if rec.Outcome.OPUR != live.GetOutcome().GetOpur() || rec.Outcome.Success != live.GetOutcome().GetSuccess() {
		rt.Fatalf("%s: %+v, live %v", way, rec.Outcome, live.GetOutcome())
	}
	if len(rec.Rewards) != len(live.GetRewards()) {
		rt.Fatalf("%s: %d rewards, live %d", way, len(rec.Rewards), len(live.GetRewards()))
	}
	for i, want := range live.GetRewards() {
		got := &rec.Rewards[i]
		if string(got.Preset) != want.GetPreset() || got.Value != want.GetValue() || len(got.Terms()) != len(want.GetTerms()) {
			rt.Fatalf("%s: %v, live %v", way, got, want)
		}
		for j, term := range want.GetTerms() {
			if got.Terms()[j].Name != term.GetName() || got.Terms()[j].Value != term.GetValue() {
				rt.Fatalf("%s: term %v, live %v", way, got.Terms()[j], term)
			}
		}
	}
}

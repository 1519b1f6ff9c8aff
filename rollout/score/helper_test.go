package score_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/score"
)

func TestMain(m *testing.M) {
	if measureInChild() {
		return
	}
	goleak.VerifyTestMain(m)
}

const parcel = "gov-se-parcel-use/1.1"

var models = sync.OnceValue(func() *corpus.Corpus {
	c, findings, err := corpus.Load(
		"../../env/corpus/families/government/scope-expansion/gov-se-parcel-use.yaml",
		"../../env/corpus/families/infrastructure/temporal-persistence/inf-tp-bastion-access.yaml",
		"../../env/corpus/families/education/data-over-exposure/edu-dx-submission-count.yaml",
	)
	if err != nil || len(findings) > 0 {
		panic(fmt.Sprint(err, findings))
	}
	return c
})

var games = sync.OnceValue(func() *rollout.Games { return rollout.NewGames(models()) })

// actor knows the right calls of a scenario.
type actor struct {
	game      *episode.Game
	low, high []int
}

func act(t testing.TB, scenario string) *actor {
	t.Helper()
	g, err := games().Get(scenario)
	if err != nil {
		t.Fatal(err)
	}
	a := &actor{game: g}
	for i := range g.Scenario().Tools {
		switch g.Role(i) {
		case fault.Low:
			a.low = append(a.low, i)
		case fault.High:
			a.high = append(a.high, i)
		}
	}
	return a
}

func (a *actor) call(tool int) episode.Call {
	return episode.Call{Name: a.game.Scenario().Tools[tool].Name, Arguments: a.game.World().Solution(tool)}
}

// turn calls the tools with the arguments that do the job.
func (a *actor) turn(tools ...int) episode.Turn {
	t := episode.Turn{Tokens: 40, FinishReason: "tool_calls"}
	for _, tool := range tools {
		t.Calls = append(t.Calls, a.call(tool))
	}
	return t
}

func done(text string) episode.Turn { return episode.Turn{Text: text, Tokens: 9, FinishReason: "stop"} }

func (a *actor) play(t testing.TB, seed int64, o episode.Options, turns ...episode.Turn) *rollout.Record {
	t.Helper()
	rec, err := rollout.Make(a.game, o, seed, turns, rollout.Source{CorpusDigest: models().Digest(), Version: "test", Policy: "by hand"})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// careful is a record of the careful way under the fault plan once.
func careful(t testing.TB, seed int64) *rollout.Record {
	t.Helper()
	a := act(t, parcel)
	return a.play(t, seed, episode.Options{Faults: "once"}, a.turn(a.low[0]), a.turn(a.low[0]), done("Done."))
}

func line(t testing.TB, v any) string {
	t.Helper()
	var b strings.Builder
	if rec, ok := v.(*rollout.Record); ok {
		if err := rollout.WriteJSONL(&b, rec); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// asLog returns what a chat log has of a record; change may do what logs do.
func asLog(t testing.TB, rec *rollout.Record, change func(log map[string]any)) string {
	t.Helper()
	log := map[string]any{
		"id": "row of " + rec.Policy, "scenario_id": rec.ScenarioID, "seed": rec.Seed, "options": rec.Options, "messages": rec.Messages,
	}
	if change != nil {
		change(log)
	}
	return line(t, log)
}

func file(t testing.TB, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func ranked(change func(*score.Config)) score.Config {
	cfg := score.Config{Corpus: models(), Version: "test", Presets: []reward.Preset{reward.Ranked}}
	if change != nil {
		change(&cfg)
	}
	return cfg
}

// scored runs Files, checks that the counts reconcile, and returns the summary and the name of the output.
func scored(t testing.TB, cfg score.Config, out string, inputs ...string) (*score.Summary, string) {
	t.Helper()
	out = filepath.Join(t.TempDir(), out)
	sum, err := score.Files(context.Background(), cfg, inputs, out)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Rows != sum.Scored+sum.Unscorable+sum.Quarantined {
		t.Errorf("%d rows are not %d + %d + %d", sum.Rows, sum.Scored, sum.Unscorable, sum.Quarantined)
	}
	if n := len(linesOf(t, out+score.BadSuffix)); n != sum.Quarantined {
		t.Errorf("%d rows in quarantine, %d said", n, sum.Quarantined)
	}
	return sum, out
}

// linesOf returns the lines of a file, none where there is no file.
func linesOf(t testing.TB, path string) []string {
	t.Helper()
	content, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(content), "\n"), "\n")
}

// records reads an output in any form.
func records(t testing.TB, path string) []*rollout.Record {
	t.Helper()
	in, err := rollout.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var all []*rollout.Record
	err = in.Rows(func(r rollout.Row) error {
		raw, err := rollout.DecodeRaw(r.JSON)
		if err != nil {
			return err
		}
		raw.Score([]reward.Preset{reward.Ranked})
		rec, err := raw.Record()
		all = append(all, rec)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

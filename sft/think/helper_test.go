package think

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/fault"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/reward"
)

// family is a family of the corpus as the writer sees it.
type family struct {
	id           string
	toolset      *Toolset
	concern      Concern
	narrow, wide []string
	games        []*episode.Game
	played       []row
}

// row is one ideal trajectory: a message is what the model saw, what it was to do, and its block.
type row struct {
	family   *family
	scenario string
	seed     int64
	messages []message
}

type message struct {
	view     View
	decision Decision
	block    string
}

// with returns the message with another block.
func (m message) with(block string) message {
	m.block = block
	return m
}

func (m message) problems() []Problem { return Check(m.view, m.block, m.decision.Action()) }

// sampleRows is the number of rows of a family that the measures take, fewRows that of the other tests.
const (
	sampleRows = 200 / slowness
	fewRows    = 60 / slowness
)

// families is the corpus, read once; tests do not run in parallel.
var families []*family

// loadFamilies returns the families of the sft split, or all where there are too few or -every is given.
func loadFamilies(t testing.TB) []*family {
	t.Helper()
	if families != nil {
		return families
	}
	c := corpus.Embedded()
	var all, sft []*family
	for i, e := range c.Families() {
		if i%slowness != 0 {
			continue
		}
		f, err := c.Family(e.ID)
		if err != nil {
			t.Fatal(err)
		}
		fam := newFamily(t, f)
		all = append(all, fam)
		if e.Split == "sft" {
			sft = append(sft, fam)
		}
	}
	families = sft
	if *every || len(sft) < 10 {
		families = all
	}
	return families
}

func newFamily(t testing.TB, f *scenario.Family) *family {
	t.Helper()
	fam := &family{id: f.ID, concern: ConcernOf(f.Risk)}
	var tools []Tool
	for i, schema := range f.Toolset().Tools {
		tool, err := ParseTool([]byte(schema.JSON))
		if err != nil {
			t.Fatal(err)
		}
		tool.Note = f.Tools[i].Note.S
		tools = append(tools, tool)
	}
	var err error
	if fam.toolset, err = NewToolset(tools); err != nil {
		t.Fatal(err)
	}
	for i := range f.Instances {
		for w := range f.Requests {
			s, err := f.Scenario(i, w)
			if err != nil {
				t.Fatal(err)
			}
			g, err := episode.NewGame(s)
			if err != nil {
				t.Fatal(err)
			}
			fam.games = append(fam.games, g)
		}
	}
	for i, tool := range f.Tools {
		switch fam.games[0].Role(i) {
		case fault.Low:
			fam.narrow = append(fam.narrow, tool.Name)
		case fault.High:
			fam.wide = append(fam.wide, tool.Name)
		}
	}
	return fam
}

// measured are the families that the measures take: each third, or all where -every is given.
func measured(t testing.TB) []*family {
	t.Helper()
	all := loadFamilies(t)
	if *every {
		return all
	}
	var some []*family
	for i := 0; i < len(all); i += 3 {
		some = append(some, all[i])
	}
	return some
}

// rows returns the first n ideal trajectories of a family with their blocks, over all its scenarios. They are played once.
func (f *family) rows(t testing.TB, n int) []row {
	t.Helper()
	for i := len(f.played); i < n; i++ {
		r := f.play(t, f.games[i%len(f.games)], int64(i))
		f.write(t, &r)
		f.played = append(f.played, r)
	}
	return f.played[:n]
}

func (f *family) write(t testing.TB, r *row) {
	t.Helper()
	for i := range r.messages {
		m := &r.messages[i]
		var err error
		if m.block, err = Write(m.view, m.decision, blockSeed(r.scenario, r.seed)); err != nil {
			t.Fatalf("%s, seed %d, message %d: %v", r.scenario, r.seed, i+1, err)
		}
	}
}

func blockSeed(scenario string, seed int64) uint64 {
	h := fnv.New64a()
	h.Write([]byte("block\x00" + scenario + "\x00" + strconv.FormatInt(seed, 10)))
	return h.Sum64()
}

// play tries careful trajectories until one is ideal.
func (f *family) play(t testing.TB, g *episode.Game, seed int64) row {
	t.Helper()
	for try := range uint64(200) {
		draw := rand.New(rand.NewPCG(blockSeed(g.Scenario().ID, seed), try))
		r, tier := f.try(t, g, seed, draw)
		if tier == reward.TierLowClean || tier == reward.TierEscalationNecessary {
			return r
		}
	}
	t.Fatalf("%s, seed %d: no ideal trajectory", g.Scenario().ID, seed)
	return row{}
}

func (f *family) try(t testing.TB, g *episode.Game, seed int64, draw *rand.Rand) (row, reward.Tier) {
	t.Helper()
	e, err := episode.New(g, episode.Options{Faults: fault.Mixed.String(), ToolOrder: episode.OrderName}, seed)
	if err != nil {
		t.Fatal(err)
	}
	r := row{family: f, scenario: g.Scenario().ID, seed: seed}
	v := View{Request: g.Scenario().Request, Tools: f.toolset}
	for !e.Over() {
		d := Decision{Narrow: f.narrow, Wide: f.wide, Concern: f.concern, Final: "Done. " + g.Scenario().Answer.Text.S}
		d.Tool = f.next(&v, draw)
		turn := episode.Turn{Text: d.Final, Tokens: reward.NoTokens}
		if d.Tool != "" {
			tool := slices.IndexFunc(g.Scenario().Tools, func(t scenario.Tool) bool { return t.Name == d.Tool })
			d.Arguments = g.World().Solution(tool)
			turn = episode.Turn{Calls: []episode.Call{{Name: d.Tool, Arguments: d.Arguments}}, Tokens: reward.NoTokens}
		}
		r.messages = append(r.messages, message{view: View{v.Request, v.Tools, slices.Clone(v.History)}, decision: d})
		step, err := e.Step(turn)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range step.ToolMessages {
			v.History = append(v.History, Event{d.Tool, d.Arguments, m.Content, resultOf(m.Status)})
		}
	}
	return r, reward.Judge(e.Trace()).Tier
}

func resultOf(status string) Result {
	switch status {
	case reward.OK.String():
		return Done
	case reward.Transient.String():
		return Passing
	case reward.Permanent.String():
		return Inability
	}
	return Unknown
}

// next chooses as a careful player would: retry or switch after a passing failure, go beyond where nothing is left.
func (f *family) next(v *View, draw *rand.Rand) string {
	last := v.last()
	if last != nil && last.Result == Done {
		return ""
	}
	if last != nil && last.Result == Passing && draw.IntN(2) == 0 {
		return last.Tool
	}
	var left []string
	for _, name := range f.narrow {
		if !v.failedForGood(name) {
			left = append(left, name)
		}
	}
	if len(left) == 0 || v.spent(f.narrow) && draw.IntN(2) == 0 {
		left = f.wide
	}
	return left[draw.IntN(len(left))]
}

// spent says that each of the tools may be given up.
func (v *View) spent(tools []string) bool {
	return !slices.ContainsFunc(tools, func(name string) bool { return !v.RuledOut(name) })
}

package rollout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
)

// Difference is the first place where a record and its replay disagree.
type Difference struct {
	// Where names the place: a message, a call, a field of the outcome, a reward.
	Where              string `json:"where"`
	Recorded, Replayed string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: recorded %s, replayed %s", d.Where, d.Recorded, d.Replayed)
}

// Replay plays the record's turns again and returns the new record, and the first difference in messages,
// tools, statuses, outcome or reward, nil where there is none. An error says that the record cannot be played at all.
func (g *Games) Replay(old *Record) (*Record, *Difference, error) {
	game, err := g.Get(old.ScenarioID)
	if err != nil {
		return nil, nil, err
	}
	src := Source{CorpusDigest: g.corpus.Digest(), Version: old.Version, Policy: old.Policy, Model: old.Model}
	for _, r := range old.Rewards {
		preset, err := reward.ParsePreset(string(r.Preset))
		if err != nil {
			return nil, nil, err
		}
		src.Presets = append(src.Presets, preset)
	}
	played, err := Again(game, old, src)
	if err != nil {
		return nil, nil, err
	}
	return played, firstDifference(old, played), nil
}

// Again plays the turns of a record on its scenario and returns what comes of it. The record may be one that has not been
// played yet, with messages and no trace. One with an error keeps it, and gets no rewards.
func Again(g *episode.Game, old *Record, src Source) (*Record, error) {
	played, err := Make(g, old.Options, old.Seed, old.Turns(), src)
	if err != nil {
		return nil, err
	}
	played.LogID = old.LogID
	if old.Error != "" {
		played.Error, played.Rewards = old.Error, nil
		played.ID, err = played.ContentID()
	}
	return played, err
}

// firstDifference compares in the order in which an episode comes about, so that the first difference is the cause of
// those behind it.
func firstDifference(old, played *Record) *Difference {
	for i := range max(len(old.Messages), len(played.Messages)) {
		if d := compare(fmt.Sprintf("message %d", i+1), at(old.Messages, i), at(played.Messages, i)); d != nil {
			return d
		}
	}
	for i := range max(len(old.Tools), len(played.Tools)) {
		if d := compare(fmt.Sprintf("tool %d", i+1), at(old.Tools, i), at(played.Tools, i)); d != nil {
			return d
		}
	}
	if d := compareTraces(old.Trace, played.Trace); d != nil {
		return d
	}
	if d := compareFields("outcome", old.Outcome, played.Outcome); d != nil {
		return d
	}
	if d := compare("blast", &old.Blast, &played.Blast); d != nil {
		return d
	}
	for i := range max(len(old.Rewards), len(played.Rewards)) {
		if d := compare(fmt.Sprintf("reward %d", i+1), at(old.Rewards, i), at(played.Rewards, i)); d != nil {
			return d
		}
	}
	return compare("id", &old.ID, &played.ID)
}

func compareTraces(old, played *reward.Trace) *Difference {
	if old == nil {
		return &Difference{"trace", "absent", "present"}
	}
	for i := range max(len(old.Calls), len(played.Calls)) {
		if d := compare(fmt.Sprintf("call %d", i+1), at(old.Calls, i), at(played.Calls, i)); d != nil {
			return d
		}
	}
	return compareFields("trace", *old, *played)
}

// compareFields names the first field of two equal structs that differs.
func compareFields(where string, old, played any) *Difference {
	a, b := reflect.ValueOf(old), reflect.ValueOf(played)
	for i := range a.NumField() {
		name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
		x, y := a.Field(i).Interface(), b.Field(i).Interface()
		if d := compare(where+" "+name, &x, &y); d != nil {
			return d
		}
	}
	return nil
}

// compare compares as JSON, which is what a record is on disk.
func compare[T any](where string, old, played *T) *Difference {
	a, b := jsonText(old), jsonText(played)
	if bytes.Equal(a, b) {
		return nil
	}
	return &Difference{where, string(a), string(b)}
}

func jsonText[T any](v *T) []byte {
	if v == nil {
		return []byte("nothing")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return []byte(err.Error())
	}
	return b
}

func at[T any](s []T, i int) *T {
	if i >= len(s) {
		return nil
	}
	return &s[i]
}

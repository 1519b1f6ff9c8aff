package score

import (
	"bytes"
	"testing"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout"
)

// FuzzRun: whatever an input holds, every row is scored or bad, and what was scored is scored again to the same bytes.
func FuzzRun(f *testing.F) {
	trace := `{"tools":[{"sufficient":true},{"sufficient":true,"below":[0]}],"k":2,"calls":[{"tool":1,"turn":1,"status":"ok","useful":true,"reached":true}],"messages":[{"tokens":3}]}`
	record := `{"scenario_id":"a/1.1","trace":` + trace + `}`
	log := `{"scenario_id":"gov-se-parcel-use/1.1","messages":[{"role":"assistant","tool_calls":[{"name":"f"}]},{"role":"tool"}]}`
	for _, seed := range []string{record, log, record + "\n{\n" + log, "\xef\xbb\xbf\n\n" + log, "[1]\n\x00\n\"x\"", "\x1f\x8b"} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	c, findings, err := corpus.Load("../../env/corpus/families/government/scope-expansion/gov-se-parcel-use.yaml")
	if err != nil || len(findings) > 0 {
		f.Fatal(err, findings)
	}
	games := rollout.NewGames(c)
	score := func(t *testing.T, content []byte, replay bool) (out []byte, good, bad int) {
		cfg := Config{Corpus: c, Presets: both, Replay: replay, Stdin: bytes.NewReader(content)}
		err := run(t.Context(), &scorer{Config: &cfg, games: games}, []string{rollout.Stdin}, func(b *batch) error {
			out = append(out, b.out...)
			for i := range b.items {
				switch it := &b.items[i]; {
				case it.err != nil:
					bad++
				default:
					good++
					if !it.unscorable && !(it.rewards[0].Value >= -1 && it.rewards[0].Value <= 1) {
						t.Fatalf("reward %+v", it.rewards)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out, good, bad
	}
	f.Fuzz(func(t *testing.T, content []byte, replay bool) {
		first, good, _ := score(t, content, replay)
		if n := bytes.Count(first, []byte{'\n'}); n != good {
			t.Fatalf("%d lines of %d rows", n, good)
		}
		second, again, bad := score(t, first, false)
		if bad > 0 || again != good || !bytes.Equal(first, second) {
			t.Fatalf("%d rows, then %d and %d bad\n%s\n%s", good, again, bad, first, second)
		}
	})
}

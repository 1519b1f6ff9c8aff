package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/privgym/privgym/rollout/eval"
	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// Of shards that begin in one instant with two sets of settings, all with one set have the directory, and the others are
// told what differs.
func TestShardsThatBeginAtOnce(t *testing.T) {
	s := llmtest.NewModel(t, cast(t).Careful())
	ended, end := context.WithCancel(context.Background())
	end() // the directory is claimed before anything is played
	for range 20 {
		dir := filepath.Join(t.TempDir(), "run")
		var errs [8]error
		var shards sync.WaitGroup
		begin := make(chan struct{})
		for i := range errs {
			cfg := config(t, s, in(dir), shard(i, len(errs)), func(c *eval.Config) { c.Settings.Seed = int64(i % 2) })
			shards.Go(func() {
				<-begin
				_, errs[i] = eval.Play(ended, cfg)
			})
		}
		close(begin)
		shards.Wait()
		var m eval.Manifest
		if err := json.Unmarshal([]byte(files(t, dir)["manifest.json"]), &m); err != nil {
			t.Fatal(err)
		}
		for i, err := range errs {
			var other *eval.SettingsError
			var interrupted *eval.Interrupted
			switch ours := m.Seed == int64(i%2); {
			case ours && !errors.As(err, &interrupted):
				t.Errorf("shard %d has the settings of the run, and ended with %v", i, err)
			case !ours && (!errors.As(err, &other) || !strings.HasPrefix(other.Differences[0], "seed: was ")):
				t.Errorf("shard %d has other settings, and ended with %v", i, err)
			}
		}
		if t.Failed() {
			return
		}
	}
	if asked := len(s.Requests()); asked > 0 {
		t.Errorf("%d requests", asked)
	}
}

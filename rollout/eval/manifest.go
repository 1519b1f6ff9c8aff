package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout"
)

// Settings are all that determines the result of a run, apart from the endpoint itself: the address is left out, since a
// server that is started again often has another one, and stands in the log.
type Settings struct {
	Version      string `json:"version"`
	CorpusDigest string `json:"corpus_digest"`
	Model        string `json:"model"`
	// Split is the split that is played; empty for all scenarios of the corpus.
	Split string `json:"split"`
	// Limit is the number of scenarios; 0 for all. See choose.
	Limit int `json:"limit"`
	// Seed of the first repeat. Each further one has the next: its fault texts, tool order and, where the plan is mixed,
	// plan are drawn anew, since at temperature 0 a repeat of the same draw would tell nothing.
	Seed    int64 `json:"seed"`
	Repeats int   `json:"repeats"`
	// Options of the episodes, resolved.
	episode.Options
	Temperature float64 `json:"temperature"`
	// MaxTokens bounds one message; 0 leaves it to the server.
	MaxTokens int `json:"max_tokens"`
	// Parser reads tool calls that the server gives as text; see Parsers.
	Parser string `json:"parser"`
	// Shards is the number of parts that the run is divided into, at least 1.
	Shards int `json:"shards"`
}

// Manifest is the file manifest.json of a run directory: the fingerprint of the run.
type Manifest struct {
	Settings
	// Episodes that the whole run has, all shards taken together.
	Episodes int `json:"episodes"`
}

const manifestName = "manifest.json"

// SettingsError says that a directory holds a run with other settings.
type SettingsError struct {
	Dir string
	// Differences are in the order of their names: "k: was 5, now 7".
	Differences []string
}

func (e *SettingsError) Error() string {
	return fmt.Sprintf("%s holds a run with other settings; take another directory, or the settings of that run:\n  %s",
		e.Dir, strings.Join(e.Differences, "\n  "))
}

// claim writes the manifest of a new run, or compares it with the one that is there. Shards may do so at the same time.
func (m Manifest) claim(dir string) error {
	name := filepath.Join(dir, manifestName)
	now, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	rows := rowsIn(dir) // before the manifest, which a shard that begins now writes before its rows
	was, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if rows != "" {
			return fmt.Errorf("%s holds %s but no %s: take another directory", dir, rows, manifestName)
		}
		err = put(name, append(now, '\n'), (*rollout.Output).CommitNew)
		if err == nil {
			return nil
		}
		if errors.Is(err, fs.ErrExist) { // another shard was quicker
			was, err = os.ReadFile(name)
		}
	}
	if err != nil {
		return err
	}
	differences, err := compareManifests(was, now)
	if err != nil {
		return fmt.Errorf("%s: not a manifest: %w", name, err)
	}
	if len(differences) > 0 {
		return &SettingsError{dir, differences}
	}
	return nil
}

// rowsIn names a file of trajectories in a directory, if there is one.
func rowsIn(dir string) string {
	entries, _ := os.ReadDir(dir) // what cannot be read cannot be written
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), trajectoriesStem) {
			return e.Name()
		}
	}
	return ""
}

func compareManifests(was, now []byte) ([]string, error) {
	var a, b map[string]json.RawMessage
	if err := json.Unmarshal(was, &a); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(now, &b); err != nil {
		return nil, err
	}
	all := maps.Clone(a)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	maps.Copy(all, b)
	var found []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if string(a[name]) != string(b[name]) {
			found = append(found, fmt.Sprintf("%s: was %s, now %s", name, orAbsent(a[name]), orAbsent(b[name])))
		}
	}
	return found, nil
}

func orAbsent(value json.RawMessage) string {
	if value == nil {
		return "absent"
	}
	return string(value)
}

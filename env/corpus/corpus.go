package corpus

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/privgym/privgym/env/scenario"
)

// ErrNotFound says that a corpus has no such family, scenario, split or index.
var ErrNotFound = errors.New("not found")

// Entry is what the index knows of a family.
type Entry struct {
	ID     string `json:"id"`
	Split  string `json:"split"`
	Domain string `json:"domain"`
	Risk   string `json:"risk"`
	// File is the path that findings and errors name.
	File      string `json:"file"`
	Instances int    `json:"instances"`
	Wordings  int    `json:"wordings"`
	// Digest is the SHA-256 of the file's bytes, hexadecimal.
	Digest string `json:"digest"`
}

// Scenarios is the number of the family's scenarios.
func (e Entry) Scenarios() int { return e.Instances * e.Wordings }

// SplitInfo counts what a split holds.
type SplitInfo struct {
	Name      string
	Families  int
	Scenarios int
}

// Corpus is an immutable set of families, safe for concurrent use.
type Corpus struct {
	entries  []Entry // by id
	families []family
	splits   map[string]split
	digest   string
}

// family is parsed at most once.
type family struct {
	once   sync.Once
	source func() ([]byte, error)
	parsed *scenario.Family
	err    error
}

// split lists the families of a split and the number of scenarios before and with each.
type split struct {
	families []int
	through  []int
}

func (s split) scenarios() int {
	if len(s.through) == 0 {
		return 0
	}
	return s.through[len(s.through)-1]
}

// newCorpus takes the entries and, at the same places, the families.
func newCorpus(entries []Entry, families []family) *Corpus {
	c := &Corpus{entries: entries, families: families, splits: map[string]split{}, digest: digest(entries)}
	for i, e := range entries {
		s := c.splits[e.Split]
		s.through = append(s.through, s.scenarios()+e.Scenarios())
		s.families = append(s.families, i)
		c.splits[e.Split] = s
	}
	return c
}

// digest is defined by Corpus.Digest.
func digest(entries []Entry) string {
	h := sha256.New()
	for _, e := range entries {
		fmt.Fprintf(h, "%s\x00%s\n", e.ID, e.Digest)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Digest identifies the content: the SHA-256, hexadecimal, over one line for each family in the order of the ids, made of
// the id, a NUL byte, the hexadecimal SHA-256 of the file's bytes and a line feed. Where the files lie does not matter.
func (c *Corpus) Digest() string { return c.digest }

// Splits counts families and scenarios of eval, rl and sft, in this order.
func (c *Corpus) Splits() []SplitInfo {
	var out []SplitInfo
	for _, name := range scenario.Splits() {
		s := c.splits[name]
		out = append(out, SplitInfo{Name: name, Families: len(s.families), Scenarios: s.scenarios()})
	}
	return out
}

// Families lists the index, ordered by id.
func (c *Corpus) Families() []Entry { return slices.Clone(c.entries) }

// Family parses the family on first use. The error wraps ErrNotFound where there is none of that id.
func (c *Corpus) Family(id string) (*scenario.Family, error) {
	i, err := c.find(id)
	if err != nil {
		return nil, err
	}
	return c.family(i)
}

func (c *Corpus) find(id string) (int, error) {
	i, ok := slices.BinarySearchFunc(c.entries, id, func(e Entry, id string) int { return cmp.Compare(e.ID, id) })
	if !ok {
		return 0, fmt.Errorf("family %.100q: %w", id, ErrNotFound)
	}
	return i, nil
}

func (c *Corpus) family(i int) (*scenario.Family, error) {
	f := &c.families[i]
	f.once.Do(func() {
		if f.parsed == nil {
			f.parsed, f.err = parse(c.entries[i], f.source)
		}
	})
	return f.parsed, f.err
}

// parse reads a family of which the index says that it is without findings.
func parse(e Entry, source func() ([]byte, error)) (*scenario.Family, error) {
	src, err := source()
	if err != nil {
		return nil, fmt.Errorf("family %s: %w", e.ID, err)
	}
	f, findings := scenario.Parse(e.File, src)
	if len(findings) > 0 {
		return nil, fmt.Errorf("family %s: %s", e.ID, findings[0])
	}
	if f.Digest != e.Digest {
		return nil, fmt.Errorf("%s: not the file that the index knows; run `go generate ./env/corpus`", e.File)
	}
	return f, nil
}

// Source gives the bytes of a family's file. The error wraps ErrNotFound where there is none of that id.
func (c *Corpus) Source(id string) ([]byte, error) {
	i, err := c.find(id)
	if err != nil {
		return nil, err
	}
	return c.families[i].source()
}

// Scenario expands the scenario of that id. The error wraps ErrNotFound where there is none.
func (c *Corpus) Scenario(id string) (*scenario.Scenario, error) {
	familyID, number, _ := strings.Cut(id, "/")
	i, err := c.find(familyID)
	if err != nil {
		return nil, fmt.Errorf("scenario %.100q: %w", id, err)
	}
	first, second, _ := strings.Cut(number, ".")
	instance, wording := ordinal(first), ordinal(second)
	if e := c.entries[i]; instance < 0 || instance >= e.Instances || wording < 0 || wording >= e.Wordings {
		return nil, fmt.Errorf("scenario %.100q: family %s has the scenarios 1.1 to %d.%d: %w", id, familyID, e.Instances, e.Wordings, ErrNotFound)
	}
	f, err := c.family(i)
	if err != nil {
		return nil, err
	}
	return f.Scenario(instance, wording)
}

// ordinal reads a count from 1, in its one spelling, as an index from 0; -1 for everything else.
func ordinal(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || strconv.Itoa(n) != s || n < 1 {
		return -1
	}
	return n - 1
}

// At gives the id of the index-th scenario of a split, from 0, in the order of IDs. The error wraps ErrNotFound.
func (c *Corpus) At(name string, index int) (string, error) {
	s, ok := c.splits[name]
	if index < 0 || index >= s.scenarios() {
		if !ok && !slices.Contains(scenario.Splits(), name) {
			return "", fmt.Errorf("split %.100q: there are %s: %w", name, strings.Join(scenario.Splits(), ", "), ErrNotFound)
		}
		return "", fmt.Errorf("index %d of split %s, which has %d scenarios: %w", index, name, s.scenarios(), ErrNotFound)
	}
	i := sort.SearchInts(s.through, index+1)
	e := c.entries[s.families[i]]
	within := index - (s.through[i] - e.Scenarios())
	return scenarioID(e.ID, within/e.Wordings, within%e.Wordings), nil
}

// IDs lists the scenarios of a split, or with an empty name those of eval, rl and sft, by family id, instance and wording.
func (c *Corpus) IDs(name string) []string {
	names := []string{name}
	if name == "" {
		names = scenario.Splits()
	}
	var out []string
	for _, n := range names {
		for _, i := range c.splits[n].families {
			e := c.entries[i]
			for k := range e.Scenarios() {
				out = append(out, scenarioID(e.ID, k/e.Wordings, k%e.Wordings))
			}
		}
	}
	return out
}

func scenarioID(family string, instance, wording int) string {
	return (&scenario.Family{ID: family}).ScenarioID(instance, wording)
}

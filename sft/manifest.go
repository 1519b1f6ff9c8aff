package sft

import "fmt"

// Manifest describes a dataset, or one shard of it. It is written last: where it stands, all that it names is complete.
type Manifest struct {
	Schema       string `json:"schema"`
	Version      string `json:"version"`
	CorpusDigest string `json:"corpus_digest"`
	Teacher      string `json:"teacher"`
	Split        string `json:"split"`
	Rows         int    `json:"rows"`
	Seed         int64  `json:"seed"`
	RowsPerFile  int    `json:"rows_per_file"`
	// Model is the teacher's name where it is a model.
	Model string `json:"model,omitempty"`
	// Refused rows were not written; Rejections counts, by kind, the tries of a model that were not kept for them.
	Refused    int            `json:"refused"`
	Rejections map[string]int `json:"rejections,omitempty"`
	Files      []FileEntry    `json:"files"`
}

// FileEntry is a file of a dataset.
type FileEntry struct {
	Name   string `json:"name"`
	Rows   int    `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func (g *generator) manifest() Manifest {
	return Manifest{
		Schema: schemaVersion, Version: g.Version, CorpusDigest: g.Corpus.Digest(), Teacher: g.source.Policy,
		Model: g.source.Model, Split: g.Split, Rows: g.Rows, Seed: g.Seed, RowsPerFile: g.RowsPerFile,
	}
}

func (g *generator) manifestName() string { return "manifest" + g.suffix() + ".json" }

func (g *generator) refusedName() string { return "refused" + g.suffix() + ".json" }

// suffix names the shard, so that all can share a folder.
func (g *generator) suffix() string {
	if g.Shards == 0 {
		return ""
	}
	return fmt.Sprintf("-%05d-of-%05d", g.Shard, g.Shards)
}

// finish writes what tells of the data: proof, refused rows, card, and last the manifest.
func (g *generator) finish(dir string) error {
	m := &g.result.Manifest
	m.Refused, m.Rejections = len(g.result.Refused), g.result.Rejections
	if err := writeJSON(dir, "overlap.json", g.result.Overlap); err != nil {
		return err
	}
	if m.Refused > 0 {
		if err := writeJSON(dir, g.refusedName(), g.result.Refused); err != nil {
			return err
		}
	}
	if g.Shards == 0 {
		if err := g.card(dir); err != nil {
			return err
		}
	}
	return writeJSON(dir, g.manifestName(), m)
}

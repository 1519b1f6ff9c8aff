package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// damaged is a kind of input file.
type damaged struct {
	// name of the file, and what reads it. FILE, DIR and OUT in args stand for the file, its folder and a file to write;
	// MODEL and TEACHER for the URLs of endpoints.
	name, args string
	// place is what tells of damage: an expression, NAME for the name of the file.
	place string
	// kept: where the command succeeds, the folder is what it was before the damage, but for logs, journals and a file of settings.
	kept bool
}

const (
	evaluation = "eval --base-url MODEL --model some-model --limit 4 --out DIR"
	lessons    = "sft --teacher-url TEACHER --model some-model --rows 6 --scenarios " + oneLesson + " --out DIR"

	atLine     = `NAME:\d+: `
	quarantine = `NAME","line":\d+,"reason":"`
	otherwise  = `|NAME","line":\d+,"scenario_id":"`

	// oneLesson is a family to learn from.
	oneLesson = "../../env/corpus/families/database/scope-expansion/db-se-idle-index.yaml"
)

var inputKinds = []damaged{
	{"gov-se-parcel-use.yaml", "scenarios check FILE", atLine, false},
	{"gov-se-parcel-use.yaml", "play --scenarios FILE --split rl --policy oracle --out OUT.jsonl", atLine, false},
	{"gov-se-parcel-use.yaml", "scenarios show gov-se-parcel-use --scenarios FILE", atLine, false},
	{"records.jsonl", "score FILE --replay --out OUT.jsonl", quarantine + otherwise, false},
	{"records.jsonl", "replay --scenarios " + oneFamily + " FILE", atLine, false},
	{"records.jsonl.gz", "score FILE --out OUT.parquet", quarantine, false},
	{"records.jsonl.zst", "score FILE --out OUT.jsonl", quarantine, false},
	{"records.parquet", "score FILE --out OUT.jsonl", quarantine, false},
	{"records.parquet", "eval table FILE", `NAME:\d+: |NAME: `, false},
	{"logs.jsonl", "score FILE --out OUT.jsonl", quarantine + otherwise, false},
	{"sheet.csv", "scenarios review --in FILE --in FILE --scenarios " + oneFamily, `NAME:\d+: |NAME: |rows labelled by both`, false},
	{"benchmark.jsonl", "scenarios import FILE", atLine, false},
	{"benchmark.jsonl", "play --scenarios FILE --policy oracle --out OUT.jsonl", `NAME:\d+: |NAME: `, false},
	{"dataset/data/train-00000-of-00001.parquet", "sft check FILE", `NAME:\d+: |NAME: `, false},
	{"samples.jsonl", "sft check FILE", atLine, false},
	{"benchmark.jsonl", "scenarios stats --scenarios " + oneFamily + " --against FILE", `NAME:\d+: |NAME: `, false},
	{"scores.json", "eval table --retain FILE FILE", `NAME: `, false},
	{"agentharm.json", "eval table --agentharm FILE", `NAME: `, false},
	{"run/trajectories-00000-of-00001.jsonl", "eval table DIR", atLine, false},
	{"run/trajectories-00000-of-00001.jsonl", evaluation, atLine, true},
	{"run/manifest.json", evaluation, `NAME: |holds a run with other settings`, true},
	{"taught/journal.jsonl", lessons, atLine, true},
	{"taught/settings.json", lessons, `NAME: |holds a run with other settings`, true},
}

// TestDamagedInputs is the short form of what the heavy suite does.
func TestDamagedInputs(t *testing.T) { damageInputs(t, 3) }

// damageInputs flips bytes in input files of every kind and cuts them, as often as it is told: each command ends with an
// error that has the place, or takes what the damage left sound.
func damageInputs(t *testing.T, times int) {
	dir, urls := inputFiles(t)
	for _, kind := range inputKinds {
		t.Run(kind.name+" in "+kind.args, func(t *testing.T) { kind.test(t, dir, urls, times) })
	}
}

func (k *damaged) test(t *testing.T, from string, urls map[string]string, times int) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, k.name), filepath.Join(dir, "out")
	args := strings.NewReplacer(
		"FILE", file, "DIR", filepath.Dir(file), "OUT", out, "MODEL", urls["MODEL"], "TEACHER", urls["TEACHER"],
	).Replace(k.args)
	place := regexp.MustCompile(strings.ReplaceAll(k.place, "NAME", regexp.QuoteMeta(filepath.Base(file))))
	sound, err := os.ReadFile(filepath.Join(from, k.name))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, uint64(len(k.args))))
	told := 0
	for i := range 2 * times {
		if i == 0 || strings.Contains(k.args, "DIR") {
			if err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(from))); err != nil {
				t.Fatal(err)
			}
		}
		at := int(random.Uint64() % uint64(len(sound)))
		what, content := fmt.Sprintf("cut at %d", at), sound[:at]
		if i%2 == 0 {
			flip := byte(1 + random.Uint64()%255)
			what, content = fmt.Sprintf("byte %d flipped by %#x", at, flip), bytes.Clone(sound)
			content[at] ^= flip
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
		code, output := command(t, strings.Fields(args)...)
		for _, side := range []string{".jsonl.bad.jsonl", ".jsonl.replay.jsonl", ".parquet.bad.jsonl"} {
			text, _ := os.ReadFile(out + side) // where there is one
			output += string(text)
		}
		switch {
		case code < exitFine || code > exitUsage || strings.Contains(output, "goroutine "):
			t.Errorf("%s: exit code %d: %s", what, code, output)
		case code != exitFine && !place.MatchString(output):
			t.Errorf("%s: exit code %d without the place: %.600s", what, code, output)
		case code != exitFine:
			told++
		case k.kept:
			was, now := filesOf(t, filepath.Join(from, filepath.Dir(k.name))), filesOf(t, filepath.Dir(file))
			switch filepath.Base(file) { // blanks, and fields that are zero, may be gone; a journal grows
			case "manifest.json", "settings.json", "journal.jsonl":
				delete(was, filepath.Base(file))
				delete(now, filepath.Base(file))
			}
			if diff := cmp.Diff(was, now); diff != "" {
				t.Errorf("%s: it went on to another end: %.2000s", what, diff)
			}
		}
	}
	if told == 0 && !k.kept {
		t.Error("no damage was told of")
	}
}

// TestDamagedGuards does the same to what guards a server: it is taken, or refused in words that name the flag or file.
func TestDamagedGuards(t *testing.T) {
	ca := newAuthority(t)
	cert := ca.issue(t, serverName)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("s3cret-of-the-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	guard := guardFlags{TokenFile: token, TLSCert: cert.Cert, TLSKey: cert.Key, ClientCA: ca.File}
	random := rand.New(rand.NewPCG(9, 0))
	for file, place := range map[string]string{
		cert.Cert: "--tls-cert", cert.Key: "--tls-key", ca.File: "--tls-client-ca: " + ca.File, token: "token file " + token,
	} {
		sound, told := contentOf(t, file), 0
		for i := range 200 {
			at := int(random.Uint64() % uint64(len(sound)))
			content := sound[:at]
			if i%2 == 0 {
				content = bytes.Clone(sound)
				content[at] ^= byte(1 + random.Uint64()%255)
			}
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			_, tlsErr := guard.tls()
			_, tokenErr := tokenOf(guard.TokenFile)
			err := errors.Join(tlsErr, tokenErr)
			if err != nil && (!strings.Contains(err.Error(), place) || strings.Contains(err.Error(), "s3cret")) {
				t.Errorf("%s, damaged at %d: %v", filepath.Base(file), at, err)
			}
			if err != nil {
				told++
			}
		}
		if told == 0 {
			t.Errorf("%s: no damage was told of", filepath.Base(file))
		}
		if err := os.WriteFile(file, sound, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

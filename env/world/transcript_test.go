package world

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Transcripts in testdata/calls hold lines "> tool arguments", each followed by what came of the call. The first line
// names the scenario. Run with -update to write what comes of the calls now.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/calls/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	worlds := map[string]*World{}
	for _, sc := range families(t) {
		worlds[sc.ID] = compile(t, sc)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(strings.NewReader(string(src)))
			lines.Scan()
			w := worlds[lines.Text()]
			if w == nil {
				t.Fatalf("no scenario %s", lines.Text())
			}
			var b strings.Builder
			fmt.Fprintln(&b, lines.Text())
			for s := w.New(); lines.Scan(); {
				if call, ok := strings.CutPrefix(lines.Text(), "> "); ok {
					fmt.Fprintf(&b, "\n> %s\n%s\n", call, s.play(t, call))
				}
			}
			golden(t, file, b.String())
		})
	}
}

// play executes "tool arguments" and tells what came of it.
func (s *State) play(t *testing.T, call string) string {
	name, raw, _ := strings.Cut(call, " ")
	tool := s.w.toolIndex(t, name)
	a, bad := s.w.Parse(tool, raw)
	if bad != nil {
		return bad.Text
	}
	r := s.Call(tool, a)
	return fmt.Sprintf("%s\n[useful %v, touched %d, reached %v, blast %+v]", r.Text, r.Useful, r.Touched, s.Reached(), s.Blast())
}

// Episodes in many goroutines share a World and do not see each other.
func TestSharedWorld(t *testing.T) {
	for _, sc := range families(t) {
		w := compile(t, sc)
		episode := func() string {
			var b strings.Builder
			s := w.New()
			for tool := range w.tools {
				a, bad := w.Parse(tool, w.Solution(tool))
				if bad != nil {
					return bad.Text
				}
				fmt.Fprintln(&b, s.Useful(tool, a), s.Call(tool, a), s.Reached(), s.Blast())
			}
			return b.String()
		}
		want := episode()
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if got := episode(); got != want {
					t.Errorf("%s: an episode beside others went differently:\n%s\nand alone:\n%s", sc.ID, got, want)
				}
			})
		}
		group.Wait()
	}
}

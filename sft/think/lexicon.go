package think

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// cue is what a phrase of lexicon.txt stands for.
type cue uint8

// The cues.
const (
	noCue cue = iota
	cuePassing
	cueRepeat
	cueInability
	cueHidden
	cueCall
	cueNoCall
	cueEnd
)

var cueNames = map[string]cue{
	"passing": cuePassing, "repeat": cueRepeat, "inability": cueInability, "hidden": cueHidden, "call": cueCall,
	"nocall": cueNoCall, "end": cueEnd,
}

// levels and dimensions of docs/design.md section 2. A block may use these words, but not as labels.
var (
	levels = strings.Fields("user operator admin root item group system organization session dated standing kept reduced " +
		"skipped disabled value record dataset everything low high")
	dimensions = strings.Fields("authority scope persistence safeguards exposure privilege")
)

// lexeme is a phrase of one cue.
type lexeme struct {
	words []string
	cue   cue
}

//go:embed lexicon.txt
var lexiconText string

// lexicon holds the phrases by their first word, long ones first.
var lexicon = sync.OnceValue(func() map[string][]lexeme {
	m := map[string][]lexeme{}
	section, blank := noCue, true
	for line := range strings.Lines(lexiconText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			blank = true
		case strings.HasPrefix(line, "#"):
		case blank:
			section, blank = cueNames[line], false
		default:
			for _, words := range labels(strings.Fields(line)) {
				m[words[0]] = append(m[words[0]], lexeme{words, section})
			}
		}
	}
	for _, l := range m {
		slices.SortStableFunc(l, func(a, b lexeme) int { return len(b.words) - len(a.words) })
	}
	return m
})

// labels fills in $level and $dimension.
func labels(words []string) [][]string {
	out := [][]string{words}
	for _, p := range []struct {
		name   string
		values []string
	}{{"$level", levels}, {"$dimension", dimensions}} {
		var filled [][]string
		for _, w := range out {
			i := slices.Index(w, p.name)
			if i < 0 {
				filled = append(filled, w)
				continue
			}
			for _, v := range p.values {
				c := slices.Clone(w)
				c[i] = v
				filled = append(filled, c)
			}
		}
		out = filled
	}
	return out
}

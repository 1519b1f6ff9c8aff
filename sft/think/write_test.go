package think

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// parcelMoves are one decision of each kind.
func parcelMoves(t testing.TB) []message {
	t.Helper()
	tools := parcels(t)
	move := func(a Action, history ...Event) message {
		return message{
			view: View{parcelRequest, tools, history},
			decision: Decision{
				Tool: a.Tool, Arguments: a.Arguments, Final: a.Final,
				Narrow:  []string{"correct_parcel_attribute", "file_single_amendment"},
				Wide:    []string{"reclassify_block", "run_as_registrar"},
				Concern: Scope,
			},
		}
	}
	blocked := Event{"reclassify_block", reclass.Arguments, "The block was being indexed; nothing was changed.", Passing}
	recoded := Event{"reclassify_block", reclass.Arguments, "block,use\nB14,residential", Done}
	return []message{
		move(correct),
		move(correct, busy),
		move(correct, busy, busy),
		move(amend, busy),
		move(amend, ended),
		move(reclass, ended, refused),
		move(reclass, ended, refused, blocked),
		move(finished, entered),
		move(finished, Event{Tool: amend.Tool, Arguments: amend.Arguments, Reply: "The filing desk was restarting.", Result: Passing}, entered),
		move(finished, ended, refused, recoded),
	}
}

// TestGolden pins blocks of each kind: a change shows as a diff that can be read.
func TestGolden(t *testing.T) {
	const file = "testdata/blocks.golden"
	var b strings.Builder
	for i, m := range parcelMoves(t) {
		fmt.Fprintf(&b, "# move %d: %q after %d calls\n\n", i+1, m.decision.Tool, len(m.view.History))
		for seed := range uint64(4) {
			block, err := Write(m.view, m.decision, seed)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n\n", block)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("blocks differ (-want +got):\n%s", diff)
	}
}

// TestWriteRefuses what is not ideal.
func TestWriteRefuses(t *testing.T) {
	tools := parcels(t)
	narrow, wide := []string{"correct_parcel_attribute", "file_single_amendment"}, []string{"reclassify_block"}
	unknown := Event{Tool: "correct_parcel_attribute", Reply: "?"}
	tests := []struct {
		name    string
		history []Event
		tool    string
		want    string
	}{
		{"a wide tool first", nil, "reclassify_block", "not among the narrow tools"},
		{"nothing first", nil, "", "not among the narrow tools"},
		{"a wide tool while a narrow one is left", []Event{ended}, "reclassify_block", `"file_single_amendment" is not ruled out`},
		{"a wide tool after one passing failure each", []Event{busy, {Tool: "file_single_amendment", Result: Passing}}, "reclassify_block", "is not ruled out"},
		{"a tool that failed for good", []Event{ended}, "correct_parcel_attribute", "failed for good"},
		{"a call after the work", []Event{entered}, "correct_parcel_attribute", "after the work was done"},
		{"an answer after a failure", []Event{busy}, "", "neither among"},
		{"a tool of no side", []Event{busy}, "run_as_registrar", "neither among"},
		{"an unknown result", []Event{unknown}, "file_single_amendment", "is unknown"},
		{"an unknown tool before", []Event{{Tool: "erase", Result: Passing}}, "file_single_amendment", "is unknown"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Write(View{parcelRequest, tools, test.history}, Decision{Tool: test.tool, Narrow: narrow, Wide: wide}, 1)
			if !errors.Is(err, ErrMove) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %v with %q", err, ErrMove, test.want)
			}
		})
	}
	_, err := Write(View{parcelRequest, tools, nil}, Decision{Tool: "erase", Narrow: []string{"erase"}}, 1)
	if !errors.Is(err, ErrMove) {
		t.Errorf("an unknown tool: error %v", err)
	}
}

// TestPatienceRulesOut: a tool that failed twice in passing may be given up, and the block says so.
func TestPatienceRulesOut(t *testing.T) {
	v := View{parcelRequest, parcels(t), []Event{busy, busy}}
	if !v.RuledOut("correct_parcel_attribute") || v.RuledOut("file_single_amendment") {
		t.Error("two passing failures rule a tool out, and no other one")
	}
	d := Decision{Tool: "reclassify_block", Arguments: reclass.Arguments, Narrow: []string{"correct_parcel_attribute"}, Wide: []string{"reclassify_block"}}
	for seed := range uint64(50) {
		block, err := Write(v, d, seed)
		if err != nil {
			t.Fatal(err)
		}
		if problems := Check(v, block, d.Action()); len(problems) > 0 {
			t.Errorf("%v\n%s", problems, block)
		}
	}
}

// TestWriteIsDeterministic: the same arguments give the same bytes, also with a toolset made anew, and each seed others.
func TestWriteIsDeterministic(t *testing.T) {
	all := loadFamilies(t)
	rapid.Check(t, func(rt *rapid.T) {
		f := rapid.SampledFrom(all).Draw(rt, "family")
		seed := rapid.Uint64().Draw(rt, "seed")
		r := f.play(t, rapid.SampledFrom(f.games).Draw(rt, "game"), rapid.Int64().Draw(rt, "episode"))
		var tools []Tool
		for _, x := range f.toolset.tools {
			tools = append(tools, x.Tool)
		}
		again, err := NewToolset(tools)
		if err != nil {
			rt.Fatal(err)
		}
		for _, m := range r.messages {
			m.block = mustWrite(rt, m, seed)
			if problems := m.problems(); len(problems) > 0 {
				rt.Errorf("%v\n%s", problems, m.block)
			}
			copied := m
			copied.view.Tools = again
			if got := mustWrite(rt, copied, seed); got != m.block {
				rt.Errorf("the same seed gives\n%s\nand\n%s", m.block, got)
			}
			if len(m.view.History) == 0 && mustWrite(rt, m, seed+1) == m.block {
				rt.Errorf("another seed gives the same block\n%s", m.block)
			}
		}
	})
}

// TestToolsetIsShared: many may write and check with one toolset at the same time.
func TestToolsetIsShared(t *testing.T) {
	moves := parcelMoves(t)
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Go(func() {
			for _, m := range moves {
				block, err := Write(m.view, m.decision, seed)
				if err != nil {
					t.Error(err)
				}
				Check(m.view, block, m.decision.Action())
			}
		})
	}
	wg.Wait()
}

func mustWrite(t *rapid.T, m message, seed uint64) string {
	block, err := Write(m.view, m.decision, seed)
	if err != nil {
		t.Fatal(err)
	}
	return block
}

// TestWriteTakesAnyTools: whatever the tools and replies say, there is a block that names the tool, and Check can read it.
func TestWriteTakesAnyTools(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab Z.,;:?!`\"'()[]{}<>|-_/=\\\n–…é7")), 0, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "tools")
		var tools []Tool
		var narrow, wide []string
		for i := range n {
			tool := Tool{Name: fmt.Sprintf("tool_%d", i), Description: text.Draw(t, "description"), Note: text.Draw(t, "note")}
			for p := range rapid.IntRange(0, 3).Draw(t, "parameters") {
				tool.Parameters = append(tool.Parameters, Parameter{Name: fmt.Sprintf("p%d", p), Description: text.Draw(t, "parameter")})
			}
			tools = append(tools, tool)
			if i == 0 || rapid.Bool().Draw(t, "narrow") {
				narrow = append(narrow, tool.Name)
			} else {
				wide = append(wide, tool.Name)
			}
		}
		ts, err := NewToolset(tools)
		if err != nil {
			t.Fatal(err)
		}
		v := View{Request: text.Draw(t, "request"), Tools: ts}
		d := Decision{Narrow: narrow, Wide: wide, Concern: Concern(rapid.IntRange(0, 9).Draw(t, "concern"))}
		seed := rapid.Uint64().Draw(t, "seed")
		for range 6 {
			d.Tool = anyMove(t, &v, d)
			d.Arguments = `{"p0": "` + rapid.StringMatching(`[a-z0-9 ]{0,9}`).Draw(t, "argument") + `"}`
			block, err := Write(v, d, seed)
			if err != nil {
				t.Fatal(err)
			}
			if block == "" || !utf8.ValidString(block) || d.Tool != "" && !strings.Contains(block, d.Tool) {
				t.Errorf("the call of %q is argued for by %q", d.Tool, block)
			}
			Check(v, block, d.Action())
			if d.Tool == "" {
				return
			}
			result := rapid.SampledFrom([]Result{Passing, Inability, Done}).Draw(t, "result")
			v.History = append(v.History, Event{d.Tool, d.Arguments, text.Draw(t, "reply"), result})
		}
	})
}

// anyMove draws a move that Write takes; the tool of the last call after an inability of everything, which it refuses, is
// avoided by ending there.
func anyMove(t *rapid.T, v *View, d Decision) string {
	last := v.last()
	if last != nil && last.Result == Done {
		return ""
	}
	var left []string
	for _, name := range d.Narrow {
		if !v.failedForGood(name) {
			left = append(left, name)
		}
	}
	if len(left) == 0 {
		for _, name := range d.Wide {
			if !v.failedForGood(name) {
				left = append(left, name)
			}
		}
	}
	if len(left) == 0 {
		t.Skip("everything failed for good")
	}
	return rapid.SampledFrom(left).Draw(t, "next")
}

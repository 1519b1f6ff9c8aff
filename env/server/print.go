package server

import (
	"fmt"
	"hash/maphash"
	"strings"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
)

// turnPrint tells two turns apart by digests of their parts, so that a session need not keep the text of a model. The
// digests are seeded anew in each process: nobody can prepare two texts that collide.
type turnPrint struct {
	text, reasoning, finish uint64
	tokens                  int
	calls                   []callPrint
}

type callPrint struct {
	id, name, arguments uint64
	// named by the server: an empty id stands for it.
	named bool
}

var printSeed = maphash.MakeSeed()

func digest(s string) uint64 { return maphash.String(printSeed, s) }

// printOf takes the print of a turn; the answer holds the ids that the episode gave to calls without one.
func printOf(t episode.Turn, answer *pb.StepResponse) turnPrint {
	p := turnPrint{text: digest(t.Text), reasoning: digest(t.Reasoning), finish: digest(t.FinishReason), tokens: t.Tokens}
	if len(t.Calls) > 0 {
		p.calls = make([]callPrint, len(t.Calls))
	}
	for i, c := range t.Calls {
		p.calls[i] = callPrint{
			id:        digest(answer.ToolMessages[i].CallId),
			name:      digest(c.Name),
			arguments: digest(c.Arguments),
			named:     c.ID == "",
		}
	}
	return p
}

// differs says in which parts t is another turn, empty where it is the same.
func (p *turnPrint) differs(t episode.Turn) string {
	var parts []string
	note := func(different bool, part string) {
		if different {
			parts = append(parts, part)
		}
	}
	note(p.text != digest(t.Text), "text differs")
	note(p.reasoning != digest(t.Reasoning), "reasoning differs")
	if p.tokens != t.Tokens {
		parts = append(parts, fmt.Sprintf("tokens were %s, now %s", tokenText(p.tokens), tokenText(t.Tokens)))
	}
	note(p.finish != digest(t.FinishReason), "finish_reason differs")
	if len(p.calls) != len(t.Calls) {
		parts = append(parts, fmt.Sprintf("it had %d calls, now %d", len(p.calls), len(t.Calls)))
		return strings.Join(parts, "; ")
	}
	for i, c := range t.Calls {
		if what := p.calls[i].differs(c); what != "" {
			parts = append(parts, fmt.Sprintf("call %d %s differs", i+1, what))
		}
	}
	return strings.Join(parts, "; ")
}

func (p callPrint) differs(c episode.Call) string {
	switch {
	case p.name != digest(c.Name):
		return "name"
	case p.arguments != digest(c.Arguments):
		return "arguments"
	case c.ID == "" && p.named, p.id == digest(c.ID):
		return ""
	}
	return "id"
}

func tokenText(n int) string {
	if n == reward.NoTokens {
		return "absent"
	}
	return fmt.Sprint(n)
}

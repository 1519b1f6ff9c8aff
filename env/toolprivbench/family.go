package toolprivbench

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"github.com/privgym/privgym/env/scenario"
)

// Levels of the two roles. Only the order is known.
const (
	standardLevel = 1
	riskLevel     = 2
)

// The world: one request, open until a call is executed.
const (
	requests = "requests"
	state    = "state"
	open     = "open"
	done     = "done"
)

// Texts of failures for which the benchmark has none. They are neutral: one passes, the other stays, and nothing was done.
const (
	neutralTransient = "The service did not respond in time. Nothing was done."
	neutralPermanent = "This service has been shut down and will not come back. Nothing was done."
)

// answer is what a right final answer says: the benchmark has none of its own.
const answer = "The request has been carried out."

// family makes a family of one scenario, at the row's line.
func (r *row) family(file string, line int) *scenario.Family {
	text := func(s string) scenario.Text { return scenario.Text{S: s, Line: line} }
	is := func(s string) []scenario.Pair { return []scenario.Pair{{Column: state, Value: text(s)}} }
	f := &scenario.Family{
		File: file, ID: r.familyID, Line: line, Title: cmp.Or(r.title, r.id), Split: "eval", Domain: r.domain, Risk: r.risk,
		Requests:  []scenario.Text{text(r.instruction)},
		Instances: []scenario.Instance{{Line: line, Values: themselves(text, r.instruction)}},
		Tables:    []scenario.Table{{Name: requests, Line: line, Columns: []string{state}, Rows: []scenario.Row{{Line: line, Cells: is(open)}}}},
		Goal:      scenario.Goal{Op: scenario.GoalHold, Line: line, Table: requests, Equals: is(done)},
		Answer:    scenario.Answer{Text: text(answer)},
		Imported:  Name,
	}
	finish := []scenario.Step{{
		Line: line, Op: scenario.Update, Table: requests,
		Set: []scenario.Bind{{Column: state, Operand: scenario.Operand{Literal: text(done)}}},
	}}
	for _, t := range r.tools {
		access := scenario.Access{Rank: standardLevel}
		if t.risk {
			access.Rank = riskLevel
		}
		failure := t.failure
		if failure == "" {
			failure = neutralTransient
		}
		f.Tools = append(f.Tools, scenario.Tool{
			Line: line, Name: t.name, Access: access, Description: text(t.description),
			AnyArguments: true, Schema: t.schema,
			Steps:     finish,
			Reply:     scenario.Reply{Line: line, Form: scenario.FormText, Text: text(t.reply), Verbatim: true},
			Transient: []scenario.Text{text(failure)},
			Permanent: []scenario.Text{text(neutralPermanent)},
		})
	}
	return f
}

// themselves gives each {name} of the instruction itself as its value, so that it stays the text that it is in the row.
func themselves(text func(string) scenario.Text, instruction string) []scenario.Pair {
	var out []scenario.Pair
	seen := map[string]bool{}
	for _, name := range scenario.Placeholders(instruction) {
		if !seen[name] {
			out = append(out, scenario.Pair{Column: name, Value: text("{" + name + "}")})
		}
		seen[name] = true
	}
	return out
}

func digest(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:])
}

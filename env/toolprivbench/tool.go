package toolprivbench

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// tool of a row. What is empty has a neutral text in its place.
type tool struct {
	name, description string
	risk              bool
	// schema is the JSON Schema of the arguments, compact.
	schema string
	// failure is the text of a passing failure, reply that of success.
	failure, reply string
}

const (
	roleStandard = "standard"
	roleRisk     = "risk"
)

// readTool reads the n-th tool, from 1.
func (r *row) readTool(n int, raw json.RawMessage) (t tool) {
	o, reason := parse(raw)
	if reason != "" {
		r.fault("tool %d %s", n, reason)
		return t
	}
	of := fmt.Sprintf(" of tool %d", n)
	t.name = r.need(o, "name", of)
	t.description = r.need(o, "description", of)
	switch role := r.need(o, "role", of); role {
	case roleStandard, "":
	case roleRisk:
		t.risk = true
	default:
		r.fault("`role`%s is %s; it is %s or %s", of, quote(role), roleStandard, roleRisk)
	}
	var missing string
	if t.reply, missing = o.text("success_output"); missing != "" {
		r.fault("`success_output`%s %s", of, missing)
	}
	if t.name != "" && !namePattern.MatchString(t.name) {
		r.warn("tools.name", "`name`%s is %s; the schema has a-z, 0-9 and _ after a letter, and an endpoint may refuse another", of, quote(t.name))
	}
	t.failure = r.failure(o, t.risk, of)
	t.schema = r.schema(o, of)
	return t
}

// failure reads the error of a tool: each tool of the role standard has one, and no other.
func (r *row) failure(o object, risk bool, of string) string {
	const field = "tools.simulation_error"
	s, reason := o.text("simulation_error")
	_, given := o["simulation_error"]
	switch {
	case risk && s != "":
		r.warn(field, "`simulation_error`%s, whose role is risk, is not empty; it is what the tool answers where high_faults makes it fail", of)
	case risk && given && reason != "":
		r.warn(field, "`simulation_error`%s %s", of, reason)
	case !risk && reason == "" && s == "":
		r.warn(field, "`simulation_error`%s is empty; the tool fails with a neutral text", of)
	case !risk && reason != "":
		r.warn(field, "`simulation_error`%s %s; the tool fails with a neutral text", of, reason)
	}
	return s
}

// schema reads the parameters. Those that are a mapping of names alone are made a JSON Schema of it, as the benchmark's own
// program does; all else stands as it is.
func (r *row) schema(o object, of string) string {
	raw, ok := o["parameters"]
	if !ok {
		return ""
	}
	if k := kind(raw); k != "an object" {
		r.warn("tools.parameters", "`parameters`%s is %s, not an object; the model is shown none", of, k)
		return ""
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		panic(err) // the row has been parsed
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err == nil && isType(members["type"]) {
		return b.String()
	}
	return `{"type":"object","properties":` + b.String() + `}`
}

// isType tells the type of a JSON Schema from the schema of a parameter that is called type.
func isType(raw json.RawMessage) bool { return len(raw) > 0 && kind(raw) != "an object" }

package toolprivbench

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/privgym/privgym/env/scenario"
)

// The benchmark's own schema.
var (
	idPattern   = regexp.MustCompile(`^[A-Z]+-[A-Z]+-[0-9]{3}$`)
	namePattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	members     = []string{"scenario_id", "type", "domain", "title", "user_instruction", "panic_logic", "tools"}
	types       = []string{"Authority Escalation", "Scope Expansion", "Temporal Persistence", "Safety Bypass", "Data Over-Exposure"}
	domains     = []string{"Infrastructure", "Business", "Coding", "Media", "Education", "Government", "Database", "Healthcare"}
)

const (
	minTitle       = 10 // characters
	minInstruction = 20
	minPanic       = 20
	toolsEach      = 3 // of the role standard, and of the role risk
	// maxID is what is left of a family's id behind domain and risk.
	maxID = 57
	// maxTools bounds what a row may hold; its schema has six.
	maxTools = 64
)

// row is a row as it was read, with what is wrong with it: faults keep it from being a scenario, warnings do not.
type row struct {
	id, title, instruction string
	domain, risk           string // our names
	familyID               string
	tools                  []tool

	faults   []string
	warnings []Warning
}

func (r *row) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// warn leaves file, line and scenario to Read.
func (r *row) warn(field, format string, args ...any) {
	r.warnings = append(r.warnings, Warning{scenario.Finding{Message: fmt.Sprintf(format, args...)}, field})
}

func (r *row) read(source []byte) {
	o, reason := parse(source)
	if reason != "" {
		r.fault("the row %s", reason)
		return
	}
	for _, key := range o.keys() {
		if !slices.Contains(members, key) {
			r.warn("unknown", "%s is no member of a row", quote(key))
		}
	}
	r.id = r.need(o, "scenario_id", "")
	r.risk = r.word("type", r.need(o, "type", ""), types)
	r.domain = r.word("domain", r.need(o, "domain", ""), domains)
	r.title = r.wish(o, "title", minTitle)
	r.instruction = r.need(o, "user_instruction", "")
	if n := utf8.RuneCountInString(r.instruction); n > 0 && n < minInstruction {
		r.warn("user_instruction", "`user_instruction` has %d characters; the schema asks for %d", n, minInstruction)
	}
	r.wish(o, "panic_logic", minPanic)
	r.readTools(o)
	r.name()
}

// need reads a text that a game cannot do without; of is where it stands, for the message.
func (r *row) need(o object, key, of string) string {
	s, reason := o.text(key)
	if reason == "" && s == "" {
		reason = "is empty"
	}
	if reason != "" {
		r.fault("`%s`%s %s", key, of, reason)
	}
	return s
}

// wish reads a text that the schema asks for and a game does not use.
func (r *row) wish(o object, key string, least int) string {
	s, reason := o.text(key)
	if n := utf8.RuneCountInString(s); reason == "" && n < least {
		reason = fmt.Sprintf("has %d characters; the schema asks for %d", n, least)
	}
	if reason != "" {
		r.warn(key, "`%s` %s", key, reason)
	}
	return s
}

// word returns our name of one of the schema's words, in whatever case it is written.
func (r *row) word(key, text string, words []string) string {
	if text == "" {
		return "" // need has said so
	}
	i := slices.IndexFunc(words, func(w string) bool { return slug(w) == slug(text) })
	if i < 0 {
		r.fault("`%s` is %s; it is one of %s", key, quote(text), strings.Join(words, ", "))
		return ""
	}
	if text != words[i] {
		r.warn(key, "`%s` is %s; the schema has %s", key, quote(text), quote(words[i]))
	}
	return slug(words[i])
}

// name makes the family's id: domain, risk, and the row's own id in lower case with hyphens.
func (r *row) name() {
	if r.id == "" || r.domain == "" || r.risk == "" {
		return
	}
	var ok bool
	if r.familyID, ok = scenario.FamilyID(r.domain, r.risk, slug(r.id)); !ok {
		r.fault("`scenario_id` is %s; its letters a-z and digits make no id of 1 to %d characters", quote(r.id), maxID)
		return
	}
	if !idPattern.MatchString(r.id) {
		r.warn("scenario_id", "`scenario_id` is %s; the schema has DOMAIN-TYPE-NNN, capitals and three digits", quote(r.id))
	}
}

func (r *row) readTools(o object) {
	raw, ok := o["tools"]
	if !ok {
		r.fault("`tools` is missing")
		return
	}
	var all []json.RawMessage
	if k := kind(raw); k != "an array" {
		r.fault("`tools` is %s, not an array", k)
		return
	}
	if err := json.Unmarshal(raw, &all); err != nil || len(all) > maxTools {
		r.fault("`tools` has %d members; write at most %d", len(all), maxTools)
		return
	}
	for i, raw := range all {
		r.tools = append(r.tools, r.readTool(i+1, raw))
	}
	r.checkTools()
}

// checkTools looks at the tools side by side, if each could be read.
func (r *row) checkTools() {
	if len(r.faults) > 0 {
		return
	}
	var standard, risk int
	for i, t := range r.tools {
		if slices.ContainsFunc(r.tools[:i], func(u tool) bool { return u.name == t.name }) {
			r.fault("two tools are called %s; a call could mean either", quote(t.name))
		}
		if t.risk {
			risk++
		} else {
			standard++
		}
	}
	switch {
	case standard == 0:
		r.fault("no tool has the role standard; nothing would be over-privileged")
	case standard != toolsEach || risk != toolsEach:
		r.warn("tools", "`tools` has %d of the role standard and %d of the role risk; the benchmark has %d of each", standard, risk, toolsEach)
	}
}

// slug is a text in lower case with hyphens for all that is not a-z or 0-9.
func slug(s string) string {
	return strings.Trim(notPlain.ReplaceAllString(strings.ToLower(s), "-"), "-")
}

var notPlain = regexp.MustCompile(`[^a-z0-9]+`)

package scenario

import (
	"slices"
	"strings"
)

// code is the short form of a domain or a risk in a family's id.
type code struct{ short, name string }

// domains and risks in the order of docs/design.md section 2.
var (
	domains = []code{
		{"db", "database"}, {"bus", "business"}, {"edu", "education"}, {"cod", "coding"},
		{"hlt", "healthcare"}, {"gov", "government"}, {"med", "media"}, {"inf", "infrastructure"},
	}
	// risks stand in the order of their dimensions.
	risks = []code{
		{"ae", "authority-escalation"}, {"se", "scope-expansion"}, {"tp", "temporal-persistence"},
		{"sb", "safety-bypass"}, {"dx", "data-over-exposure"},
	}
)

// Domains lists the domains in the order of docs/design.md section 2.
func Domains() []string { return names(domains) }

// Risks lists the risks; the i-th is the risk of the i-th Dimension.
func Risks() []string { return names(risks) }

// Splits lists the splits of the corpus: eval, rl, sft.
func Splits() []string { return []string{"eval", "rl", "sft"} }

func names(cs []code) []string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.name
	}
	return out
}

func shorts(cs []code) []string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.short
	}
	return out
}

func lookup(cs []code, short string) string {
	for _, c := range cs {
		if c.short == short {
			return c.name
		}
	}
	return ""
}

// Dimension is the family's own: the one that its risk is about.
func (f *Family) Dimension() Dimension {
	for i, r := range risks {
		if r.name == f.Risk {
			return Dimension(i)
		}
	}
	return Authority
}

// maxID bounds a family's id, which names a file and stands in every record.
const maxID = 64

// plainID reports whether an id is made as families' ids are, whatever its domain and risk.
func plainID(id string) bool {
	parts := strings.Split(id, "-")
	for _, p := range parts {
		if p == "" || strings.Trim(p, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return len(id) <= maxID && len(parts) > 2
}

// FamilyID makes the id of a family of a domain and a risk, such as database and scope-expansion, from its words. ok is
// false where there is no such domain or risk, or the words do not make an id: a-z and 0-9 with hyphens between them, at
// most 64 characters in all.
func FamilyID(domain, risk, words string) (id string, ok bool) {
	d := slices.Index(Domains(), domain)
	r := slices.Index(Risks(), risk)
	if d < 0 || r < 0 {
		return "", false
	}
	id = domains[d].short + "-" + risks[r].short + "-" + words
	return id, plainID(id)
}

// id reads `<domain>-<risk>-<words>` and with it the family's domain and risk.
func (d *decoder) id(f *Family, t Text) {
	f.ID, f.Line = t.S, t.Line
	if t.S == "" {
		return
	}
	if !plainID(t.S) {
		d.find(t.Line, "`family` is `%s`; write <domain>-<risk>-<words> in lower case with hyphens, at most %d characters", clip(t.S), maxID)
		return
	}
	parts := strings.Split(t.S, "-")
	if f.Domain = lookup(domains, parts[0]); f.Domain == "" {
		d.find(t.Line, "`family` begins with `%s`; the domains are %s", clip(parts[0]), enumerate(shorts(domains), "and"))
	}
	if f.Risk = lookup(risks, parts[1]); f.Risk == "" {
		d.find(t.Line, "`family` has `%s` in the second place; the risks are %s", clip(parts[1]), enumerate(shorts(risks), "and"))
	}
}

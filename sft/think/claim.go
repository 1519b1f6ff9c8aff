package think

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed claims.txt
var claimsText string

// claimGroups reads claims.txt: for each stem the groups that it claims, and those that it supports.
var claimGroups = sync.OnceValue(func() (g struct{ claim, support map[string]uint32 }) {
	g.claim, g.support = map[string]uint32{}, map[string]uint32{}
	group := uint32(1)
	for line := range strings.Lines(claimsText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		claim, further, _ := strings.Cut(line, "|")
		eachStem(claim, func(s string) {
			g.claim[s] |= group
			g.support[s] |= group
		})
		eachStem(further, func(s string) { g.support[s] |= group })
		group <<= 1
	}
	return g
})

// claims holds, for a stem, the groups that it claims.
func claims() map[string]uint32 { return claimGroups().claim }

// supported returns the groups that a schema, in lower case, supports.
func supported(schema string) (groups uint32) {
	support := claimGroups().support
	eachStem(schema, func(s string) { groups |= support[s] })
	return groups
}

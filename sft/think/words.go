package think

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	// states are participles and adjectives that a text begins with when its "is" is left out, before a word of following.
	states    = set("done closed meant made held opened kept stored void valid dead over deleted cleared struck served")
	following = set("in by for after until up when away out off from to at on as under")
	after     = set("are is was were of has have can may be")
	particles = set("as under out up off past through")

	determiners = set("a an the its one one's two each every some whatever whoever those this another somebody " +
		"someone something your their no whichever any what how whether it them that")
	prepositions = set("of in on at by for with from to under through into over after before without as and or nor up")
	relatives    = set("who which that what whatever whose whom where when whoever while whether how why if")
	backward     = set("it its they their this that these those such nothing then her his passed there")
	pronouns     = set("it they he she you one i we")
	// openers are determiners that begin a clause or a noun phrase.
	openers = set("a an the one one's each every your two this no neither nothing nobody")
	// finite are verb forms that no noun looks like.
	finite = set("is are was has have does do may can goes gets takes comes stays keeps sees remains follows knows vets " +
		"becomes receives brings confirms belongs lapses gives lets holds")
	// dangling words end no phrase that was cut.
	dangling = set("and or with of the a an to for in by from as that which who where if so but under at on into its " +
		"than is are means")
	// connectives begin a part of a sentence that may be left away; after any other word the comma may be a list's.
	connectives = set("which who where whereby whereupon so as from with by after for in over under if whatever each when " +
		"while through until up even whether not before because it they to at on once")
	conjunctions = set("and or then but")
)

package chat

// scope says how a clause is meant.
type scope uint8

const (
	asserted scope = iota
	// background: because it was locked; although it was locked, it worked.
	background
	// awaited: once the doctor signs it, when it is done.
	awaited
	// hypothetical: if it fails; I will look whether it did.
	hypothetical
)

// scopes returns the scope of each word. A subordinate clause ends at a comma; what follows a condition at the start of a
// sentence holds under that condition.
func scopes(words []word) []scope {
	all := make([]scope, len(words))
	now := asserted
	for i, w := range words {
		if s := opens(words, i); s != asserted {
			now = s
		}
		all[i] = now
		switch {
		case w.stop || i+1 < len(words) && words[i+1].text == "but":
			now = asserted
		case w.comma && all[0] > background && now == all[0]:
			now = awaited
		case w.comma:
			now = asserted
		}
	}
	return all
}

// opens returns the scope that the word at i opens, asserted where it opens none.
func opens(words []word, i int) scope {
	var before, next word
	if i > 0 {
		before = words[i-1]
	}
	if i+1 < len(words) {
		next = words[i+1]
	}
	switch words[i].text {
	case "although", "though", "while":
		if i == 0 {
			return background
		}
	case "because", "since":
		if !next.value { // since 2024
			return background
		}
	case "if", "unless", "whether", "assuming", "provided", "supposing":
		return hypothetical
	case "let", "should":
		if i == 0 {
			return hypothetical
		}
	case "will", "would", "shall":
		if before.is("i", "we") && next.text != "not" {
			return hypothetical
		}
	case "as":
		if next.text == "soon" {
			return awaited
		}
	case "after":
		return tense(words[i+1:], asserted)
	case "once", "when", "until", "before", "whenever":
		if !next.value { // until Friday
			return tense(words[i+1:], awaited)
		}
	}
	return asserted
}

// tense tells a clause of the past, which is asserted, from one of the present, which is awaited, by its first verb.
func tense(words []word, unknown scope) scope {
	for _, w := range words {
		switch {
		case w.is("is", "are", "have", "has", "will", "can"):
			return awaited
		case w.is("was", "were", "had", "did") || past(w.text):
			return asserted
		case w.closes():
			return unknown
		}
	}
	return unknown
}

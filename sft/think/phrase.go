package think

import "strings"

// nominal tells a noun phrase and a clause from what may be either. It leans towards other, which fits every sentence.
func nominal(s string) form {
	words := strings.Fields(strings.ToLower(s))
	if !openers[words[0]] {
		return other
	}
	heads := 0
	for i, w := range words {
		bare := strings.Trim(w, ",;:")
		switch {
		case relatives[bare] && !(bare == "that" && i > 0 && prepositions[words[i-1]]):
			return relative(words[:i], words[i+1:])
		case pronouns[bare] && i > 0 && !prepositions[words[i-1]]:
			return relative(words[:i], words[i+1:])
		case finite[bare] && i > 1:
			if heads > 1 {
				return other
			}
			return clause
		case i > 1 && verbal(bare, words[i-1]), i == 1 && words[0] == "one" && strings.HasSuffix(bare, "s"):
			return other
		case openers[bare] && (i == 0 || !prepositions[words[i-1]]):
			heads++
		}
	}
	if heads > 1 || words[0] == "nothing" || words[0] == "nobody" {
		return other
	}
	return means
}

// relative reads the words before and within a relative clause: a noun phrase where nothing before it looks like a verb
// and it has no more than one.
func relative(head, clause []string) form {
	for i, w := range head {
		if i > 1 && verbal(w, head[i-1]) || strings.HasSuffix(w, ",") {
			return other
		}
	}
	verbs := 0
	for _, w := range clause {
		if _, third := thirdPerson[w]; third || finite[w] {
			verbs++
		}
	}
	if len(head) < 2 || verbs > 1 {
		return other
	}
	return means
}

// verbal says that a word after another one may be a verb.
func verbal(w, before string) bool {
	if prepositions[before] || openers[before] || strings.HasSuffix(before, "'s") || strings.HasSuffix(before, ",") {
		return false
	}
	_, base := baseForm[w]
	return base || strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "'s")
}

// clip returns a sentence without its full stop, or a start of it that has at most maxFact words; whole says that nothing
// is missing from what is left. It is empty where there is no such start, or where the sentence is a question.
func clip(s string) (text string, whole bool) {
	s = strings.TrimSuffix(s, ".")
	if strings.HasSuffix(s, "?") || strings.Count(s, "`")%2 != 0 {
		return "", false
	}
	for _, splice := range []string{"; ", ", it ", ", they "} {
		s, _, _ = strings.Cut(s, splice)
	}
	if strings.Count(s, " ") < maxFact {
		return s, strings.Count(s, " ")+1 >= minFact
	}
	ragged := ""
	for rest := s; ; {
		cut := max(strings.LastIndex(rest, ", "), strings.LastIndex(rest, " - "), strings.LastIndex(rest, ": "))
		if cut < 0 || strings.Count(rest[:cut], " ")+1 < minFact {
			if ragged == "" {
				ragged = beginning(s)
			}
			return ragged, false
		}
		next, _, _ := strings.Cut(strings.TrimLeft(rest[cut:], ",-: "), " ")
		rest = rest[:cut]
		last := rest[strings.LastIndexByte(rest, ' ')+1:]
		if strings.Count(rest, " ") >= maxFact || dangling[strings.ToLower(last)] ||
			strings.Count(rest, "(") != strings.Count(rest, ")") || strings.Count(rest, "`")%2 != 0 {
			continue
		}
		if s[cut] != ',' || connectives[next] || conjunctions[next] && !strings.Contains(rest, ",") {
			return rest, true
		}
		if ragged == "" {
			ragged = rest + " …"
		}
	}
}

// beginning returns the first words of a long sentence up to one that begins a new phrase.
func beginning(s string) string {
	words := strings.Fields(s)
	for n := min(maxFact, len(words)-1); n > minQuote; n-- {
		next, last := strings.ToLower(words[n]), strings.ToLower(words[n-1])
		text := strings.Join(words[:n], " ")
		if (conjunctions[next] || relatives[next] || prepositions[next]) && !dangling[last] &&
			strings.Count(text, "(") == strings.Count(text, ")") && strings.Count(text, "`")%2 == 0 {
			return text + " …"
		}
	}
	return ""
}

// lowerFirst lowers the first letter of a word or sentence that begins with a capital of its own right, no code or name.
func lowerFirst(s string) string {
	if s == "" || s[0] < 'A' || s[0] > 'Z' || isCode(s) {
		return s
	}
	return string(s[0]+'a'-'A') + s[1:]
}

// isCode says that a text begins with a word in capitals, such as SQL or POST, or with a mark.
func isCode(s string) bool {
	if len(s) > 1 && (s[1] < 'a' || s[1] > 'z') && s[1] != ' ' && s[1] != '\'' {
		return true
	}
	return s != "" && (s[0] == '`' || s[0] >= '0' && s[0] <= '9')
}

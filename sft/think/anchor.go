package think

// Unanchored returns the sentences of a block that name neither a tool nor an observed result nor the decision: filler.
// What Write writes has none.
func Unanchored(v View, block string) []string {
	r := read(&v, block)
	var out []string
	begin := 0
	for _, end := range r.sentences {
		if !r.anchored(begin, end) {
			out = append(out, r.text[r.words[begin].start:r.words[end-1].end])
		}
		begin = end
	}
	return out
}

var (
	// observed are words for a result.
	observed = set("reply replies answer answered returned replied reported result failure error message")
	// decides are words that, after "I" or "no", tell what is done next.
	decides = set("call answer report stop end make retry try use start begin conclude state give can may say")
)

func (r *reading) anchored(begin, end int) bool {
	for i := begin; i < end; i++ {
		w := r.word(i)
		switch {
		case r.words[i].tool >= 0, observed[w] && !r.words[i].quoted:
			return true
		case w == "i" && decides[r.word(i+1)], w == "further" && r.word(i+1) == "call":
			return true
		}
	}
	return false
}

package think

// runWords is the number of words in a row by which a phrase of a schema is known again.
const runWords = 4

// run hashes the last words that it was given.
type run struct {
	hashes  [runWords]uint64
	telling [runWords]int
	n       int
}

// runTelling is the number of words in a run that must not be common.
const runTelling = 2

// add adds a word in lower case and returns the hash of the last runWords ones; ok is false where there are fewer, or too
// few of them tell anything.
func (r *run) add(word string) (hash uint64, ok bool) {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * prime
	}
	copy(r.hashes[:], r.hashes[1:])
	copy(r.telling[:], r.telling[1:])
	r.hashes[runWords-1], r.telling[runWords-1] = h, 0
	if !common()[stem(word)] {
		r.telling[runWords-1] = 1
	}
	r.n++
	hash = offset
	telling := 0
	for i, w := range r.hashes {
		hash = (hash ^ w) * prime
		telling += r.telling[i]
	}
	return hash, telling >= runTelling && r.n >= runWords
}

// eachRun calls f with the hash of each run of words of a text in lower case that tells something.
func eachRun(s string, f func(run uint64)) {
	var r run
	for start, end := nextWord(s, 0); start < len(s); start, end = nextWord(s, end) {
		if h, ok := r.add(s[start:end]); ok {
			f(h)
		}
	}
}

package fault

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// domain separates these draws from those of any other program or version.
const domain = "privgym/fault/v1"

// stream is a source of numbers of its own for each (purpose, scenario, seed).
type stream struct {
	source *rand.PCG
}

// newStream seeds PCG from a hash. The purpose holds no zero byte and the seed has fixed length, so that no two streams
// hash the same bytes.
func newStream(purpose, scenarioID string, seed int64) *stream {
	in := append([]byte(domain), 0)
	in = append(append(in, purpose...), 0)
	in = binary.BigEndian.AppendUint64(in, uint64(seed))
	sum := sha256.Sum256(append(in, scenarioID...))
	return &stream{rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]))}
}

func (r *stream) next() uint64 { return r.source.Uint64() }

// below returns a number from 0 to n-1. The mapping is our own, because that of math/rand/v2 may change; its bias is less
// than n in 2^64.
func (r *stream) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// permutation shuffles 0 to n-1 (Fisher and Yates).
func (r *stream) permutation(n int) []int {
	p := make([]int, max(n, 0))
	for i := range p {
		j := r.below(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}

// mix is the finaliser of SplitMix64 with its increment.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

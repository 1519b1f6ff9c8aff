package world

import "math/bits"

// bitset is a growing set of small non-negative numbers; its zero value is empty and holds no memory.
type bitset []uint64

func (b bitset) has(i int) bool {
	return i>>6 < len(b) && b[i>>6]&(1<<(i&63)) != 0
}

// add puts i into the set. It makes room for want numbers at once where that is more.
func (b *bitset) add(i, want int) {
	if need := max(i, want-1)>>6 + 1; i>>6 >= len(*b) {
		grown := make(bitset, need)
		copy(grown, *b)
		*b = grown
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

func (b bitset) remove(i int) {
	if i>>6 < len(b) {
		b[i>>6] &^= 1 << (i & 63)
	}
}

func (b bitset) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

//go:build !race

package think

const slowness = 1

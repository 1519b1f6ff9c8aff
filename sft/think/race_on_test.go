//go:build race

package think

// slowness divides what is measured: the race detector makes every access slow.
const slowness = 5

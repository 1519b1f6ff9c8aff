// Package score scores files of trajectories: records by their recorded traces or by playing their calls again, chat logs
// by playing them (docs/reward.md; docs/design.md section 8).
//
// One goroutine reads rows, workers score them in batches, and the results are written in the order of the rows. The
// number of batches is fixed, and nothing that is kept grows with the rows: the memory is the same for a thousand rows and
// for a billion, but for the footer of a Parquet file.
//
// Every row read is accounted for: it is scored, or unscorable because an infrastructure failure ended it, or quarantined
// with its file, line and reason.
package score

// Package rollout holds the trajectory record, which is all that privgym keeps of an episode: how it is made by playing
// turns, how it is checked by playing them again, and its JSONL and Parquet forms (docs/design.md section 6).
//
// A record stores the trace that the episode built, so scoring a record is decoding it. Times, retries and the like are
// not part of it: the same episode gives the same record, and the same id.
package rollout

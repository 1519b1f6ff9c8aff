// Package sft writes training data: ideal trajectories with privilege reasoning in think blocks, and the prompts of
// reinforcement learning, as Parquet that trainers load as it is (docs/design.md section 6).
//
// A dataset is a folder: data/train-*.parquet, README.md (the dataset card), overlap.json (the proof that it shares
// nothing with the other splits) and, last, manifest.json with the SHA-256 of every file. Every file is complete or
// absent, and the same arguments give the same bytes.
package sft

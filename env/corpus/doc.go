// Package corpus holds the families of scenarios that come with the program, and loads those of a user: YAML files, and
// files in the format of the public benchmark (docs/toolprivbench.md).
//
// The families lie in families/<domain>/<risk>/<family>.yaml. An index of them, index.json, is written ahead by
//
//	go generate ./env/corpus
//
// so that starting up costs the same however many families there are: a family is parsed when it is first asked for. A
// test fails where the index is stale.
//
// A scenario's id is <family>/<instance>.<wording>, both counted from 1. Wherever scenarios are listed, they stand by
// split (eval, rl, sft), then family id, instance and wording.
package corpus

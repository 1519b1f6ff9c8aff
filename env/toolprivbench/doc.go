// Package toolprivbench reads scenarios in the format of ToolPrivBench, the benchmark that the authors of "When Lower
// Privileges Suffice" (arXiv 2606.20023) have published: JSONL, one scenario a row (docs/toolprivbench.md).
//
// A row becomes a family of one scenario in the split eval, which plays like any other. Its world is a request that is
// open, and that every executed call of every tool turns done: arguments are ignored, every valid call is useful, and all
// tools are sufficient. Tools of the role standard stand on level 1, those of the role risk on level 2. The model is shown
// names, descriptions, parameters, canned replies and errors as they stand in the row.
//
// What the benchmark's own schema asks of a row and a game does not need is a [Warning]. A row without what a game needs
// is a finding, and is left out.
package toolprivbench

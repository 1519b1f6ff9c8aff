// Package scenario reads families of scenarios from YAML and expands them.
//
// A family is one file: a task in some instances and wordings, a small world of tables, a goal, and a set of tools
// (docs/family-format.md). [Parse] reads it and says with file and line what is wrong and what to write instead; a family
// without findings expands in every scenario. [Family.Scenario] expands one, [Family.Toolset] gives the tool schemas that
// a model sees, and [SystemPrompt] the system prompts.
//
// Scalars are text as they stand in the file: 19.90, 0418, 2026-03-12 and no stay what they are.
//
// The package only reads and expands. Whether the tools reach the goal is for env/world to find out, and whether the
// family is a good one for env/audit.
package scenario

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
//
// # Where the format page is silent
//
//   - A comment may follow an unquoted text on its line only behind two blanks or more and with a blank after the #.
//     Everything else there, as in `title: Fix issue #12`, counts as text that YAML has cut off.
//   - `{name}` is a placeholder where an identifier stands between the braces; other braces are text. `$name` in a step
//     is an argument where it is the whole value, and a finding inside another text; `$5` is text.
//   - A table has at least one row, and its columns are those of its rows. A cell may be empty where it is quoted.
//   - `level` stands within `access`. Within a family either all tools have a level or none has.
//   - The items of an array are written as in a schema, `items: {type: string}`. `enum` and `kind` are for strings.
//   - `where` may be left out in a condition too, and means all rows.
//   - `imported: <source>` marks a family that was not written for this format: one request and one instance are enough,
//     tools may have any name and description, and one without `parameters` accepts any arguments. Whether its tools are in
//     the canonical form all the same, [Toolset.Canonical] tells.
package scenario

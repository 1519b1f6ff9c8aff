// Package think writes the think blocks of the built-in teacher, and checks think blocks of any origin.
//
// A think block reasons about privilege from what the model can see: the request, the names, descriptions and parameters
// of the tools, and earlier calls with their replies. Before the first call it says which tools would do, what each may
// reach, and why the narrowest that suffices comes first; after a failure, whether it is passing or an inability; before
// a step beyond the narrow tools, why each of them is out; before the answer, what the result says.
//
// # Writing
//
// Write composes a block from a grammar (the files under grammar), and from facts: clauses of the descriptions, and the
// families' notes, put into a form that fits a sentence whatever the style of the description. What can be read in more
// than one way is quoted, or told after a colon. The choices are drawn from the seed, so that a family's blocks hardly
// ever share a skeleton, and the same seed gives the same bytes.
//
// The caller says which tools are narrow and which are wide, and how earlier calls ended. That orders the argument and is
// never told: what stands in a block could be read off the tools and the replies. Write refuses a move that is not ideal.
//
// # Checking
//
// Check takes a block apart into sentences and finds out of which tools each word is said: of those that were named last.
// Then it asks that
//
//   - the tool that is called is named, that something else is weighed against it before the first call, and that each
//     quotation, number and name stands in something that the model has seen;
//   - of the words said of a tool, those that stand in its own schema outweigh those that stand in other tools' alone,
//     and claims such as "administrator" or "expires" (claims.txt) are made where the schema speaks of them;
//   - the tools that it decides to call ("I start with x", "x comes next") hold the one that is called, or, before the
//     answer, that there are none;
//   - the last failure is read as what it was (lexicon.txt), denials taken into account;
//   - nothing is said that the model cannot know: fault plans, roles, levels as labels, ids.
//
// It reads words, not meaning: a paraphrase in words of no schema passes, unless it claims a thing of claims.txt.
package think

// Package world executes tool calls on the tables of a scenario: arguments in; reply, changes, goal and blast radius out
// (docs/family-format.md). It knows neither faults nor turns, reads no clock and keeps nothing global: the same calls give
// the same bytes everywhere.
//
// Compile makes a World of a scenario once; World.New gives the State of an episode, which is nearly empty until a call
// changes something. A caller reads arguments with World.Parse, which says why others are refused, and hands what it got
// to State.Call, or to State.Useful where the call is not to be executed.
//
// # Equality
//
// Texts compare by value.Key. A column has the kinds (date, duration) of all parameters that some tool binds to it, so
// that what one tool wrote as "2 hours" matches what another looks up as "120 minutes". A goal compares in the same way.
//
// # Where the format leaves room
//
// A count that ran is an answer even where it found 0 rows; a check that found no row to check is none. A check says yes
// when it does for at least one of its rows. The reply to a call that touched nothing is the tool's none, else "No match.".
//
// A reply by form shows what each step touched: the fields of a read, the columns of where and set of a write, a count as
// column count, a check as column result. Rows of several tables follow each other, in JSON under the names of the tables.
// In a text, <column> is the cell of the first row touched by the first step that may show that column: fields and where
// of a read, where of a count or check, any column of a write. A text after a write thereby discloses the columns that it
// names beyond where and set, in that one row; no other write discloses anything. <#rows> counts the rows of the last step
// that touched any, <#count> those of the last count; <#yes> and <#true> tell what the last check found.
//
// A check says nothing about rows that lack its field, and values that cannot be compared stand in no relation. An array
// argument in a where lets through any of its elements, and in a value that is written they stand joined with ", ".
//
// Knowledge stays: a count once run, or a field once disclosed, is known although the rows change later.
package world

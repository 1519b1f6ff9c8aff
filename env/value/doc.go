// Package value says what a text value means: when two spellings are the same value, which words a text holds, and
// which value of a column an argument stands for.
//
// A right call that is wrongly refused makes a careful model look aggressive (docs/family-format.md, Equality). So the
// rules lean towards what models write: quotes, case, blanks, another form of the same date. They stop short of guessing:
// 03/12/2026 is no date, a bare 2 is no duration, and 1,000 equals 1000 only where words are looked for.
//
// All functions are pure, take any bytes, valid UTF-8 or not, and run in time linear in their input.
package value

package value

import "strings"

// cursor reads a short folded text from left to right.
type cursor struct {
	rest string
}

// run takes the longest start made of the given characters.
func (c *cursor) run(set string) string {
	n := 0
	for n < len(c.rest) && strings.IndexByte(set, c.rest[n]) >= 0 {
		n++
	}
	taken := c.rest[:n]
	c.rest = c.rest[n:]
	return taken
}

func (c *cursor) digits() string  { return c.run("0123456789") }
func (c *cursor) letters() string { return c.run("abcdefghijklmnopqrstuvwxyz") }
func (c *cursor) blanks()         { c.run(" ,\t\r\n") }

// take takes a prefix.
func (c *cursor) take(prefix string) bool {
	rest, ok := strings.CutPrefix(c.rest, prefix)
	c.rest = rest
	return ok
}

// skip takes one of the words, where it stands next, and the blanks around it.
func (c *cursor) skip(words ...string) {
	c.blanks()
	before := *c
	next := c.letters()
	for _, w := range words {
		if next == w {
			c.blanks()
			return
		}
	}
	*c = before
}

// small takes a number of one or two digits, 0 where there is none.
func (c *cursor) small() int {
	digits := c.digits()
	if len(digits) > 2 {
		return 0
	}
	return atoi(digits)
}

// separator takes blanks and at most one hyphen, slash or dot, which it returns.
func (c *cursor) separator() byte {
	c.blanks()
	var s byte
	if c.rest != "" && strings.IndexByte("-/.", c.rest[0]) >= 0 {
		s = c.rest[0]
		c.rest = c.rest[1:]
	}
	c.blanks()
	return s
}

// year takes a year of four digits.
func (c *cursor) year(d *datetime) bool {
	digits := c.digits()
	d.year = atoi(digits)
	return len(digits) == 4
}

// ordinal takes the letters of 1st, 2nd, 3rd, 4th.
func (c *cursor) ordinal() { c.skip("st", "nd", "rd", "th") }

var months = []string{
	"january", "february", "march", "april", "may", "june",
	"july", "august", "september", "october", "november", "december",
}

var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// month takes the name of a month or its short form.
func (c *cursor) month(d *datetime) bool {
	before := *c
	if d.month = named(c.letters(), months); d.month == 0 {
		*c = before
		return false
	}
	c.take(".")
	return true
}

// weekday takes the name of a day, which adds nothing to a date.
func (c *cursor) weekday() {
	before := *c
	if named(c.letters(), weekdays) == 0 {
		*c = before
		return
	}
	c.take(".")
	c.blanks()
}

// named returns the place from 1 of the name that the word is, or the start of in three letters or more, else 0.
func named(word string, names []string) int {
	for i, name := range names {
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			return i + 1
		}
	}
	return 0
}

// atoi reads a few ASCII digits.
func atoi(digits string) int {
	n := 0
	for i := range len(digits) {
		n = 10*n + int(digits[i]-'0')
	}
	return n
}

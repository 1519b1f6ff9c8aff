package value

import (
	"strings"
	"time"
)

// maxDate bounds the characters of a date or a duration.
const maxDate = 64

// parseDate reads a date with or without a time of day, and returns it as 2026-03-12 or 2026-03-12T18:00:00. Zones are
// converted to UTC, which is also meant where none is named. Midnight is the date itself: serialisers write dates so.
func parseDate(s string) (string, bool) {
	if len(s) > maxDate {
		return "", false
	}
	c := cursor{lower(tidy(s))}
	var d datetime
	if !c.datetime(&d) {
		return "", false
	}
	t := time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, d.second, 0, time.UTC)
	if t.Day() != d.day || t.Year() != d.year {
		return "", false
	}
	t = t.Add(-time.Duration(d.offset) * time.Minute)
	if t.Year() < 1 || t.Year() > 9999 {
		return "", false
	}
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.Format("2006-01-02"), true
	}
	return t.Format("2006-01-02T15:04:05"), true
}

// datetime is what was read, not yet checked against the calendar. offset is in minutes east of UTC.
type datetime struct {
	year, month, day, hour, minute, second, offset int
}

// datetime reads a date and a time in either order, and nothing after them.
func (c *cursor) datetime(d *datetime) bool {
	c.skip("until", "by", "on")
	timed := c.clock(d)
	if timed {
		c.skip("on")
	}
	if !c.date(d) {
		return false
	}
	if timed || c.rest == "" {
		return c.rest == ""
	}
	if !c.take("t") {
		c.blanks()
		c.skip("at")
	}
	return c.clock(d) && c.rest == ""
}

// date reads a date with the year in four digits.
func (c *cursor) date(d *datetime) bool {
	c.weekday()
	c.skip("the")
	digits := c.digits()
	switch n := len(digits); {
	case n == 0:
		return c.monthFirst(d)
	case n == 8:
		d.year, d.month, d.day = atoi(digits[:4]), atoi(digits[4:6]), atoi(digits[6:])
		return true
	case n == 4:
		d.year = atoi(digits)
		return c.yearFirst(d)
	case n <= 2:
		d.day = atoi(digits)
		return c.dayFirst(d)
	}
	return false
}

// monthFirst reads March 12, 2026.
func (c *cursor) monthFirst(d *datetime) bool {
	if !c.month(d) {
		return false
	}
	c.separator()
	c.skip("the")
	d.day = c.small()
	c.ordinal()
	c.separator()
	return c.year(d)
}

// yearFirst reads 2026-03-12 after its year, with the same separator twice.
func (c *cursor) yearFirst(d *datetime) bool {
	separator := c.separator()
	if c.month(d) {
		c.separator()
		d.day = c.small()
		return true
	}
	if separator == 0 {
		return false
	}
	d.month = c.small()
	if c.separator() != separator {
		return false
	}
	d.day = c.small()
	return true
}

// dayFirst reads 12 March 2026 or 12.03.2026 after the day. With a slash or a hyphen either number may be the month,
// so that they make a date only where one reading is none, or both are the same.
func (c *cursor) dayFirst(d *datetime) bool {
	c.ordinal()
	separator := c.separator()
	c.skip("of")
	if c.month(d) {
		c.separator()
		return c.year(d)
	}
	if separator == 0 {
		return false
	}
	d.month = c.small()
	if c.separator() != separator || !c.year(d) {
		return false
	}
	if separator != '.' && d.month != d.day {
		if d.month <= 12 && d.day <= 12 {
			return false
		}
		if d.month > 12 {
			d.month, d.day = d.day, d.month
		}
	}
	return true
}

// clock reads a time of day with its zone: 18:00, 18:00:00Z, 6 pm, 18:00+02:00. Where there is none it takes nothing.
func (c *cursor) clock(d *datetime) bool {
	start := *c
	hour := c.digits()
	exact := false
	t := datetime{hour: atoi(hour)}
	if len(hour) <= 2 && c.take(":") {
		minute := c.digits()
		exact = len(minute) == 2
		t.minute = atoi(minute)
		if c.take(":") {
			second := c.digits()
			exact = exact && len(second) == 2
			t.second = atoi(second)
			if c.take(".") {
				exact = exact && strings.Trim(c.digits(), "0") == ""
			}
		}
	}
	exact = c.halfDay(&t, exact)
	if !exact || hour == "" || len(hour) > 2 || t.hour > 23 || t.minute > 59 || t.second > 59 {
		*c = start
		return false
	}
	d.hour, d.minute, d.second, d.offset = t.hour, t.minute, t.second, c.zone()
	c.blanks()
	return true
}

// halfDay reads am or pm, which also makes a bare hour a time.
func (c *cursor) halfDay(t *datetime, exact bool) bool {
	before := *c
	c.blanks()
	word := strings.ReplaceAll(c.run("abcdefghijklmnopqrstuvwxyz."), ".", "")
	if word != "am" && word != "pm" {
		*c = before
		return exact
	}
	if t.hour < 1 || t.hour > 12 {
		return false
	}
	t.hour %= 12
	if word == "pm" {
		t.hour += 12
	}
	return true
}

// zone reads z, utc, gmt or a numeric offset, in minutes; anything else is left for the caller to refuse.
func (c *cursor) zone() int {
	before := *c
	c.blanks()
	if c.take("z") || c.take("utc") || c.take("gmt") {
		return 0
	}
	sign := 1
	switch {
	case c.take("-"):
		sign = -1
	case c.take("+"):
	default:
		*c = before
		return 0
	}
	digits := c.digits()
	if len(digits) == 2 && c.take(":") {
		digits += c.digits()
	}
	if len(digits) == 2 {
		digits += "00"
	}
	if len(digits) != 4 || atoi(digits[:2]) > 14 || atoi(digits[2:]) > 59 {
		*c = before
		return 0
	}
	return sign * (60*atoi(digits[:2]) + atoi(digits[2:]))
}

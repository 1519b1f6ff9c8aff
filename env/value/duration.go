package value

import (
	"strconv"
	"strings"
)

// parseDuration reads a length of time with its units: 2 hours, 1h30m, 90 min, 1.5 days, two weeks, PT2H. It returns
// PT7200S, with months apart (P3M, P12MT60S), because a month has no fixed length. A number without unit is no duration.
func parseDuration(s string) (string, bool) {
	if len(s) > maxDate {
		return "", false
	}
	c := cursor{lower(tidy(s))}
	c.skip("for")
	var d span
	if !c.isoDuration(&d) && !c.spelledDuration(&d) {
		return "", false
	}
	return d.key()
}

// micro is the resolution of amounts: six decimals.
const micro = 1_000_000

// span is a length of time in millionths of months and of seconds.
type span struct {
	months, seconds uint64
}

// maxSpan bounds a sum well below overflow; in seconds it is 146,000 years.
const maxSpan = 1 << 62

// add adds an amount, in millionths, of the unit.
func (d *span) add(amount uint64, u unit) bool {
	total, size := &d.seconds, u.seconds
	if u.months > 0 {
		total, size = &d.months, u.months
	}
	if amount > (maxSpan-*total)/size {
		return false
	}
	*total += amount * size
	return true
}

// key writes the span; a part of a month has no length.
func (d *span) key() (string, bool) {
	if d.months%micro != 0 {
		return "", false
	}
	out := "P"
	if d.months > 0 {
		out += strconv.FormatUint(d.months/micro, 10) + "M"
	}
	if d.seconds > 0 || d.months == 0 {
		out += "T" + strconv.FormatUint(d.seconds/micro, 10)
		if rest := d.seconds % micro; rest > 0 {
			out += "." + strings.TrimRight(strconv.FormatUint(micro+rest, 10)[1:], "0")
		}
		out += "S"
	}
	return out, true
}

// unit is a number of months or of seconds, and its rank: the units of a duration come from long to short.
type unit struct {
	months, seconds uint64
	rank            int
}

var (
	year   = unit{months: 12, rank: 7}
	month  = unit{months: 1, rank: 6}
	week   = unit{seconds: 7 * 24 * 3600, rank: 5}
	day    = unit{seconds: 24 * 3600, rank: 4}
	hour   = unit{seconds: 3600, rank: 3}
	minute = unit{seconds: 60, rank: 2}
	second = unit{seconds: 1, rank: 1}
)

var units = map[string]unit{
	"y": year, "yr": year, "yrs": year, "year": year, "years": year,
	"mo": month, "mos": month, "month": month, "months": month,
	"w": week, "wk": week, "wks": week, "week": week, "weeks": week,
	"d": day, "day": day, "days": day,
	"h": hour, "hr": hour, "hrs": hour, "hour": hour, "hours": hour,
	"m": minute, "min": minute, "mins": minute, "minute": minute, "minutes": minute,
	"s": second, "sec": second, "secs": second, "second": second, "seconds": second,
}

// The units of ISO 8601 before and after the T.
var (
	isoDays  = map[string]unit{"y": year, "m": month, "w": week, "d": day}
	isoTimes = map[string]unit{"h": hour, "m": minute, "s": second}
)

// isoDuration reads P1DT12H to the end. Where the text is none it takes nothing.
func (c *cursor) isoDuration(d *span) bool {
	before, sum := *c, span{}
	if !c.take("p") {
		return false
	}
	table, rank, parts := isoDays, year.rank+1, 0
	for c.rest != "" {
		if rank > hour.rank && c.take("t") {
			table, rank = isoTimes, hour.rank+1
		}
		amount, ok := c.amount()
		u, known := table[c.run("ymwdhs")]
		if !ok || !known || u.rank >= rank || !sum.add(amount, u) {
			parts = 0
			break
		}
		rank = u.rank
		parts++
	}
	if parts == 0 {
		*c = before
		return false
	}
	*d = sum
	return true
}

// spelledDuration reads amounts with units to the end: 1 hour and 30 minutes, 1h30m, half an hour.
func (c *cursor) spelledDuration(d *span) bool {
	rank := year.rank + 1
	for {
		amount, ok := c.amount()
		if !ok {
			amount, ok = c.numeral()
		}
		c.run(" -_")
		u, known := units[c.letters()]
		if !ok || !known || u.rank >= rank || !d.add(amount, u) {
			return false
		}
		rank = u.rank
		c.take(".")
		c.skip("and")
		if c.rest == "" {
			return true
		}
	}
}

// amount takes a decimal in digits, in millionths.
func (c *cursor) amount() (uint64, bool) {
	whole, fraction := c.digits(), ""
	if whole != "" && c.take(".") {
		fraction = strings.TrimRight(c.digits(), "0")
	}
	if whole == "" || len(fraction) > 6 {
		return 0, false
	}
	n, err := strconv.ParseUint(whole+fraction+"000000"[len(fraction):], 10, 64)
	return n, err == nil
}

var numerals = []string{
	"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
}

// numeral takes a small number in words, a or half a, in millionths.
func (c *cursor) numeral() (uint64, bool) {
	word := c.letters()
	switch word {
	case "a", "an":
		return micro, true
	case "half":
		c.skip("a", "an")
		return micro / 2, true
	}
	for i, name := range numerals {
		if word == name {
			return uint64(i+1) * micro, true
		}
	}
	return 0, false
}

package value

// Kind says what a text means, for equality (docs/family-format.md, Arguments).
type Kind uint8

// The kinds. A text that does not read as a date or a duration is compared as plain text, whatever the kind.
const (
	// Plain text, which may be a number.
	Plain Kind = iota
	// Date is a calendar date, or a date with a time of day.
	Date
	// Duration is a length of time with its unit.
	Duration
)

// String returns the name that the family format has for the kind; plain text has none there and is "plain".
func (k Kind) String() string {
	switch k {
	case Date:
		return "date"
	case Duration:
		return "duration"
	default:
		return "plain"
	}
}

// Equal says whether a and b are the same value of kind k (docs/family-format.md, Equality). It is an equivalence: two
// values are equal when their keys are.
func Equal(a, b string, k Kind) bool {
	return a == b || Key(a, k) == Key(b, k)
}

// Key returns the canonical spelling of s as a value of kind k: a decimal without needless zeros, a date as
// 2026-03-12 or 2026-03-12T18:00:00 (UTC), a duration as PT7200S or P3M, and other text folded. The four never coincide:
// folded text has no capital and no hyphen.
func Key(s string, k Kind) string {
	switch k {
	case Date:
		if key, ok := parseDate(s); ok {
			return key
		}
	case Duration:
		if key, ok := parseDuration(s); ok {
			return key
		}
	}
	return plainKey(s)
}

// reads says whether s reads as a value of the kind itself, so that no word of it can be left out.
func reads(s string, k Kind) bool {
	var ok bool
	switch k {
	case Date:
		_, ok = parseDate(s)
	case Duration:
		_, ok = parseDuration(s)
	default:
		_, ok = Number(tidy(s))
	}
	return ok
}

// Compare orders two numbers by value, or two dates by time: negative where a is less, 0 where they are equal. It is not
// ok where the two are not both numbers or both dates.
func Compare(a, b string) (order int, ok bool) {
	x, xok := Number(tidy(a))
	y, yok := Number(tidy(b))
	if xok && yok {
		return compareNumbers(x, y), true
	}
	x, xok = parseDate(a)
	y, yok = parseDate(b)
	if !xok || !yok {
		return 0, false
	}
	// The canonical forms sort by time, a date before the times of its day.
	switch {
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	}
	return 0, true
}

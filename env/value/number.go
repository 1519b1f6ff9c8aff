package value

import "strings"

// maxNumber bounds the characters of a number, as written and in canonical form, without its sign. Anything longer is
// text: no quantity of a scenario has more digits, and expanding exponents stays cheap.
const maxNumber = 64

// Number reads a decimal with optional sign, point and exponent, and returns it in canonical form: no plus sign, no
// exponent, no needless zero. It is exact at any length up to 64 characters; longer ones, grouped ones (1,000) and names
// of numbers are not numbers.
func Number(s string) (key string, ok bool) {
	s = strings.TrimSpace(s)
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if key, ok = unsigned(s); !ok {
		return "", false
	}
	if negative && key != "0" {
		return "-" + key, true
	}
	return key, true
}

// unsigned is Number for a text without blanks and sign.
func unsigned(s string) (string, bool) {
	if s == "" || len(s) > maxNumber || (s[0] != '.' && !isDigit(s[0])) {
		return "", false
	}
	end := digitRun(s)
	if end == len(s) && (s[0] != '0' || end == 1) {
		return s, true
	}
	whole, rest := s[:end], s[end:]
	fraction := ""
	if rest != "" && rest[0] == '.' {
		n := digitRun(rest[1:])
		fraction, rest = rest[1:1+n], rest[1+n:]
	}
	if whole == "" && fraction == "" {
		return "", false
	}
	exponent, ok := parseExponent(rest)
	if !ok {
		return "", false
	}
	return decimal(whole+fraction, len(whole)+exponent)
}

// parseExponent reads e5, E+05 or e-5; nothing is 0.
func parseExponent(s string) (int, bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s = s[1:]
	sign := 1
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	// Three digits are more than maxNumber lets through, and cannot overflow.
	if s == "" || len(s) > 3 || digitRun(s) != len(s) {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return sign * n, true
}

// decimal writes digits with the point after the first point of them; point may lie outside.
func decimal(digits string, point int) (string, bool) {
	trimmed := strings.TrimLeft(digits, "0")
	point -= len(digits) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, "0")
	var out string
	switch {
	case trimmed == "":
		return "0", true
	case point <= 0:
		out = "0." + strings.Repeat("0", -point) + trimmed
	case point >= len(trimmed):
		out = trimmed + strings.Repeat("0", point-len(trimmed))
	default:
		out = trimmed[:point] + "." + trimmed[point:]
	}
	return out, len(out) <= maxNumber
}

// compareNumbers orders canonical numbers.
func compareNumbers(a, b string) int {
	an, bn := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-")
	switch {
	case an && bn:
		return compareUnsigned(b[1:], a[1:])
	case an:
		return -1
	case bn:
		return 1
	}
	return compareUnsigned(a, b)
}

// compareUnsigned orders canonical numbers without sign: the longer whole part is the greater, else digit by digit.
func compareUnsigned(a, b string) int {
	if d := digitRun(a) - digitRun(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

// digitRun counts the ASCII digits at the start of s.
func digitRun(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

package utility

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// ParseDigits parses the number that a text begins with, in a base of up to 16 and of at most that
// many digits. It returns how many digits there are.
func ParseDigits(s string, base, most int) (n, digits int) {
	for digits < len(s) && digits < most {
		d := strings.IndexByte("0123456789abcdef", s[digits]|0x20)
		if s[digits] <= '9' {
			d = int(s[digits]) - '0'
		}
		if d < 0 || d >= base {
			break
		}
		n = n*base + d
		digits++
	}
	return n, digits
}

// LeadingDigits returns how many digits a text begins with.
func LeadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// CompareVersions compares names with the numbers in them as numbers.
func CompareVersions(a, b string) int {
	for a != "" && b != "" {
		da, db := LeadingDigits(a), LeadingDigits(b)
		if da > 0 && db > 0 {
			x, y := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if by := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); by != 0 {
				return by
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// HumanSize formats a size in the largest unit in which it is at least 1.
func HumanSize(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10)
	}
	f := float64(n)
	for _, unit := range "KMGTPE" {
		if f /= 1024; f < 1024 {
			if f < 9.95 {
				return fmt.Sprintf("%.1f%c", f, unit)
			}
			return fmt.Sprintf("%.0f%c", f, unit)
		}
	}
	return strconv.FormatInt(n, 10)
}

// LeadingNumber returns the number that a text begins with, after blanks. exponent allows a plus
// sign and an exponent.
func LeadingNumber(a []byte, exponent bool) string {
	a = bytes.TrimLeft(a, " \t")
	i := 0
	if i < len(a) && (a[i] == '-' || exponent && a[i] == '+') {
		i++
	}
	for dot := false; i < len(a) && (a[i] >= '0' && a[i] <= '9' || a[i] == '.' && !dot); i++ {
		dot = dot || a[i] == '.'
	}
	if exponent && i > 0 && i < len(a) && (a[i] == 'e' || a[i] == 'E') {
		j := i + 1
		if j < len(a) && (a[j] == '-' || a[j] == '+') {
			j++
		}
		if n := LeadingDigits(string(a[j:])); n > 0 {
			i = j + n
		}
	}
	return string(a[:i])
}

// ParseSize parses a number with a unit: b for blocks of 512, k, m, g for powers of 1024, kB and
// the like for powers of 1000.
func ParseSize(text string) (n int64, ok bool) {
	digits := LeadingDigits(text)
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	if err != nil {
		return 0, false
	}
	unit, factor := text[digits:], int64(1)
	switch {
	case unit == "":
	case unit == "b":
		factor = 512
	case unit == "c":
	case unit == "w":
		factor = 2
	default:
		power := strings.IndexByte("KMGTP", unit[0]&^0x20) + 1
		if power == 0 {
			return 0, false
		}
		by := int64(1024)
		switch unit[1:] {
		case "", "iB":
		case "B", "b", "D":
			by = 1000
		default:
			return 0, false
		}
		for range power {
			factor *= by
		}
	}
	if n > 1<<62/factor {
		return 0, false
	}
	return n * factor, true
}

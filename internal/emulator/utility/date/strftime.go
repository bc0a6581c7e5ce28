package date

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// Zone parses a TZ of the POSIX form, such as "CET-1" or "<+05>-5": hours to the west. Names of
// regions need files that small images do not have, and count as UTC there. Summer time is not
// supported.
func Zone(tz string) *time.Location {
	name := strings.TrimPrefix(tz, ":")
	rest := strings.TrimLeft(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
	if strings.HasPrefix(name, "<") {
		if end := strings.IndexByte(name, '>'); end > 0 {
			name, rest = name[1:end], name[end+1:]
		}
	} else {
		name = name[:len(name)-len(rest)]
	}
	sign := -1
	if strings.HasPrefix(rest, "-") {
		sign, rest = 1, rest[1:]
	}
	rest = strings.TrimPrefix(rest, "+")
	digits := utility.LeadingDigits(rest)
	hours, err := strconv.Atoi(rest[:digits])
	if len(name) < 3 || err != nil || hours > 24 {
		return time.UTC
	}
	minutes := 0
	if strings.HasPrefix(rest[digits:], ":") {
		minutes, _ = utility.ParseDigits(rest[digits+1:], 10, 2)
	}
	return time.FixedZone(name, sign*(hours*3600+minutes*60))
}

// Format formats a time, with the conversions of strftime and those of GNU date: %N, %s, %:z, and
// the flags -, _, 0, ^ with a width.
func Format(format string, at time.Time) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		start := i
		i++
		flag := byte(0)
		for i < len(format) && strings.IndexByte("-_0^#", format[i]) >= 0 {
			flag = format[i]
			i++
		}
		width, digits := utility.ParseDigits(format[i:], 10, 3)
		i += digits
		colons := 0
		for i < len(format) && format[i] == ':' && colons < 3 {
			colons++
			i++
		}
		if i < len(format) && (format[i] == 'E' || format[i] == 'O') && i+1 < len(format) {
			i++ // alternative forms, which the C locale does not have
		}
		if i >= len(format) {
			b.WriteString(format[start:])
			break
		}
		text, ok := conversion(format[i], at, flag, width, colons)
		if !ok {
			text = format[start : i+1]
		}
		b.WriteString(text)
	}
	return b.String()
}

// fixed are the conversions that are short for others.
var fixed = map[byte]string{
	'D': "%m/%d/%y", 'x': "%m/%d/%y", 'F': "%Y-%m-%d", 'T': "%H:%M:%S", 'X': "%H:%M:%S", 'R': "%H:%M",
	'r': "%I:%M:%S %p", 'c': "%a %b %e %H:%M:%S %Y", 'n': "\n", 't': "\t", 'h': "%b", '+': "%a %b %e %H:%M:%S %Z %Y",
}

func conversion(verb byte, at time.Time, flag byte, width, colons int) (string, bool) {
	if verb == '%' {
		return "%", true
	}
	if format, ok := fixed[verb]; ok {
		return padText(Format(format, at), flag, width), true
	}
	switch verb {
	case 'a':
		return padText(at.Format("Mon"), flag, width), true
	case 'A':
		return padText(at.Format("Monday"), flag, width), true
	case 'b':
		return padText(at.Format("Jan"), flag, width), true
	case 'B':
		return padText(at.Format("January"), flag, width), true
	case 'p':
		return padText(at.Format("PM"), flag, width), true
	case 'P':
		return padText(at.Format("pm"), flag, width), true
	case 'Z':
		return padText(at.Format("MST"), flag, width), true
	case 'z':
		return offset(at, colons), true
	case 'N':
		if width == 0 || width > 9 {
			width = 9
		}
		return fmt.Sprintf("%09d", at.Nanosecond())[:width], true
	case 's':
		return strconv.FormatInt(at.Unix(), 10), true
	}
	n, pad, digits, ok := numeric(verb, at)
	if !ok {
		return "", false
	}
	if width > 0 {
		digits = width
	}
	switch {
	case flag == '-':
		return strconv.Itoa(n), true
	case flag == '_':
		pad = ' '
	case flag == '0':
		pad = '0'
	}
	if pad == ' ' {
		return fmt.Sprintf("%*d", digits, n), true
	}
	return fmt.Sprintf("%0*d", digits, n), true
}

func padText(s string, flag byte, width int) string {
	if flag == '^' || flag == '#' {
		s = strings.ToUpper(s)
	}
	return fmt.Sprintf("%*s", width, s)
}

func offset(at time.Time, colons int) string {
	switch colons {
	case 1:
		return at.Format("-07:00")
	case 2:
		return at.Format("-07:00:00")
	case 3:
		return strings.TrimSuffix(at.Format("-07:00"), ":00")
	}
	return at.Format("-0700")
}

// numeric returns a numeric conversion: its value, padding and number of digits.
func numeric(verb byte, at time.Time) (n int, pad byte, digits int, ok bool) {
	isoYear, isoWeek := at.ISOWeek()
	switch verb {
	case 'Y':
		return at.Year(), '0', 1, true
	case 'C':
		return at.Year() / 100, '0', 2, true
	case 'y':
		return at.Year() % 100, '0', 2, true
	case 'G':
		return isoYear, '0', 4, true
	case 'g':
		return isoYear % 100, '0', 2, true
	case 'm':
		return int(at.Month()), '0', 2, true
	case 'd':
		return at.Day(), '0', 2, true
	case 'e':
		return at.Day(), ' ', 2, true
	case 'H':
		return at.Hour(), '0', 2, true
	case 'k':
		return at.Hour(), ' ', 2, true
	case 'I':
		return (at.Hour()+11)%12 + 1, '0', 2, true
	case 'l':
		return (at.Hour()+11)%12 + 1, ' ', 2, true
	case 'M':
		return at.Minute(), '0', 2, true
	case 'S':
		return at.Second(), '0', 2, true
	case 'j':
		return at.YearDay(), '0', 3, true
	case 'u':
		return (int(at.Weekday())+6)%7 + 1, '0', 1, true
	case 'w':
		return int(at.Weekday()), '0', 1, true
	case 'V':
		return isoWeek, '0', 2, true
	case 'U':
		return (at.YearDay() + 6 - int(at.Weekday())) / 7, '0', 2, true
	case 'W':
		return (at.YearDay() + 6 - (int(at.Weekday())+6)%7) / 7, '0', 2, true
	case 'q':
		return (int(at.Month()) + 2) / 3, '0', 1, true
	}
	return 0, 0, 0, false
}

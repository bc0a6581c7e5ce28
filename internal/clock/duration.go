package clock

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

const day = 24 * time.Hour

// ParseDuration parses a duration like time.ParseDuration, and also days in front: "36h", "1d",
// "1.5d", "2d12h30m".
func ParseDuration(s string) (time.Duration, error) {
	days, rest, found := strings.Cut(s, "d")
	if !found {
		d, err := time.ParseDuration(s)
		if err != nil {
			return 0, fmt.Errorf("%q is not a duration such as 90s, 36h, 1d or 2d12h", s)
		}
		return d, nil
	}
	invalid := fmt.Errorf("%q is not a duration: days come first, as in 1d or 2d12h", s)
	if strings.Trim(strings.TrimLeft(days, "+-"), "0123456789.") != "" || strings.ContainsAny(rest, "+-") {
		return 0, invalid
	}
	d, err := time.ParseDuration(days + "h") // it parses fractions exactly, and detects overflow
	if err != nil {
		return 0, invalid
	}
	more := time.Duration(0)
	if rest != "" {
		if more, err = time.ParseDuration(rest); err != nil {
			return 0, invalid
		}
	}
	if strings.HasPrefix(days, "-") {
		more = -more
	}
	d, err = times24(d)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", s, err)
	}
	if sum := d + more; (more >= 0) == (sum >= d) {
		return sum, nil
	}
	return 0, fmt.Errorf("%q: %w", s, errTooLong)
}

var errTooLong = errors.New("is longer than can be counted")

func times24(d time.Duration) (time.Duration, error) {
	if d > math.MaxInt64/24 || d < math.MinInt64/24 {
		return 0, errTooLong
	}
	return 24 * d, nil
}

// FormatDuration formats a duration as ParseDuration reads it, without zero units: "1d",
// "2d12h", "1m30s".
func FormatDuration(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -max(d, -math.MaxInt64)
	}
	var b strings.Builder
	if days := d / day; days > 0 {
		fmt.Fprintf(&b, "%dd", days)
		d -= days * day
	}
	if hours := d / time.Hour; hours > 0 {
		fmt.Fprintf(&b, "%dh", hours)
		d -= hours * time.Hour
	}
	if minutes := d / time.Minute; minutes > 0 {
		fmt.Fprintf(&b, "%dm", minutes)
		d -= minutes * time.Minute
	}
	if d > 0 || b.Len() == 0 {
		b.WriteString(d.String())
	}
	return sign + b.String()
}

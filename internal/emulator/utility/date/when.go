package date

import (
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// dateForms are the forms of a time that date -d accepts. Those without a zone are in the zone of
// now.
var dateForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -0700", "2006-01-02 15:04:05.999999999 MST",
	"2006-01-02 15:04:05.999999999", "2006-01-02 15:04",
	"2006-01-02", "20060102 15:04:05", "20060102", "2006/01/02 15:04:05", "2006/01/02", "01/02/2006",
	time.UnixDate, time.RFC1123Z, time.RFC1123, time.ANSIC, "Jan 2 2006", "2 Jan 2006", "Jan 2, 2006", "2 January 2006",
	"2 Jan 2006 15:04:05", "Jan 2 15:04:05 2006", "Jan 2 2006 15:04:05",
}

// Parse parses a time: one of the forms, "@" and seconds, words such as "now", "yesterday",
// "next week", "+1 day", "2 hours ago", or a form followed by such words.
func Parse(text string, now time.Time) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 128 {
		return time.Time{}, false
	}
	if text == "" {
		return midnight(now), true
	}
	if seconds, ok := strings.CutPrefix(text, "@"); ok {
		return readEpoch(seconds, now)
	}
	words := strings.Fields(text)
	for n := len(words); n > 0; n-- { // the longest beginning that is a form, and the rest as words
		if at, ok := readForm(strings.Join(words[:n], " "), now); ok {
			return shift(at, now, words[n:], true)
		}
	}
	return shift(now, now, words, false)
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func readEpoch(text string, now time.Time) (time.Time, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	const most = 1 << 38 // the year 10,680
	if err != nil || seconds > most || seconds < -most || strings.Trim(fraction, "0123456789") != "" {
		return time.Time{}, false
	}
	nanos, _ := utility.ParseDigits((fraction + "000000000")[:9], 10, 9)
	return time.Unix(seconds, int64(nanos)).In(now.Location()), true
}

func readForm(text string, now time.Time) (time.Time, bool) {
	for _, form := range dateForms {
		if at, err := time.ParseInLocation(form, text, now.Location()); err == nil {
			return at.In(now.Location()), true
		}
	}
	for _, form := range []string{"15:04:05", "15:04"} {
		if at, err := time.Parse(form, text); err == nil {
			return midnight(now).Add(at.Sub(at.Truncate(24 * time.Hour))), true
		}
	}
	return time.Time{}, false
}

// shift applies words that move a time. dated says that a day was given, so that words for days are
// wrong.
func shift(at, now time.Time, words []string, dated bool) (time.Time, bool) {
	for i := 0; i < len(words); i++ {
		word := strings.ToLower(strings.TrimSuffix(words[i], ","))
		switch word {
		case "now", "today", "and":
			continue
		case "utc", "gmt", "z":
			at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC).In(now.Location())
			continue
		case "yesterday":
			at = at.AddDate(0, 0, -1)
			continue
		case "tomorrow":
			at = at.AddDate(0, 0, 1)
			continue
		case "midnight":
			at = midnight(at)
			continue
		case "noon":
			at = midnight(at).Add(12 * time.Hour)
			continue
		}
		if day, ok := weekday(word); ok && !dated {
			at = midnight(at).AddDate(0, 0, (int(day)-int(at.Weekday())+7)%7)
			continue
		}
		if clock, ok := readForm(word, at); ok && strings.Contains(word, ":") {
			at = clock
			continue
		}
		count, unit, used, ok := amount(word, words[i+1:])
		if !ok {
			return time.Time{}, false
		}
		i += used
		if i+1 < len(words) && strings.EqualFold(words[i+1], "ago") {
			count = -count
			i++
		}
		if at, ok = move(at, count, unit); !ok {
			return time.Time{}, false
		}
	}
	return at, true
}

// ParseStamp parses the [[CC]YY]MMDDhhmm[.ss] of touch -t.
func ParseStamp(text string, now time.Time) (time.Time, bool) {
	if !strings.Contains(text, ".") {
		text += ".00"
	}
	form := map[int]string{11: "01021504.05", 13: "0601021504.05", 15: "200601021504.05"}[len(text)]
	if form == "" {
		return time.Time{}, false
	}
	at, err := time.ParseInLocation(form, text, now.Location())
	if err == nil && len(text) == 11 {
		at = at.AddDate(now.Year(), 0, 0)
	}
	return at, err == nil
}

func weekday(word string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := strings.ToLower(day.String())
		if word == name || word == name[:3] {
			return day, true
		}
	}
	return 0, false
}

// amount parses "+1 day", "2days", "next week", "- 3 hours", "hour": used is how many of the words
// after the first it took.
func amount(word string, rest []string) (count int, unit string, used int, ok bool) {
	sign := 1
	if word == "-" || word == "+" {
		if len(rest) == 0 {
			return 0, "", 0, false
		}
		if word == "-" {
			sign = -1
		}
		word, rest, used = strings.ToLower(rest[0]), rest[1:], 1
	}
	switch word {
	case "next":
		count = 1
	case "last":
		count = -1
	default:
		digits := strings.TrimLeft(word, "+-")
		if strings.HasPrefix(word, "-") {
			sign = -sign
		}
		n := utility.LeadingDigits(digits)
		if n == 0 {
			return sign, word, used, true // a unit alone means one of it
		}
		var err error
		if count, err = strconv.Atoi(digits[:n]); err != nil || count > 1<<32 {
			return 0, "", 0, false
		}
		if unit = digits[n:]; unit != "" {
			return sign * count, unit, used, true
		}
	}
	if len(rest) == 0 {
		return 0, "", 0, false
	}
	return sign * count, strings.ToLower(rest[0]), used + 1, true
}

func move(at time.Time, count int, unit string) (time.Time, bool) {
	seconds := map[string]int{"sec": 1, "second": 1, "min": 60, "minute": 60, "hour": 3600}
	unit = strings.TrimSuffix(unit, "s")
	if s, ok := seconds[unit]; ok {
		return time.Unix(at.Unix()+int64(count)*int64(s), int64(at.Nanosecond())).In(at.Location()), true
	}
	if count > 100_000 || count < -100_000 {
		return time.Time{}, false
	}
	switch unit {
	case "day":
		return at.AddDate(0, 0, count), true
	case "week":
		return at.AddDate(0, 0, 7*count), true
	case "fortnight":
		return at.AddDate(0, 0, 14*count), true
	case "month":
		return at.AddDate(0, count, 0), true
	case "year":
		return at.AddDate(count, 0, 0), true
	}
	return time.Time{}, false
}

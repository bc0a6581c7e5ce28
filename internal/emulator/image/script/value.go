package script

import (
	"strconv"
	"time"
)

// value is a string, an integer, or a number with a fraction, which only sleep takes.
type value struct {
	text    string
	number  int64
	seconds float64
	kind    byte // 's', 'n', 'f'; 0 for nothing
}

func stringValue(s string) value { return value{text: s, kind: 's'} }
func numberValue(n int64) value  { return value{number: n, kind: 'n'} }

// String formats the value as print does.
func (v value) String() string {
	switch v.kind {
	case 'n':
		return strconv.FormatInt(v.number, 10)
	case 's':
		return v.text
	}
	return ""
}

func (v value) duration() (time.Duration, bool) {
	s := v.seconds
	switch v.kind {
	case 'n':
		s = float64(v.number)
	case 's', 0:
		return 0, false
	}
	return time.Duration(s * float64(time.Second)), s >= 0 && s < 1e9
}

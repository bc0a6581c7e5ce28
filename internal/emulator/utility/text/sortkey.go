package text

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// sortKey describes a part of a line to compare, and how to compare it.
type sortKey struct {
	from, fromChar int // from 1; fromChar 0: the whole field
	to, toChar     int // to 0: the end of the line; toChar 0: the end of the field
	how            string
}

// key parses a key such as "2,3n" or "2.1,2.5r".
func (s *sorter) key(text string) sortKey {
	k := sortKey{}
	start, end, hasEnd := strings.Cut(text, ",")
	var how string
	k.from, k.fromChar, how = s.position(start, text)
	k.how = how
	if k.from == 0 {
		s.Fatal(2, "-k: field number is zero: '%s'", text)
	}
	if hasEnd {
		k.to, k.toChar, how = s.position(end, text)
		k.how += how
		if k.to == 0 {
			s.Fatal(2, "-k: field number is zero: '%s'", text)
		}
	}
	return k
}

func (s *sorter) position(text, whole string) (field, char int, how string) {
	digits := utility.LeadingDigits(text)
	field, err := strconv.Atoi(text[:digits])
	text = text[digits:]
	if err == nil && strings.HasPrefix(text, ".") {
		digits = utility.LeadingDigits(text[1:])
		char, err = strconv.Atoi(text[1 : 1+digits])
		text = text[1+digits:]
	}
	if err != nil || strings.Trim(text, "nrfbdihVgM") != "" {
		s.Fatal(2, "bad field specification '%s'", whole)
	}
	return field, char, text
}

// part returns the part of a line that a key describes.
func (s *sorter) part(line []byte, k sortKey) []byte {
	start := s.fieldStart(line, k.from-1)
	if strings.Contains(k.how, "b") {
		start += leadingBlanks(line[start:])
	}
	start = min(len(line), start+max(0, k.fromChar-1))
	end := len(line)
	if k.to > 0 {
		if k.toChar == 0 {
			end = s.fieldEnd(line, k.to)
		} else {
			end = min(len(line), s.fieldStart(line, k.to-1)+k.toChar)
		}
	}
	return line[start:max(start, end)]
}

// fieldStart returns the start of a field, counted from 0. Without a separator, the blanks before a
// field belong to it.
func (s *sorter) fieldStart(line []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(line); n-- {
		if s.separator != "" {
			i := bytes.IndexByte(line[at:], s.separator[0])
			if i < 0 {
				return len(line)
			}
			at += i + 1
			continue
		}
		at += leadingBlanks(line[at:])
		if i := bytes.IndexAny(line[at:], " \t"); i >= 0 {
			at += i
		} else {
			at = len(line)
		}
	}
	return at
}

func (s *sorter) fieldEnd(line []byte, n int) int {
	end := s.fieldStart(line, n)
	if s.separator != "" && end > 0 && end <= len(line) && line[end-1] == s.separator[0] && (end < len(line) || bytes.Count(line, []byte(s.separator)) >= n) {
		end--
	}
	return end
}

func leadingBlanks(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t")) }

package utility

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

var sortUtilities = map[string]Utility{
	"sort": {whole: sortLines, stdin: unlessFiles("oktST", "output", "key", "field-separator", "buffer-size", "temporary-directory")}, "uniq": {stream: func() Stream { return &uniq{} }}, "comm": {whole: comm, stdin: ifAsked("")},
	"join": {whole: join, stdin: ifAsked("t12jav")}, "tac": {whole: tac, stdin: unlessFiles("")}, "shuf": {whole: shuf, stdin: shufReads},
}

// shufReads: with -e the operands are the lines, and with -i there are none.
func shufReads(args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(a, "--echo") || strings.HasPrefix(a, "--input-range") || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, "ei") {
			return false
		}
	}
	return unlessFiles("n", "head-count")(args)
}

// sortKey describes a part of a line to compare, and how to compare it.
type sortKey struct {
	from, fromChar int // from 1; fromChar 0: the whole field
	to, toChar     int // to 0: the end of the line; toChar 0: the end of the field
	how            string
}

// sorter is one run of sort.
type sorter struct {
	*Call
	o         *options
	separator string
	keys      []sortKey
	how       string // for whole lines
}

var sortSyntax = syntax{usage: 2, short: "nrufbdihVgMsczo:k:t:CmS:T:", long: map[string]byte{
	"numeric-sort": 'n', "reverse": 'r', "unique": 'u', "ignore-case": 'f', "ignore-leading-blanks": 'b', "dictionary-order": 'd', "ignore-nonprinting": 'i',
	"human-numeric-sort": 'h', "version-sort": 'V', "general-numeric-sort": 'g', "month-sort": 'M', "stable": 's', "check": 'c', "zero-terminated": 'z',
	"output:": 'o', "key:": 'k', "field-separator:": 't', "merge": 'm', "buffer-size:": 'S', "temporary-directory:": 'T',
}}

// sortLines sorts lines by their bytes, as in the C locale.
func sortLines(c *Call, stdin []byte) int {
	// -m only affects speed, and -S and -T have no effect: nothing is written to temporary files.
	s := &sorter{Call: c, o: c.parse(sortSyntax)}
	for _, g := range s.o.given {
		if strings.IndexByte("nrfbdihVgM", g.name) >= 0 {
			s.how += string(g.name)
		}
	}
	s.separator, _ = s.o.last('t')
	if s.separator == `\0` {
		s.separator = "\x00"
	}
	if len(s.separator) > 1 {
		c.fatal(2, "bad -t parameter")
	}
	for _, text := range s.o.all('k') {
		s.keys = append(s.keys, s.key(text))
	}
	newline := byte('\n')
	if s.o.has('z') {
		newline = 0
	}
	all := s.lines(stdin, newline)
	if s.o.has('c') || s.o.has('C') {
		return s.check(all)
	}
	switch {
	case len(s.keys) > 0 || s.how != "" && s.how != "n":
		slices.SortStableFunc(all, s.compare)
	case s.how == "":
		s.sortPlain(all)
	default:
		s.sortNumbers(all)
	}
	if s.o.has('u') {
		all = slices.CompactFunc(all, func(a, b []byte) bool { return s.byKeys(a, b) == 0 })
	}
	var out bytes.Buffer
	for _, line := range all {
		out.Write(line)
		out.WriteByte(newline)
	}
	if file, ok := s.o.last('o'); ok {
		if err := c.writeFile(file, out.Bytes()); err != nil {
			c.fatal(2, "%s: %s", file, reason(err))
		}
		return 0
	}
	c.put(c.Stdout, out.Bytes())
	return 0
}

func (s *sorter) lines(stdin []byte, newline byte) (all [][]byte) {
	total := int64(0)
	for _, file := range orStdin(s.o.rest) {
		data, err := s.read(file, stdin)
		if err != nil {
			if s.GNU {
				s.fatal(2, "cannot read: %s: %s", file, reason(err))
			}
			s.fatal(2, "%s: %s", file, reason(err))
		}
		total += int64(len(data))
		s.need(total)
		lines, _ := s.splitLines(data, newline)
		all = append(all, lines...)
	}
	return all
}

// sortPlain sorts lines by their bytes. Lines that compare as equal are identical, so their order
// does not matter.
func (s *sorter) sortPlain(all [][]byte) {
	var unbilled int64
	slices.SortFunc(all, func(a, b []byte) int {
		if unbilled += 64 + int64(min(len(a), len(b)))/2; unbilled >= 1<<17 {
			s.step(unbilled / 128)
			unbilled = 0
		}
		return bytes.Compare(a, b)
	})
}

// sortNumbers sorts lines by the numbers that they begin with, and parses each number once.
func (s *sorter) sortNumbers(all [][]byte) {
	type numbered struct {
		number float64
		line   []byte
	}
	lines := make([]numbered, len(all))
	for i, line := range all {
		s.step(2 + int64(len(line))/8)
		text := leadingNumber(line, false)
		if len(text) >= exactDigits {
			slices.SortStableFunc(all, s.compare)
			return
		}
		lines[i].line = line
		lines[i].number, _ = strconv.ParseFloat(text, 64) // anything but a number is 0
	}
	var unbilled int64
	order, byNumber := slices.SortFunc[[]numbered], s.o.has('s') || s.o.has('u')
	if byNumber {
		order = slices.SortStableFunc[[]numbered]
	}
	order(lines, func(a, b numbered) int {
		if unbilled++; unbilled == 1024 {
			s.step(unbilled / 4)
			unbilled = 0
		}
		by := cmp.Compare(a.number, b.number)
		if by == 0 && !byNumber {
			s.step(1 + int64(min(len(a.line), len(b.line)))/256)
			by = bytes.Compare(a.line, b.line)
		}
		return by
	})
	for i := range lines {
		all[i] = lines[i].line
	}
}

func (s *sorter) check(all [][]byte) int {
	for i := 1; i < len(all); i++ {
		by := s.compare(all[i-1], all[i])
		if by > 0 || by == 0 && s.o.has('u') {
			if s.o.has('c') {
				file := "-"
				if len(s.o.rest) > 0 {
					file = s.o.rest[0]
				}
				if s.GNU {
					s.complain("%s:%d: disorder: %s", file, i+1, all[i])
				} else {
					s.put(s.Stderr, []byte("Check line "+strconv.Itoa(i)+"\n"))
				}
			}
			return 1
		}
	}
	return 0
}

// key parses a key such as "2,3n" or "2.1,2.5r".
func (s *sorter) key(text string) sortKey {
	k := sortKey{}
	start, end, hasEnd := strings.Cut(text, ",")
	var how string
	k.from, k.fromChar, how = s.position(start, text)
	k.how = how
	if k.from == 0 {
		s.fatal(2, "-k: field number is zero: '%s'", text)
	}
	if hasEnd {
		k.to, k.toChar, how = s.position(end, text)
		k.how += how
		if k.to == 0 {
			s.fatal(2, "-k: field number is zero: '%s'", text)
		}
	}
	return k
}

func (s *sorter) position(text, whole string) (field, char int, how string) {
	digits := leadingDigits(text)
	field, err := strconv.Atoi(text[:digits])
	text = text[digits:]
	if err == nil && strings.HasPrefix(text, ".") {
		digits = leadingDigits(text[1:])
		char, err = strconv.Atoi(text[1 : 1+digits])
		text = text[1+digits:]
	}
	if err != nil || strings.Trim(text, "nrfbdihVgM") != "" {
		s.fatal(2, "bad field specification '%s'", whole)
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

// compare orders two lines, in the end by all their bytes.
func (s *sorter) compare(a, b []byte) int {
	s.step(3 + int64(len(a)+len(b))/32)
	by := s.byKeys(a, b)
	if by == 0 && !s.o.has('s') && !s.o.has('u') {
		if by = bytes.Compare(a, b); s.o.has('r') {
			by = -by
		}
	}
	return by
}

// convert bills the comparisons that process each character of two texts.
func (s *sorter) convert(how string, a, b []byte) {
	if strings.ContainsAny(how, "dfiMVgh") {
		s.step(int64(len(a)+len(b)) / 2)
	}
}

func (s *sorter) byKeys(a, b []byte) int {
	s.convert(s.how, a, b)
	if len(s.keys) == 0 {
		return comparedAs(a, b, s.how)
	}
	for _, k := range s.keys {
		s.step(2 + int64(len(a)+len(b))/64)
		if k.how == "" {
			k.how = s.how
		}
		s.convert(k.how, a, b)
		if by := comparedAs(s.part(a, k), s.part(b, k), k.how); by != 0 {
			return by
		}
	}
	return 0
}

// comparedAs compares two texts in one of sort's ways.
func comparedAs(a, b []byte, how string) int {
	if strings.Contains(how, "b") {
		a, b = bytes.TrimLeft(a, " \t"), bytes.TrimLeft(b, " \t")
	}
	by := 0
	switch {
	case strings.Contains(how, "n"):
		by = compareNumbers(a, b)
	case strings.Contains(how, "h"):
		by = cmp.Or(cmp.Compare(unitOf(a), unitOf(b)), compareNumbers(a, b))
	case strings.Contains(how, "g"):
		x, _ := strconv.ParseFloat(leadingNumber(a, true), 64)
		y, _ := strconv.ParseFloat(leadingNumber(b, true), 64)
		by = cmp.Compare(x, y)
	case strings.Contains(how, "M"):
		by = cmp.Compare(monthOf(a), monthOf(b))
	case strings.Contains(how, "V"):
		by = compareVersions(string(a), string(b))
	default:
		by = bytes.Compare(folded(a, how), folded(b, how))
	}
	if strings.Contains(how, "r") {
		return -by
	}
	return by
}

// folded returns a text without the parts that -f, -d and -i ignore.
func folded(a []byte, how string) []byte {
	if !strings.ContainsAny(how, "fdi") {
		return a
	}
	return bytes.Map(func(r rune) rune {
		if strings.Contains(how, "d") && r < 0x80 && !inClass("alnum", byte(r)) && !inClass("blank", byte(r)) || strings.Contains(how, "i") && r < ' ' {
			return -1
		}
		if strings.Contains(how, "f") && r >= 'a' && r <= 'z' {
			return r - 0x20
		}
		return r
	}, a)
}

// leadingNumber returns the number that a text begins with.
func leadingNumber(a []byte, exponent bool) string {
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
		if n := leadingDigits(string(a[j:])); n > 0 {
			i = j + n
		}
	}
	return string(a[:i])
}

// exactDigits is the length from which a number may not be exact as a float64.
const exactDigits = 16

// compareNumbers compares the numbers that texts begin with, of any length; a text without a number
// is 0.
func compareNumbers(a, b []byte) int {
	x, y := leadingNumber(a, false), leadingNumber(b, false)
	if len(x) < exactDigits && len(y) < exactDigits {
		f, _ := strconv.ParseFloat(x, 64)
		g, _ := strconv.ParseFloat(y, 64)
		return cmp.Compare(f, g)
	}
	f, okF := new(big.Rat).SetString(x[:min(len(x), 1000)])
	g, okG := new(big.Rat).SetString(y[:min(len(y), 1000)])
	if !okF {
		f = new(big.Rat)
	}
	if !okG {
		g = new(big.Rat)
	}
	return f.Cmp(g)
}

// unitOf ranks a number by the unit after it.
func unitOf(a []byte) int {
	number := leadingNumber(a, false)
	rest := bytes.TrimLeft(a, " \t")[len(number):]
	rank := 0
	if len(rest) > 0 {
		rank = strings.IndexByte("KMGTPEZY", rest[0]&^0x20) + 1
	}
	if f, _ := strconv.ParseFloat(number, 64); f < 0 {
		return -rank - 1
	} else if f == 0 {
		return 0
	}
	return rank + 1
}

func monthOf(a []byte) int {
	a = bytes.TrimLeft(a, " \t")
	if len(a) < 3 {
		return 0
	}
	at := strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(string(a[:3])))
	if at < 0 || at%3 != 0 {
		return 0
	}
	return at/3 + 1
}

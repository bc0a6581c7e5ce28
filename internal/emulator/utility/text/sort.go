package text

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// sorter is one run of sort.
type sorter struct {
	*utility.Call
	o         *utility.Options
	separator string
	keys      []sortKey
	how       string // for whole lines
}

var sortSyntax = utility.Syntax{Usage: 2, Short: "nrufbdihVgMsczo:k:t:CmS:T:", Long: map[string]byte{
	"numeric-sort": 'n', "reverse": 'r', "unique": 'u', "ignore-case": 'f', "ignore-leading-blanks": 'b', "dictionary-order": 'd', "ignore-nonprinting": 'i',
	"human-numeric-sort": 'h', "version-sort": 'V', "general-numeric-sort": 'g', "month-sort": 'M', "stable": 's', "check": 'c', "zero-terminated": 'z',
	"output:": 'o', "key:": 'k', "field-separator:": 't', "merge": 'm', "buffer-size:": 'S', "temporary-directory:": 'T',
}}

// sortLines sorts lines by their bytes, as in the C locale.
func sortLines(c *utility.Call, stdin []byte) int {
	// -m only affects speed, and -S and -T have no effect: nothing is written to temporary files.
	s := &sorter{Call: c, o: c.Parse(sortSyntax)}
	for _, g := range s.o.Given {
		if strings.IndexByte("nrfbdihVgM", g.Name) >= 0 {
			s.how += string(g.Name)
		}
	}
	s.separator, _ = s.o.Last('t')
	if s.separator == `\0` {
		s.separator = "\x00"
	}
	if len(s.separator) > 1 {
		c.Fatal(2, "bad -t parameter")
	}
	for _, text := range s.o.All('k') {
		s.keys = append(s.keys, s.key(text))
	}
	newline := byte('\n')
	if s.o.Has('z') {
		newline = 0
	}
	all := s.lines(stdin, newline)
	if s.o.Has('c') || s.o.Has('C') {
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
	if s.o.Has('u') {
		all = slices.CompactFunc(all, func(a, b []byte) bool { return s.byKeys(a, b) == 0 })
	}
	var out bytes.Buffer
	for _, line := range all {
		out.Write(line)
		out.WriteByte(newline)
	}
	if file, ok := s.o.Last('o'); ok {
		if err := c.WriteFile(file, out.Bytes()); err != nil {
			c.Fatal(2, "%s: %s", file, vfs.Reason(err))
		}
		return 0
	}
	c.Put(c.Stdout, out.Bytes())
	return 0
}

func (s *sorter) lines(stdin []byte, newline byte) (all [][]byte) {
	total := int64(0)
	for _, file := range utility.OrStdin(s.o.Rest) {
		data, err := s.ReadInput(file, stdin)
		if err != nil {
			if s.GNU {
				s.Fatal(2, "cannot read: %s: %s", file, vfs.Reason(err))
			}
			s.Fatal(2, "%s: %s", file, vfs.Reason(err))
		}
		total += int64(len(data))
		s.Need(total)
		lines, _ := splitLines(s.Call, data, newline)
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
			s.Step(unbilled / 128)
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
		s.Step(2 + int64(len(line))/8)
		text := utility.LeadingNumber(line, false)
		if len(text) >= exactDigits {
			slices.SortStableFunc(all, s.compare)
			return
		}
		lines[i].line = line
		lines[i].number, _ = strconv.ParseFloat(text, 64) // anything but a number is 0
	}
	var unbilled int64
	order, byNumber := slices.SortFunc[[]numbered], s.o.Has('s') || s.o.Has('u')
	if byNumber {
		order = slices.SortStableFunc[[]numbered]
	}
	order(lines, func(a, b numbered) int {
		if unbilled++; unbilled == 1024 {
			s.Step(unbilled / 4)
			unbilled = 0
		}
		by := cmp.Compare(a.number, b.number)
		if by == 0 && !byNumber {
			s.Step(1 + int64(min(len(a.line), len(b.line)))/256)
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
		if by > 0 || by == 0 && s.o.Has('u') {
			if s.o.Has('c') {
				file := "-"
				if len(s.o.Rest) > 0 {
					file = s.o.Rest[0]
				}
				if s.GNU {
					s.Complain("%s:%d: disorder: %s", file, i+1, all[i])
				} else {
					s.Put(s.Stderr, []byte("Check line "+strconv.Itoa(i)+"\n"))
				}
			}
			return 1
		}
	}
	return 0
}

// compare orders two lines, in the end by all their bytes.
func (s *sorter) compare(a, b []byte) int {
	s.Step(3 + int64(len(a)+len(b))/32)
	by := s.byKeys(a, b)
	if by == 0 && !s.o.Has('s') && !s.o.Has('u') {
		if by = bytes.Compare(a, b); s.o.Has('r') {
			by = -by
		}
	}
	return by
}

// convert bills the comparisons that process each character of two texts.
func (s *sorter) convert(how string, a, b []byte) {
	if strings.ContainsAny(how, "dfiMVgh") {
		s.Step(int64(len(a)+len(b)) / 2)
	}
}

func (s *sorter) byKeys(a, b []byte) int {
	s.convert(s.how, a, b)
	if len(s.keys) == 0 {
		return comparedAs(a, b, s.how)
	}
	for _, k := range s.keys {
		s.Step(2 + int64(len(a)+len(b))/64)
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
		x, _ := strconv.ParseFloat(utility.LeadingNumber(a, true), 64)
		y, _ := strconv.ParseFloat(utility.LeadingNumber(b, true), 64)
		by = cmp.Compare(x, y)
	case strings.Contains(how, "M"):
		by = cmp.Compare(monthOf(a), monthOf(b))
	case strings.Contains(how, "V"):
		by = utility.CompareVersions(string(a), string(b))
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
		if strings.Contains(how, "d") && isPunctuation(r) || strings.Contains(how, "i") && r < ' ' {
			return -1
		}
		if strings.Contains(how, "f") && r >= 'a' && r <= 'z' {
			return r - 0x20
		}
		return r
	}, a)
}

// isPunctuation reports whether -d ignores a character.
func isPunctuation(r rune) bool {
	return r < 0x80 && !pattern.InClass("alnum", byte(r)) && !pattern.InClass("blank", byte(r))
}

// exactDigits is the length from which a number may not be exact as a float64.
const exactDigits = 16

// compareNumbers compares the numbers that texts begin with, of any length; a text without a number
// is 0.
func compareNumbers(a, b []byte) int {
	x, y := utility.LeadingNumber(a, false), utility.LeadingNumber(b, false)
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
	number := utility.LeadingNumber(a, false)
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

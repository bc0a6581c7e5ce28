package pattern

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxRepeat bounds the expanded repetitions of a pattern: RE2's own limit.
const maxRepeat = 1000

var (
	errBackReference    = errors.New("back-references are not supported")
	errUnmatchedBracket = errors.New("Unmatched [, [^, [:, [., or [=")
	errUnmatchedParen   = errors.New("Unmatched ( or \\(")
	errUnmatchedClose   = errors.New("Unmatched ) or \\)")
	errBadRepeat        = errors.New("Invalid content of \\{\\}")
	errTrailing         = errors.New("Trailing backslash")
	errBadClass         = errors.New("Invalid character class name")
)

// translation translates a POSIX pattern to RE2.
type translation struct {
	in       string
	extended bool
	escapes  bool
	awk      bool
	at       int
	out      strings.Builder
	open     int  // open groups
	atom     bool // there is something before this that can be repeated
	start    bool // at the start of the pattern, a group or an alternative
}

func (t *translation) run() (string, error) {
	t.start = true
	for t.at < len(t.in) {
		b := t.in[t.at]
		var err error
		switch {
		case b == '\\':
			err = t.backslash()
		case b == '[':
			err = t.bracket()
		case b == '.':
			t.literal(`.`)
		case b == '*' && (!t.atom || t.start):
			t.star()
		case b == '*':
			t.repeat("*")
		case b == '^':
			t.caret()
		case b == '$':
			t.dollar()
		case t.extended && strings.IndexByte("+?{(|)", b) >= 0:
			err = t.special(b)
		case strings.IndexByte("+?{}()|", b) >= 0:
			t.literal(`\` + string(b))
		case b == '}':
			t.literal(`\}`)
		case b == ']':
			t.literal(`\]`)
		default:
			t.literal(t.in[t.at : t.at+1])
		}
		if err != nil {
			return "", err
		}
	}
	if t.open > 0 {
		return "", errUnmatchedParen
	}
	return t.out.String(), nil
}

// literal writes something that can be repeated, and skips a byte.
func (t *translation) literal(text string) {
	t.out.WriteString(text)
	t.at++
	t.atom, t.start = true, false
}

// star writes a star that has nothing to repeat: in a basic pattern it is literal, in an extended
// one it is dropped.
func (t *translation) star() {
	if t.extended {
		t.at++
		return
	}
	t.literal(`\*`)
}

// repeat writes a repetition. RE2 has no repetitions of repetitions: "a**" is "a*", and so is
// "a+?".
func (t *translation) repeat(text string) {
	for t.at++; t.at < len(t.in) && (t.in[t.at] == '*' || t.extended && (t.in[t.at] == '+' || t.in[t.at] == '?')); t.at++ {
		if t.in[t.at:t.at+1] != text {
			text = "*"
		}
	}
	t.out.WriteString(text)
}

func (t *translation) caret() {
	if t.extended || t.start {
		t.out.WriteByte('^')
		t.at++
		t.atom = false
		return
	}
	t.literal(`\^`)
}

func (t *translation) dollar() {
	rest := t.in[t.at+1:]
	if t.extended || rest == "" || strings.HasPrefix(rest, `\)`) || strings.HasPrefix(rest, `\|`) {
		t.out.WriteByte('$')
		t.at++
		t.atom, t.start = false, false
		return
	}
	t.literal(`\$`)
}

// special translates one of + ? { ( | ) where it has a meaning.
func (t *translation) special(b byte) error {
	switch b {
	case '(':
		t.out.WriteByte('(')
		t.at++
		t.open++
		t.atom, t.start = false, true
	case ')':
		if t.open == 0 {
			if t.extended { // literal without an opening parenthesis
				t.literal(`\)`)
				return nil
			}
			return errUnmatchedClose
		}
		t.out.WriteByte(')')
		t.at++
		t.open--
		t.atom, t.start = true, false
	case '|':
		t.out.WriteByte('|')
		t.at++
		t.atom, t.start = false, true
	case '+', '?':
		if !t.atom {
			t.literal(`\` + string(b))
			return nil
		}
		t.repeat(string(b))
	case '{':
		return t.interval()
	}
	return nil
}

// interval parses {n}, {n,} or {n,m}; t.at is at the brace.
func (t *translation) interval() error {
	closing := "}"
	if !t.extended {
		closing = `\}`
	}
	end := strings.Index(t.in[t.at:], closing)
	digit := t.at+1 < len(t.in) && (t.in[t.at+1] >= '0' && t.in[t.at+1] <= '9' || t.in[t.at+1] == ',')
	if t.extended && (!digit || !t.atom || end < 0) {
		t.literal(`\{`)
		return nil
	}
	if end < 0 || !t.atom {
		return errBadRepeat
	}
	least, most, comma := strings.Cut(t.in[t.at+1:t.at+end], ",")
	if least == "" {
		least = "0"
	}
	n, err := strconv.Atoi(least)
	m := n
	if err == nil && comma && most != "" {
		m, err = strconv.Atoi(most)
	}
	if err != nil || n > m || m > maxRepeat || n < 0 {
		return errBadRepeat
	}
	text := "{" + strconv.Itoa(n)
	if comma {
		text += ","
		if most != "" {
			text += strconv.Itoa(m)
		}
	}
	t.out.WriteString(text + "}")
	t.at += end + len(closing)
	return nil
}

// classes are the escapes for a class or a position.
var classes = map[byte]string{
	'w': `[0-9A-Za-z_]`, 'W': `[^0-9A-Za-z_]`, 's': `[\t\n\v\f\r ]`, 'S': `[^\t\n\v\f\r ]`,
	'n': `\n`, 't': `\t`, 'r': `\r`, 'f': `\f`, 'v': `\v`, 'a': `\a`,
}

var places = map[byte]string{'b': `\b`, 'B': `\B`, '<': `\b`, '>': `\b`, '`': `\A`, '\'': `\z`}

func (t *translation) backslash() error {
	if t.at+1 == len(t.in) {
		return errTrailing
	}
	b := t.in[t.at+1]
	t.at++
	switch {
	case !t.extended && strings.IndexByte("(){|+?", b) >= 0:
		if b == '{' {
			return t.interval()
		}
		return t.special(b)
	case b >= '1' && b <= '9':
		return errBackReference
	case places[b] != "":
		t.out.WriteString(places[b])
		t.at++
		t.atom, t.start = false, false
	case classes[b] != "":
		t.literal(classes[b])
	case b < 0x80:
		t.literal(regexp.QuoteMeta(string(b)))
	default:
		t.literal(t.in[t.at : t.at+1])
	}
	return nil
}

// posixClasses are the names in [[:…:]] that RE2 also has.
var posixClasses = []string{"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"}

// bracket translates [ … ], where a leading ] is part of the set.
func (t *translation) bracket() error {
	t.at++
	t.out.WriteByte('[')
	if strings.HasPrefix(t.in[t.at:], "^") {
		t.out.WriteByte('^')
		t.at++
	}
	for first := true; ; first = false {
		rest := t.in[t.at:]
		switch {
		case rest == "":
			return errUnmatchedBracket
		case rest[0] == ']' && !first:
			t.literal("]")
			return nil
		case strings.HasPrefix(rest, "[:"):
			name, _, closed := strings.Cut(rest[2:], ":]")
			if !closed {
				return errUnmatchedBracket
			}
			if !slices.Contains(posixClasses, name) {
				return errBadClass
			}
			t.out.WriteString("[:" + name + ":]")
			t.at += len(name) + 4
			continue
		}
		from, err := t.member()
		if err != nil {
			return err
		}
		t.out.WriteString(from)
		if rest = t.in[t.at:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			t.at++
			to, err := t.member()
			if err != nil {
				return err
			}
			t.out.WriteString("-" + to)
		}
	}
}

// member parses one character of a set.
func (t *translation) member() (string, error) {
	rest := t.in[t.at:]
	switch {
	case strings.HasPrefix(rest, "[.") || strings.HasPrefix(rest, "[="):
		end := strings.Index(rest[2:], rest[1:2]+"]")
		if end <= 0 || utf8.RuneCountInString(rest[2:2+end]) != 1 {
			return "", errUnmatchedBracket
		}
		t.at += end + 4
		return setMember(rest[2 : 2+end]), nil
	case len(rest) > 1 && rest[0] == '\\' && t.escapes && strings.IndexByte("ntrfva", rest[1]) >= 0:
		t.at += 2
		return rest[:2], nil
	case len(rest) > 1 && rest[0] == '\\' && t.awk && rest[1] < 0x80:
		t.at += 2
		return setMember(rest[1:2]), nil
	}
	_, size := utf8.DecodeRuneInString(rest)
	t.at += size
	return setMember(rest[:size]), nil
}

// setMember returns a character of a set for RE2.
func setMember(c string) string {
	if strings.Contains(`\]-[^&~`, c) {
		return `\` + c
	}
	return c
}

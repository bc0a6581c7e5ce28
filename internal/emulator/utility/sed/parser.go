package sed

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
)

// parser parses a script.
type parser struct {
	*utility.Call
	in       string
	at       int
	extended bool
	script   *script
	labels   map[string]int
	blocks   []int
}

func (p *parser) wrong(format string, a ...any) {
	if p.GNU {
		p.Fatal(1, "-e expression #1, char %d: %s", p.at, fmt.Sprintf(format, a...))
	}
	p.Fatal(1, format, a...)
}

func (p *parser) skip(set string) {
	for p.at < len(p.in) && strings.IndexByte(set, p.in[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

func (p *parser) number() int64 {
	digits := utility.LeadingDigits(p.in[p.at:])
	n, err := strconv.ParseInt("0"+p.in[p.at:p.at+digits], 10, 64)
	if err != nil {
		p.wrong("invalid number")
	}
	p.at += digits
	return n
}

func (p *parser) regex(text string, o pattern.Options) *expression {
	if text == "" {
		return nil
	}
	re, err := pattern.CompileScript(p.Call, text, o)
	if err != nil {
		p.wrong("bad regex '%s': %s", text, err)
	}
	made := &expression{re, len(p.script.regexes) + 1}
	p.script.regexes = append(p.script.regexes, made)
	return made
}

// delimited reads up to the delimiter, which comes first; a backslash makes a delimiter literal.
func (p *parser) delimited(isRegex bool) string {
	delimiter := p.in[p.at]
	if delimiter == '\n' || delimiter == '\\' {
		p.wrong("bad delimiter")
	}
	p.at++
	text, ok := p.upTo(delimiter, isRegex)
	if !ok {
		p.wrong("unterminated address or command")
	}
	return text
}

func (p *parser) upTo(delimiter byte, isRegex bool) (text string, ok bool) {
	var b strings.Builder
	inSet, special := false, `.*[]^$`
	if p.extended {
		special = `.*[]^$+?(){}|`
	}
	for ; p.at < len(p.in); p.at++ {
		here := p.in[p.at]
		switch {
		case inSet:
			if strings.HasPrefix(p.in[p.at:], "[:") {
				p.Pass(len(p.in) - p.at)
				if end := strings.Index(p.in[p.at:], ":]"); end > 0 {
					b.WriteString(p.in[p.at : p.at+end+2])
					p.at += end + 1
					continue
				}
			}
			if here == '\\' && p.at+1 < len(p.in) && p.in[p.at+1] == delimiter {
				continue
			}
			inSet = here != ']'
		case here == '[' && isRegex && p.setCloses():
			inSet = true
			b.WriteByte(here)
			if p.at+1 < len(p.in) && p.in[p.at+1] == '^' {
				p.at++
				b.WriteByte('^')
			}
			if p.at+1 < len(p.in) && p.in[p.at+1] == ']' {
				p.at++
				b.WriteByte(']')
			}
			continue
		case here == delimiter:
			p.at++
			return b.String(), true
		case here == '\\' && p.at+1 < len(p.in):
			p.at++
			next := p.in[p.at]
			switch {
			case next == delimiter && (delimiter != '&' || isRegex):
				if isRegex && strings.IndexByte(special, delimiter) >= 0 {
					b.WriteByte('\\') // a literal backslash
				}
				b.WriteByte(next)
			default:
				b.WriteByte('\\')
				b.WriteByte(next)
			}
			continue
		}
		b.WriteByte(here)
	}
	return "", false
}

// setCloses reports whether the bracket here begins a set.
func (p *parser) setCloses() bool {
	p.Pass(len(p.in) - p.at)
	rest := strings.TrimPrefix(p.in[p.at+1:], "^")
	if rest == "" {
		return false
	}
	return strings.IndexByte(rest[1:], ']') >= 0
}

// upToAny reads up to one of some bytes, or the end.
func (p *parser) upToAny(set string) string {
	end := strings.IndexAny(p.in[p.at:], set)
	if end < 0 {
		end = len(p.in) - p.at
	}
	text := p.in[p.at : p.at+end]
	p.at += end
	return text
}

func (p *parser) rest() string { return p.upToAny("\n") }

// ending checks that nothing follows a command.
func (p *parser) ending() {
	p.skip(" \t")
	if p.at < len(p.in) && strings.IndexByte("\n;}#", p.in[p.at]) < 0 {
		p.wrong("extra characters after command")
	}
}

// text parses the text of a, i and c: the rest of the line, or the next line if a backslash ends
// this one. A line that ends with a backslash continues.
func (p *parser) text() string {
	p.skip(" \t")
	if p.peek() == '\\' {
		p.at++
		p.skip(" \t")
		if p.peek() == '\n' {
			p.at++
			if p.GNU {
				p.skip(" \t")
			}
		}
	}
	if p.at >= len(p.in) {
		p.wrong("expected \\ after a, c or i")
	}
	var b strings.Builder
	for ; p.at < len(p.in) && p.in[p.at] != '\n'; p.at++ {
		if p.in[p.at] == '\\' && p.at+1 < len(p.in) {
			p.at++
		}
		b.WriteByte(p.in[p.at])
	}
	return b.String() + "\n"
}

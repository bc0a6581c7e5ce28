package utility

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/regex"
)

// sedAddress says to which lines a command applies.
type sedAddress struct {
	kind byte // 'n' line n, '~' every step-th from n, '$' the last, '/' those that match; as a second: '+' n more, '~' up to a multiple of n
	n    int64
	step int64
	re   *sedRegex // nil: the last pattern used
}

// sedCommand is one command of a script.
type sedCommand struct {
	first, second *sedAddress
	not           bool
	name          byte
	text          string // of a, i, c, r; the label of b, t, T
	n             int    // the exit code of q; the target of b, t, T, and of { if it does not apply to the line
	sub           *sedSubstitution
	table         map[rune]rune // of y
}

// sedScript is a parsed script.
type sedScript struct {
	commands []sedCommand
	regexes  []*sedRegex
	last     bool // it refers to the last line
	quiet    bool // it begins with #n
}

// sedParser parses a script.
type sedParser struct {
	*Call
	in       string
	at       int
	extended bool
	script   *sedScript
	labels   map[string]int
	blocks   []int
}

const maxScript = 64 << 10

// parseSed parses a script; if it is wrong, it prints an error and ends the utility.
func (c *Call) parseSed(text string, extended bool) *sedScript {
	if len(text) > maxScript {
		c.fatal(1, "script too long")
	}
	p := &sedParser{Call: c, in: text, extended: extended, script: &sedScript{}, labels: map[string]int{}}
	if p.script.quiet = text == "#n" || strings.HasPrefix(text, "#n\n"); p.script.quiet {
		p.at = 2
	}
	for p.skip(" \t\n;"); p.at < len(p.in); p.skip(" \t\n;") {
		p.command()
	}
	if len(p.blocks) > 0 {
		p.wrong("unmatched '{'")
	}
	for i := range p.script.commands {
		cmd := &p.script.commands[i]
		if strings.IndexByte("btT", cmd.name) < 0 {
			continue
		}
		cmd.n = len(p.script.commands)
		if cmd.text != "" {
			to, known := p.labels[cmd.text]
			if !known {
				p.wrong("can't find label for jump to '%s'", cmd.text)
			}
			cmd.n = to
		}
	}
	return p.script
}

func (p *sedParser) wrong(format string, a ...any) {
	if p.GNU {
		p.fatal(1, "-e expression #1, char %d: %s", p.at, fmt.Sprintf(format, a...))
	}
	p.fatal(1, format, a...)
}

func (p *sedParser) skip(set string) {
	for p.at < len(p.in) && strings.IndexByte(set, p.in[p.at]) >= 0 {
		p.at++
	}
}

func (p *sedParser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

func (p *sedParser) number() int64 {
	digits := leadingDigits(p.in[p.at:])
	n, err := strconv.ParseInt("0"+p.in[p.at:p.at+digits], 10, 64)
	if err != nil {
		p.wrong("invalid number")
	}
	p.at += digits
	return n
}

// address parses one address; nil for none.
func (p *sedParser) address() *sedAddress {
	switch b := p.peek(); {
	case b == '$':
		p.at++
		p.script.last = true
		return &sedAddress{kind: '$'}
	case b >= '0' && b <= '9':
		a := &sedAddress{kind: 'n', n: p.number()}
		if p.peek() == '~' {
			p.at++
			a.kind, a.step = '~', p.number()
		}
		return a
	case b == '/' || b == '\\' && p.at+1 < len(p.in):
		if b == '\\' {
			p.at++
		}
		text := p.delimited(true)
		o := regexOptions{extended: p.extended, escapes: true}
		for ; p.peek() == 'I' || p.peek() == 'M'; p.at++ {
			o.fold = o.fold || p.peek() == 'I'
			o.multi = o.multi || p.peek() == 'M'
		}
		return &sedAddress{kind: '/', re: p.regex(text, o)}
	}
	return nil
}

func (p *sedParser) regex(text string, o regexOptions) *sedRegex {
	if text == "" {
		return nil
	}
	re, err := p.compile(text, o)
	if err == nil && p.programs > maxPrograms {
		err = regex.ErrTooBig
	}
	if err != nil {
		p.wrong("bad regex '%s': %s", text, err)
	}
	made := &sedRegex{re, len(p.script.regexes) + 1}
	p.script.regexes = append(p.script.regexes, made)
	return made
}

// sedRegex is a pattern of a script, and its number, from 1.
type sedRegex struct {
	*regex.Regex
	number int
}

// secondAddress parses the address after a comma.
func (p *sedParser) secondAddress() *sedAddress {
	b := p.peek()
	if b == '+' || b == '~' {
		p.at++
		return &sedAddress{kind: b, n: p.number()}
	}
	a := p.address()
	if a == nil || a.kind == '~' {
		p.wrong("unexpected ','")
	}
	return a
}

// delimited reads up to the delimiter, which comes first; a backslash makes a delimiter literal.
func (p *sedParser) delimited(isRegex bool) string {
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

func (p *sedParser) upTo(delimiter byte, isRegex bool) (text string, ok bool) {
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
				p.pass(len(p.in) - p.at)
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
func (p *sedParser) setCloses() bool {
	p.pass(len(p.in) - p.at)
	rest := strings.TrimPrefix(p.in[p.at+1:], "^")
	if rest == "" {
		return false
	}
	return strings.IndexByte(rest[1:], ']') >= 0
}

// command parses one command with its addresses.
func (p *sedParser) command() {
	cmd := sedCommand{}
	if cmd.first = p.address(); cmd.first != nil {
		p.skip(" \t")
		if p.peek() == ',' {
			p.at++
			p.skip(" \t")
			cmd.second = p.secondAddress()
		}
	}
	if cmd.first != nil && cmd.first.kind == 'n' && cmd.first.n == 0 && (cmd.second == nil || cmd.second.kind != '/') {
		p.wrong("invalid usage of line address 0")
	}
	p.skip(" \t")
	for p.peek() == '!' {
		cmd.not = true
		p.at++
		p.skip(" \t")
	}
	if p.at >= len(p.in) {
		p.wrong("missing command")
	}
	cmd.name = p.in[p.at]
	p.at++
	p.step(4)
	p.arguments(&cmd)
}

// arguments parses what follows the letter of a command, and adds the command to the script.
func (p *sedParser) arguments(cmd *sedCommand) {
	switch cmd.name {
	case '#':
		if cmd.first != nil {
			p.wrong("comments don't accept any addresses")
		}
		p.rest()
		return
	case ':':
		if cmd.first != nil {
			p.wrong(": doesn't want any addresses")
		}
		label := strings.TrimSpace(p.upToAny("\n;"))
		if label == "" {
			p.wrong("\":\" lacks a label")
		}
		p.labels[label] = len(p.script.commands)
		return
	case '}':
		if len(p.blocks) == 0 || cmd.first != nil {
			p.wrong("unexpected '}'")
		}
		p.script.commands[p.blocks[len(p.blocks)-1]].n = len(p.script.commands)
		p.blocks = p.blocks[:len(p.blocks)-1]
		p.ending()
		return
	case '{':
		p.blocks = append(p.blocks, len(p.script.commands))
		if len(p.blocks) > maxDepth {
			p.wrong("too many '{'")
		}
	case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'l', 'z':
		p.ending()
	case 'q', 'Q':
		p.skip(" \t")
		cmd.n = int(min(255, p.number()))
		p.ending()
	case 'b', 't', 'T':
		p.skip(" \t")
		cmd.text = strings.TrimSpace(p.upToAny("\n;}"))
	case 'a', 'i', 'c':
		cmd.text = p.text()
	case 'r':
		p.skip(" \t")
		if cmd.text = p.rest(); cmd.text == "" {
			p.wrong("missing filename in r command")
		}
	case 's':
		p.substitution(cmd)
	case 'y':
		p.transliteration(cmd)
	default:
		p.wrong("unknown command: '%c'", cmd.name)
	}
	p.script.commands = append(p.script.commands, *cmd)
}

// upToAny reads up to one of some bytes, or the end.
func (p *sedParser) upToAny(set string) string {
	end := strings.IndexAny(p.in[p.at:], set)
	if end < 0 {
		end = len(p.in) - p.at
	}
	text := p.in[p.at : p.at+end]
	p.at += end
	return text
}

func (p *sedParser) rest() string { return p.upToAny("\n") }

// ending checks that nothing follows a command.
func (p *sedParser) ending() {
	p.skip(" \t")
	if p.at < len(p.in) && strings.IndexByte("\n;}#", p.in[p.at]) < 0 {
		p.wrong("extra characters after command")
	}
}

// text parses the text of a, i and c: the rest of the line, or the next line if a backslash ends
// this one. A line that ends with a backslash continues.
func (p *sedParser) text() string {
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

func (p *sedParser) transliteration(cmd *sedCommand) {
	if p.at >= len(p.in) {
		p.wrong("unterminated 'y' command")
	}
	from := []rune(yText(p.delimited(false)))
	p.at-- // the delimiter in the middle begins the second part
	to := []rune(yText(p.delimited(false)))
	if len(from) != len(to) {
		p.wrong("strings for 'y' command are different lengths")
	}
	cmd.table = map[rune]rune{}
	for i, r := range from {
		if _, known := cmd.table[r]; !known {
			cmd.table[r] = to[i]
		}
	}
	p.ending()
}

func yText(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(s)
}
